// Where the cursor is among the rows, and where a key takes it.
import type { FileDetail, Unit } from "../wire";
import type { Row } from "./rows";

/** The row with this key; the first where there is none. */
export function indexOf(rows: Row[], key: string | null): number {
  return Math.max(0, rows.findIndex((row) => row.key === key));
}

/** The unit that the cursor is in: its own, or that of the last head above it. */
export function unitAt(rows: Row[], at: number, file: FileDetail): Unit | null {
  const row = rows[at];
  if (row && "unit" in row && row.unit) return row.unit;
  const head = rows.slice(0, at + 1).findLast((each) => each.t === "hunk");
  return head?.t === "hunk" ? head.unit : (file.units[0] ?? null);
}

/** The head of the next hunk, or of the one before. */
export function nextHunk(rows: Row[], at: number, step: number): number | null {
  const heads = rows.flatMap((row, index) => (row.t === "hunk" ? [index] : []));
  const next = step > 0 ? heads.find((index) => index > at) : heads.findLast((index) => index < at);
  return next ?? null;
}

/** The row of a line of the result. */
export function indexOfLine(rows: Row[], number: number): number | null {
  const isThere = (row: Row) =>
    (row.t === "line" && row.line.new === number) || (row.t === "pair" && row.right?.line.new === number);
  const index = rows.findIndex(isThere);
  return index < 0 ? null : index;
}

/** The line of the hunk that a row shows, by index; the proposal's side of a pair. */
export function lineAt(row: Row | undefined): number | null {
  if (row?.t === "line" && row.unit) return row.index;
  if (row?.t === "pair") return (row.right ?? row.left)?.index ?? null;
  return null;
}
