// What can be done to the hunks and lines of a file.
import { get, post } from "../api";
import { complain, current, decide, put, reload, say, take } from "../store";
import type { Change, Decided, FileDetail, Line, LineList, Missing, PlainLine, Unit } from "../wire";
import type { Actions } from "./row";
import type { Options } from "./rows";

/** What the diff lends its actions. */
export interface Lent {
  id: string;
  file: FileDetail;
  opened: Map<number, PlainLine>;
  setOpened(opened: Map<number, PlainLine>): void;
  setWriting(writing: Options["writing"]): void;
  setCursor(key: string): void;
  focus(): void;
}

export function actionsOf(lent: Lent): Actions {
  const { id, file } = lent;
  const finish: Actions["finish"] = async (unit, what, text, line = null) => {
    lent.setWriting(null);
    lent.focus();
    if (text === null) return;
    try {
      const content = current().change?.summary.content;
      const body = { content, path: file.path, unit: unit.id, text };
      if (what === "edit") put(await post<Change>(`/changes/${id}/edit`, body));
      else take(await post<Decided>(`/changes/${id}/comment`, { ...body, line }));
      say(what === "edit" ? "Your text is in place and accepted." : "The agent will read your words.");
    } catch (error) {
      complain(error);
      await reload(id).catch(complain);
    }
  };
  return {
    finish,
    choose: (unit, choice) => decide({ of: "unit", path: file.path, unit: unit.id }, choice),
    line: (unit, index) => void toggleLine(file.path, unit, index),
    openFold: (from, to) => openFold(lent, from, to),
    write: (unit, what, line = null) => lent.setWriting({ unit: unit.id, what, line }),
    point: (key) => lent.setCursor(key),
    fix: async (missing: Missing, name: string) => {
      const unit = file.units.find((each) => each.hunk?.lines.some((line) => line.new === missing.line));
      if (unit) await finish(unit, "edit", renamed(unit, missing.name, name));
    },
  };
}

async function openFold(lent: Lent, from: number, to: number): Promise<void> {
  try {
    const query = new URLSearchParams({ path: lent.file.path, from: `${from}`, to: `${to}` });
    const list = await get<LineList>(`/changes/${lent.id}/lines?${query}`);
    const opened = new Map(lent.opened);
    list.lines.forEach((line, index) => opened.set(list.from + index, line));
    lent.setOpened(opened);
  } catch (error) {
    complain(error);
  }
}

/** What a hunk leaves with one name in the place of another, in the lines that it adds. */
function renamed(unit: Unit, from: string, to: string): string {
  const word = from.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(`(?<![\\w$])${word}(?![\\w$])`, "gu");
  const kept = (unit.hunk?.lines ?? []).filter((line) => line.kind !== "-");
  const text = (line: Line) => (line.kind === "+" ? line.text.replace(pattern, () => to) : line.text);
  return kept.map((line) => `${text(line)}\n`).join("");
}

/** Takes one line of a hunk in or out. */
async function toggleLine(path: string, unit: Unit, index: number): Promise<void> {
  const lines = unit.hunk?.lines ?? [];
  const changed = lines.flatMap((line, at) => (line.kind === " " ? [] : [at]));
  const decision = unit.decision;
  const taken = new Set(decision?.choice === "accept" ? (decision.lines ?? changed) : []);
  if (taken.has(index)) taken.delete(index);
  else taken.add(index);
  const part = { of: "unit" as const, path, unit: unit.id };
  if (taken.size === 0) await decide(part, "undecided");
  else if (taken.size === changed.length) await decide(part, "accept");
  else await decide(part, "accept", [...taken].sort((a, b) => a - b));
}
