// What the page knows. One object, replaced as a whole; views subscribe to it.
import { useEffect, useState } from "preact/hooks";
import { ApiError, get, post } from "./api";
import type { Change, ChangeList, ChangeSummary, Decided, Event, State, Tally, Unit } from "./wire";

export type View = "changes" | "receipts" | "activity" | "guards";

export interface Toast {
  text: string;
  /** A receipt to look at. */
  receipt?: string | undefined;
  hint: string | null;
  isBad: boolean;
}

export interface Known {
  phase: "loading" | "ready" | "signed-out" | "broken";
  problem: ApiError | null;
  state: State | null;
  changes: ChangeSummary[];
  change: Change | null;
  path: string | null;
  isLive: boolean;
  view: View;
  toast: Toast | null;
  activity: Event[];
  /** The receipt that the receipts view is to open. */
  wanted: string | null;
  /** Counts receipts that came, so that lists know when to look again. */
  news: number;
}

let known: Known = {
  phase: "loading",
  problem: null,
  state: null,
  changes: [],
  change: null,
  path: null,
  isLive: false,
  view: "changes",
  toast: null,
  activity: [],
  wanted: null,
  news: 0,
};

const listeners = new Set<() => void>();

export function current(): Known {
  return known;
}

export function update(part: Partial<Known>): void {
  known = { ...known, ...part };
  for (const listener of listeners) listener();
}

export function useKnown(): Known {
  const [value, set] = useState(known);
  useEffect(() => {
    const listener = () => set(known);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return value;
}

let toastTimer = 0;

export function say(text: string, hint: string | null = null, isBad = false, receipt?: string): void {
  clearTimeout(toastTimer);
  update({ toast: { text, hint, isBad, receipt } });
  toastTimer = window.setTimeout(() => update({ toast: null }), isBad || receipt ? 12000 : 5000);
}

export function complain(error: unknown): void {
  if (error instanceof ApiError) {
    if (error.status === 401) update({ phase: "signed-out", problem: error });
    else say(error.message, error.hint, true);
  } else {
    say("This page made a mistake.", String(error), true);
  }
}

let asked = 0;
let shown = 0;

/** Reads the state and the list; keeps what is being looked at. */
export async function refresh(): Promise<void> {
  const turn = ++asked;
  const [state, list] = await Promise.all([get<State>("/state"), get<ChangeList>("/changes")]);
  // An answer that was overtaken by a later one is old news.
  if (turn < shown) return;
  shown = turn;
  update({ state, changes: list.changes, phase: "ready", problem: null });
  const waiting = state.open_files;
  document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${state.workspace} · Gatewright`;
  const first = list.changes[0];
  if (known.change !== null || !first) return;
  const change = await get<Change>(`/changes/${first.id}`);
  // What was opened meanwhile stays in view.
  if (known.change === null) put(change, first.files[0]?.path ?? null);
}

let opened = 0;

/** Opens a change at one of its files. Whoever has moved on by the time it comes is not called back. */
export async function open(id: string, path: string | null): Promise<void> {
  const turn = ++opened;
  update({ view: "changes" });
  if (known.change?.summary.id === id) {
    update({ path });
    return;
  }
  const change = await get<Change>(`/changes/${id}`);
  if (turn === opened) put(change, path);
}

/** Takes over a change that the server sent, keeping the file that is shown. */
export function put(change: Change, path: string | null = known.path): void {
  const has = change.files.some((file) => file.path === path);
  const changes = known.changes.map((summary) =>
    summary.id === change.summary.id ? change.summary : summary,
  );
  update({ change, changes, path: has ? path : (change.files[0]?.path ?? null) });
}

export type Part =
  | { of: "all" }
  | { of: "file"; path: string }
  | { of: "unit"; path: string; unit: string };

export async function decide(
  part: Part,
  choice: "accept" | "reject" | "undecided",
  lines: number[] | null = null,
): Promise<void> {
  const change = known.change;
  if (!change) return;
  // On screen at once; the server's word replaces it, or takes it back.
  put(foresee(change, part, choice, lines));
  try {
    const body = { content: change.summary.content, part, choice, ...(lines ? { lines } : {}) };
    take(await post<Decided>(`/changes/${change.summary.id}/decide`, body));
  } catch (error) {
    complain(error);
    await reload(change.summary.id).catch(complain);
  }
}

/** Decides on everything that waits, proposal by proposal. */
export async function decideAll(choice: "accept" | "reject" | "undecided"): Promise<void> {
  try {
    for (const { id, content } of known.changes) {
      take(await post<Decided>(`/changes/${id}/decide`, { content, part: { of: "all" }, choice }));
    }
  } catch (error) {
    complain(error);
  }
  await refresh().catch(complain);
}

/** Takes over what stands decided. */
export function take(decided: Decided): void {
  const change = known.change;
  if (!change || change.summary.id !== decided.id) return;
  const decisions = new Map(decided.files.map((file) => [file.path, file]));
  const files = change.files.map((file) => {
    const made = decisions.get(file.path)?.decisions ?? {};
    // What was foreseen and came true is not drawn again.
    if (file.units.every((unit) => wordOf(unit.decision) === wordOf(made[unit.id]))) return file;
    const units = file.units.map((unit) => ({ ...unit, decision: made[unit.id] ?? null }));
    return { ...file, units };
  });
  const summaries = change.summary.files.map((file) => ({
    ...file,
    tally: decisions.get(file.path)?.tally ?? file.tally,
  }));
  const { version, tally } = decided;
  put({ ...change, files, summary: { ...change.summary, version, tally, files: summaries } });
}

function wordOf(decision: Unit["decision"] | undefined): string {
  return decision ? JSON.stringify([decision.choice, decision.lines ?? null, decision.comment ?? null]) : "";
}

/** Reads a change anew. */
export async function reload(id: string): Promise<void> {
  const fresh = await get<Change>(`/changes/${id}`);
  if (known.change?.summary.id === id) put(fresh);
}

function foresee(
  change: Change,
  part: Part,
  choice: "accept" | "reject" | "undecided",
  lines: number[] | null,
): Change {
  const isMeant = (path: string, unit: string) =>
    part.of === "all" || (part.path === path && (part.of === "file" || part.unit === unit));
  const files = change.files.map((file) => ({
    ...file,
    units: file.units.map((unit) => {
      if (!isMeant(file.path, unit.id)) return unit;
      if (choice === "undecided") return { ...unit, decision: null };
      return { ...unit, decision: { choice, lines, comment: unit.decision?.comment ?? null } };
    }),
  }));
  const count = (units: Unit[]): Tally => ({
    accepted: units.filter((unit) => unit.decision?.choice === "accept").length,
    rejected: units.filter((unit) => unit.decision?.choice === "reject").length,
    undecided: units.filter((unit) => !unit.decision).length,
  });
  const summary = {
    ...change.summary,
    tally: count(files.flatMap((file) => file.units)),
    files: change.summary.files.map((file, at) => ({ ...file, tally: count(files[at]?.units ?? []) })),
  };
  return { ...change, files, summary };
}

/** Whether what is shown is still what waits. */
export function isOutdated(value: Known): boolean {
  const change = value.change;
  if (!change) return false;
  return !value.changes.some((summary) => summary.id === change.summary.id);
}
