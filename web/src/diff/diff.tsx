// The diff of one file: a grid of virtual rows, a cursor, and the actions on hunks and lines.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { get, post } from "../api";
import { complain, decide, put, say, take } from "../store";
import type { Change, Decided, FileDetail, Line, LineList, Missing, Unit } from "../wire";
import { RowView } from "./row";
import type { Row } from "./rows";
import { guess, rowsOf } from "./rows";
import { Heights } from "./window";

/** What the keyboard may ask of the diff that is shown. */
export interface Handle {
  move(step: number): void;
  hunk(step: number): void;
  centre(): void;
  line(number: number): void;
  write(what: "comment" | "edit"): void;
  choose(choice: "accept" | "reject" | "undecided"): void;
}

export const handle: { current: Handle | null } = { current: null };

interface Props {
  change: Change;
  file: FileDetail;
  isSplit: boolean;
  canDecide: boolean;
}

const OVERSCAN = 12;

export function Diff({ change, file, isSplit, canDecide }: Props): JSX.Element {
  const id = change.summary.id;
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useMemo(() => new Heights(), [id, file.path, isSplit]);
  const [opened, setOpened] = useState(() => new Map<number, string>());
  const [writing, setWriting] = useState<{ unit: string; what: "comment" | "edit" } | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const [, redraw] = useState(0);

  useEffect(() => {
    setOpened(new Map());
    setWriting(null);
    setCursor(null);
    scroller.current?.scrollTo(0, 0);
  }, [id, file.path]);

  const rows = useMemo(
    () => rowsOf(file, { isSplit, opened, writing }),
    [file, isSplit, opened, writing],
  );
  heights.lay(
    rows.map((row) => row.key),
    (index) => guess(rows[index] as Row),
  );
  const at = Math.max(0, rows.findIndex((row) => row.key === cursor));
  useAnchor(scroller, rows, heights);

  const first = Math.max(0, heights.at(view.top) - OVERSCAN);
  const last = Math.min(rows.length, heights.at(view.top + view.height) + OVERSCAN + 1);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Rows that wrap have heights of their own, learnt once they are drawn.
  useLayoutEffect(() => {
    let isNew = false;
    for (const element of scroller.current?.querySelectorAll<HTMLElement>("[data-measure]") ?? []) {
      isNew = heights.learn(element.dataset.measure as string, element.offsetHeight) || isNew;
    }
    if (isNew) redraw((count) => count + 1);
  });

  const show = (index: number, isCentred: boolean) => {
    const element = scroller.current;
    if (!element) return;
    const top = heights.top(index);
    const bottom = heights.top(index + 1);
    if (isCentred) element.scrollTop = top - element.clientHeight / 2;
    else if (top < element.scrollTop) element.scrollTop = top - 30;
    else if (bottom > element.scrollTop + element.clientHeight) {
      element.scrollTop = bottom - element.clientHeight + 30;
    }
  };
  const go = (index: number, isCentred = false) => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (!row) return;
    setCursor(row.key);
    show(rows.indexOf(row), isCentred);
  };
  const unitAtCursor = (): Unit | null => {
    const row = rows[at];
    if (row && "unit" in row && row.unit) return row.unit;
    for (let index = at; index >= 0; index--) {
      const before = rows[index];
      if (before?.t === "hunk") return before.unit;
    }
    return file.units[0] ?? null;
  };
  const goToHunk = (step: number) => {
    const hunks = rows.flatMap((row, index) => (row.t === "hunk" ? [index] : []));
    const next = step > 0 ? hunks.find((index) => index > at) : hunks.findLast((index) => index < at);
    if (next !== undefined) go(next);
  };
  const choose = async (unit: Unit, choice: "accept" | "reject" | "undecided") => {
    await decide({ of: "unit", path: file.path, unit: unit.id }, choice);
  };

  handle.current = {
    move: (step) => go(at + step),
    hunk: goToHunk,
    centre: () => show(at, true),
    line: (number) => {
      const isThere = (row: Row) =>
        (row.t === "line" && row.line.new === number) || (row.t === "pair" && row.right?.line.new === number);
      const index = rows.findIndex(isThere);
      if (index >= 0) go(index, true);
    },
    write: (what) => {
      const unit = unitAtCursor();
      if (unit && canDecide && (what === "comment" || unit.hunk)) setWriting({ unit: unit.id, what });
    },
    choose: (choice) => {
      const unit = unitAtCursor();
      if (!unit || !canDecide) return;
      void choose(unit, choice).then(() => {
        if (choice !== "undecided") goToHunk(1);
      });
    },
  };
  useEffect(() => () => void (handle.current = null), []);

  const actions = {
    choose,
    line: (unit: Unit, index: number) => void toggleLine(file.path, unit, index),
    openFold: async (from: number, to: number) => {
      try {
        const query = new URLSearchParams({ path: file.path, from: `${from}`, to: `${to}` });
        const list = await get<LineList>(`/changes/${id}/lines?${query}`);
        const next = new Map(opened);
        list.lines.forEach((text, index) => next.set(list.from + index, text));
        setOpened(next);
      } catch (error) {
        complain(error);
      }
    },
    write: (unit: Unit, what: "comment" | "edit") => setWriting({ unit: unit.id, what }),
    finish: async (unit: Unit, what: "comment" | "edit", text: string | null) => {
      setWriting(null);
      scroller.current?.focus();
      if (text === null) return;
      try {
        const body = { path: file.path, unit: unit.id, text };
        if (what === "edit") put(await post<Change>(`/changes/${id}/edit`, body));
        else take(await post<Decided>(`/changes/${id}/comment`, body));
        say(what === "edit" ? "Your text is in place and accepted." : "The agent will read your words.");
      } catch (error) {
        complain(error);
      }
    },
    point: (key: string) => setCursor(key),
    fix: async (missing: Missing, name: string) => {
      const unit = file.units.find((each) => each.hunk?.lines.some((line) => line.new === missing.line));
      if (unit) await actions.finish(unit, "edit", renamed(unit, missing.name, name));
    },
  };

  const drawn = rows.slice(first, last).map((row, offset) => (
    <RowView
      key={row.key}
      row={row}
      index={first + offset}
      top={heights.top(first + offset)}
      isCurrent={first + offset === at && cursor !== null}
      canDecide={canDecide}
      findings={file.findings}
      missing={file.missing}
      actions={actions}
    />
  ));
  return (
    <div
      class="diff"
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={`Changes of ${file.path}`}
      aria-rowcount={rows.length}
      aria-activedescendant={cursor === null ? undefined : `row-${cursor}`}
      onScroll={(event) => setView({ top: event.currentTarget.scrollTop, height: view.height })}
    >
      <div class="rows" role="presentation" style={{ height: `${heights.total}px` }}>
        {drawn}
      </div>
    </div>
  );
}

/** Keeps the row at the top where it is when rows come or go above it. */
function useAnchor(
  scroller: { current: HTMLDivElement | null },
  rows: Row[],
  heights: Heights,
): void {
  const before = useRef<{ rows: Row[]; key: string; offset: number } | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    const known = before.current;
    if (element && known && known.rows !== rows && element.scrollTop > 0) {
      const index = rows.findIndex((row) => row.key === known.key);
      if (index >= 0) element.scrollTop = heights.top(index) + known.offset;
    }
  }, [rows]);
  useLayoutEffect(() => {
    const element = scroller.current;
    const index = element ? heights.at(element.scrollTop) : 0;
    const row = rows[index];
    if (element && row) {
      before.current = { rows, key: row.key, offset: element.scrollTop - heights.top(index) };
    }
  });
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
