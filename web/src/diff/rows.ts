// Turns a file into a flat list of rows: what is drawn is a window on that list.
import type { FileDetail, Finding, Line, PlainLine, Unit } from "../wire";
import type { Words } from "./words";
import { placeOf, wordsOf } from "./words";

export type Row =
  | { key: string; t: "hunk"; unit: Unit; number: number; count: number }
  | { key: string; t: "line"; unit: Unit | null; index: number; line: Line }
  | { key: string; t: "pair"; unit: Unit; left: Side | null; right: Side | null }
  | { key: string; t: "finding"; finding: Finding }
  | { key: string; t: "fold"; from: number; to: number; shift: number }
  | { key: string; t: "words"; unit: Unit; text: string }
  | { key: string; t: "write"; unit: Unit; what: "comment" | "edit"; line: number | null };

export interface Side {
  index: number;
  line: Line;
}

export interface Options {
  isSplit: boolean;
  /** Lines of the base that were opened, by number. */
  opened: Map<number, PlainLine>;
  /** What is being written, and of which line of the hunk; none for the whole hunk. */
  writing: { unit: string; what: "comment" | "edit"; line: number | null } | null;
}

export const ROW_HEIGHT = 22;

/** A line of the unified view never wraps; everything else has the height that it needs. */
export function isFixed(row: Row): boolean {
  return row.t === "line";
}

export function guess(row: Row): number {
  switch (row.t) {
    case "hunk":
      return 40;
    case "finding":
      return 62;
    case "words":
      return 44;
    case "write":
      return row.what === "edit" ? 240 : 120;
    case "fold":
      return 30;
    default:
      return ROW_HEIGHT;
  }
}

export function rowsOf(file: FileDetail, options: Options): Row[] {
  const rows: Row[] = [];
  const byLine = new Map<number, Finding[]>();
  for (const finding of file.findings) {
    if (finding.line === null) rows.push({ key: `f${rows.length}`, t: "finding", finding });
    else byLine.set(finding.line, [...(byLine.get(finding.line) ?? []), finding]);
  }
  let next = 1;
  let shift = 0;
  file.units.forEach((unit, at) => {
    const hunk = unit.hunk;
    if (hunk) {
      const start = hunk.before_count === 0 ? hunk.before_start + 1 : hunk.before_start;
      pushFold(rows, next, start - 1, shift, options);
      next = start + hunk.before_count;
      shift += hunk.after_count - hunk.before_count;
    }
    rows.push({ key: `h${unit.id}`, t: "hunk", unit, number: at + 1, count: file.units.length });
    const words = wordsOf(unit.decision?.comment);
    if (words.whole !== "") rows.push({ key: `c${unit.id}`, t: "words", unit, text: words.whole });
    const writing = options.writing?.unit === unit.id ? options.writing : null;
    if (writing?.line === null) pushWriting(rows, unit, writing);
    if (hunk) pushHunk(rows, { unit, lines: hunk.lines, byLine, words, writing, isSplit: options.isSplit });
  });
  if (file.units.some((unit) => unit.hunk)) pushFold(rows, next, file.before_lines, shift, options);
  for (const left of byLine.values()) {
    for (const finding of left) rows.push({ key: `f${rows.length}`, t: "finding", finding });
  }
  return rows;
}

function pushFold(rows: Row[], from: number, to: number, shift: number, options: Options): void {
  if (to < from) return;
  if (!options.opened.has(from)) {
    rows.push({ key: `o${from}`, t: "fold", from, to, shift });
    return;
  }
  for (let old = from; old <= to; old++) {
    const line: Line = { kind: " ", old, new: old + shift, ...(options.opened.get(old) ?? { text: "" }) };
    rows.push({ key: `x${old}`, t: "line", unit: null, index: -1, line });
  }
}

function pushWriting(rows: Row[], unit: Unit, writing: NonNullable<Options["writing"]>): void {
  rows.push({ key: `w${unit.id}`, t: "write", unit, what: writing.what, line: writing.line });
}

interface Inside {
  unit: Unit;
  lines: Line[];
  byLine: Map<number, Finding[]>;
  words: Words;
  writing: Options["writing"];
  isSplit: boolean;
}

function pushHunk(rows: Row[], { unit, lines, byLine, words, writing, isSplit }: Inside): void {
  /** What is said of a line stands below it: by the guards, and by the person. */
  const tell = (side: Side | null | undefined) => {
    if (!side) return;
    const number = side.line.new;
    if (number) {
      for (const finding of byLine.get(number) ?? []) {
        rows.push({ key: `f${rows.length}-${number}`, t: "finding", finding });
      }
      byLine.delete(number);
    }
    const said = words.byPlace.get(placeOf(side.line));
    if (said) rows.push({ key: `c${unit.id}-${side.index}`, t: "words", unit, text: said });
    if (writing?.line === side.index) pushWriting(rows, unit, writing);
  };
  if (!isSplit) {
    lines.forEach((line, index) => {
      rows.push({ key: `l${unit.id}-${index}`, t: "line", unit, index, line });
      tell({ index, line });
    });
    return;
  }
  let at = 0;
  while (at < lines.length) {
    const left = take(lines, at, "-");
    const right = take(lines, at + left.length, "+");
    const same = lines[at];
    if (left.length + right.length === 0 && same) {
      const side = { index: at, line: same };
      rows.push({ key: `l${unit.id}-${at}`, t: "pair", unit, left: side, right: side });
      tell(side);
      at += 1;
      continue;
    }
    for (let row = 0; row < Math.max(left.length, right.length); row++) {
      const sides = { left: left[row] ?? null, right: right[row] ?? null };
      rows.push({ key: `l${unit.id}-${at + row}`, t: "pair", unit, ...sides });
      tell(sides.left);
      tell(sides.right);
    }
    at += left.length + right.length;
  }
}

function take(lines: Line[], from: number, kind: string): Side[] {
  const sides: Side[] = [];
  for (let index = from; lines[index]?.kind === kind; index++) {
    sides.push({ index, line: lines[index] as Line });
  }
  return sides;
}
