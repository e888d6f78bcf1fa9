// The diff of one file: a grid of virtual rows with a cursor that the keyboard moves.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import type { Change, FileDetail, PlainLine } from "../wire";
import { actionsOf } from "./actions";
import { indexOf, indexOfLine, lineAt, nextHunk, unitAt } from "./cursor";
import type { Actions } from "./row";
import { RowView, worstByLine } from "./row";
import type { Options, Row } from "./rows";
import { guess, isFixed, rowsOf } from "./rows";
import { show, useAnchor, useLearning, useViewport } from "./viewport";
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

/** Rows that are drawn beyond what is in view. */
const OVERSCAN = 12;

export function Diff({ change, file, isSplit, canDecide }: Props): JSX.Element {
  const id = change.summary.id;
  const scroller = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState(() => new Map<number, PlainLine>());
  const [writing, setWriting] = useState<Options["writing"]>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  useEffect(() => {
    setOpened(new Map());
    setWriting(null);
    setCursor(null);
    scroller.current?.scrollTo(0, 0);
  }, [id, file.path]);

  const rows = useMemo(() => rowsOf(file, { isSplit, opened, writing }), [file, isSplit, opened, writing]);
  const heights = useMemo(() => new Heights(), [id, file.path, isSplit]);
  heights.lay(rows, guess, isFixed);
  const view = useViewport(scroller);
  useAnchor(scroller, rows, heights);
  useLearning(scroller, heights);

  const worst = useMemo(() => worstByLine(file.findings), [file.findings]);
  const actions = useMemo(() => {
    const focus = () => scroller.current?.focus();
    return actionsOf({ id, file, opened, setOpened, setWriting, setCursor, focus });
  }, [id, file, opened]);
  const at = useMemo(() => indexOf(rows, cursor), [rows, cursor]);
  const go = (index: number | null, isCentred = false) => {
    const row = index === null ? undefined : rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (!row) return;
    setCursor(row.key);
    show(scroller, heights, rows.indexOf(row), isCentred);
  };
  handle.current = {
    move: (step) => go(at + step),
    hunk: (step) => go(nextHunk(rows, at, step)),
    centre: () => show(scroller, heights, at, true),
    line: (number) => go(indexOfLine(rows, number), true),
    ...(canDecide ? deciding(actions, rows, at, file, go) : { write: () => {}, choose: () => {} }),
  };
  useEffect(() => () => void (handle.current = null), []);

  const first = Math.max(0, heights.at(view.top) - OVERSCAN);
  const last = Math.min(rows.length, heights.at(view.top + view.height) + OVERSCAN + 1);
  return (
    <div
      class="diff"
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={`Changes of ${file.path}`}
      aria-rowcount={rows.length}
      aria-activedescendant={cursor === null ? undefined : `row-${cursor}`}
      onScroll={view.follow}
    >
      <div class="rows" role="presentation" style={{ height: `${heights.total}px` }}>
        {rows.slice(first, last).map((row, offset) => (
          <RowView
            key={row.key}
            row={row}
            index={first + offset}
            top={heights.top(first + offset)}
            isCurrent={row.key === cursor}
            canDecide={canDecide}
            worst={worst}
            missing={file.missing}
            actions={actions}
          />
        ))}
      </div>
    </div>
  );
}

function deciding(
  actions: Actions,
  rows: Row[],
  at: number,
  file: FileDetail,
  go: (index: number | null) => void,
): Pick<Handle, "write" | "choose"> {
  const unit = unitAt(rows, at, file);
  return {
    write: (what) => {
      if (!unit || (what === "edit" && !unit.hunk)) return;
      // Words are about the line under the cursor, where there is one.
      actions.write(unit, what, what === "comment" ? lineAt(rows[at]) : null);
    },
    choose: (choice) => {
      if (!unit) return;
      void actions.choose(unit, choice);
      // A decision leads on to the next hunk; taking one back stays.
      if (choice !== "undecided") go(nextHunk(rows, at, 1));
    },
  };
}
