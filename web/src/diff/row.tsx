// One row of a diff. Everything is text; nothing becomes markup.
import { Component } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren, JSX } from "preact";
import type { Finding, Line, Missing, Unit } from "../wire";
import type { Row, Side } from "./rows";
import { isFixed } from "./rows";
import { LineText, Prose, Visible } from "./text";

export interface Actions {
  choose(unit: Unit, choice: "accept" | "reject" | "undecided"): Promise<void>;
  line(unit: Unit, index: number): void;
  openFold(from: number, to: number): Promise<void>;
  write(unit: Unit, what: "comment" | "edit", line?: number | null): void;
  finish(unit: Unit, what: "comment" | "edit", text: string | null, line?: number | null): Promise<void>;
  point(key: string): void;
  fix(missing: Missing, name: string): Promise<void>;
}

interface Props {
  row: Row;
  index: number;
  top: number;
  isCurrent: boolean;
  canDecide: boolean;
  worst: Map<number, Severity>;
  missing: Missing[];
  actions: Actions;
}

type Severity = Finding["severity"];

/** A row is drawn again only when something of it is new: scrolling past it is not. */
export class RowView extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    return (Object.keys(next) as (keyof Props)[]).some((name) => next[name] !== this.props[name]);
  }

  override render(): JSX.Element {
    const { row, index, top, isCurrent, actions } = this.props;
    return (
      <div
        id={`row-${row.key}`}
        class={`row row-${row.t}${isCurrent ? " current" : ""}${stripe(row)}`}
        role="row"
        aria-rowindex={index + 1}
        style={{ transform: `translateY(${top}px)` }}
        data-measure={isFixed(row) ? undefined : index}
        onClick={() => actions.point(row.key)}
      >
        <Inside {...this.props} />
      </div>
    );
  }
}

function stripe(row: Row): string {
  const unit = "unit" in row ? row.unit : null;
  if (!unit) return "";
  const choice = unit.decision?.choice;
  return choice ? ` ${choice}ed` : " undecided";
}

function Inside(props: Props): JSX.Element {
  const { row, isCurrent, canDecide, worst, actions } = props;
  switch (row.t) {
    case "hunk":
      return <HunkHead {...props} row={row} />;
    case "line":
      return (
        <OneLine
          side={{ index: row.index, line: row.line }}
          unit={row.unit}
          canDecide={canDecide}
          worst={worst}
          actions={actions}
          isCurrent={isCurrent}
          isUnified
        />
      );
    case "pair": {
      const common = { unit: row.unit, canDecide, worst, actions };
      return (
        <>
          <OneLine side={row.left} column="old" isCurrent={isCurrent && row.left !== row.right} {...common} />
          <OneLine side={row.right} column="new" isCurrent={isCurrent} {...common} />
        </>
      );
    }
    case "finding":
      return (
        <FindingNote finding={row.finding} role="gridcell">
          {canDecide && <Fixes finding={row.finding} missing={props.missing} actions={actions} />}
        </FindingNote>
      );
    case "fold":
      return (
        <div role="gridcell" class="fold">
          <button type="button" onClick={() => void actions.openFold(row.from, row.to)}>
            Show {row.to - row.from + 1} unchanged {row.to === row.from ? "line" : "lines"}
          </button>
        </div>
      );
    case "words":
      return (
        <div role="gridcell" class="words">
          <b>Your words to the agent</b> <span><Prose text={row.text} /></span>
        </div>
      );
    case "write":
      return <Writing unit={row.unit} what={row.what} line={row.line} actions={actions} />;
  }
}

/** Names that exist, to be put in the place of one that does not. */
function Fixes(props: { finding: Finding; missing: Missing[]; actions: Actions }): JSX.Element | null {
  const { finding, missing, actions } = props;
  const found = missing.find((each) => each.line === finding.line && finding.message.includes(each.name));
  if (finding.guard !== "hallucination" || !found || found.suggestions.length === 0) return null;
  return (
    <div class="buttons fixes">
      {found.suggestions.slice(0, 3).map((name) => (
        <button key={name} type="button" onClick={() => void actions.fix(found, name)}>
          Use <code><Visible text={name} /></code>
        </button>
      ))}
    </div>
  );
}

function HunkHead({
  row,
  canDecide,
  actions,
}: Props & { row: Extract<Row, { t: "hunk" }> }): JSX.Element {
  const { unit, number, count } = row;
  const hunk = unit.hunk;
  const choice = unit.decision?.choice;
  const isPartial = choice === "accept" && unit.decision?.lines;
  const word = isPartial ? "partly accepted" : choice === "accept" ? "accepted" : choice === "reject" ? "rejected" : "undecided";
  const place = hunk ? `line ${hunk.after_start || hunk.before_start}` : "";
  return (
    <div role="gridcell" class="hunk-head">
      <span class="hunk-name">
        {hunk ? `Hunk ${number} of ${count}` : <Visible text={unit.label ?? ""} />}
        <small>{place}</small>
      </span>
      <span class={`word ${choice ?? "none"}`}>{word}</span>
      {canDecide && (
        <span class="buttons" role="group" aria-label={`Hunk ${number}`}>
          <button
            type="button"
            class="accept"
            aria-pressed={choice === "accept"}
            onClick={() => void actions.choose(unit, "accept")}
          >
            Accept
          </button>
          <button
            type="button"
            class="reject"
            aria-pressed={choice === "reject"}
            onClick={() => void actions.choose(unit, "reject")}
          >
            Reject
          </button>
          {choice && (
            <button type="button" onClick={() => void actions.choose(unit, "undecided")}>
              Undo
            </button>
          )}
          {hunk && (
            <button type="button" onClick={() => actions.write(unit, "edit")}>
              Edit
            </button>
          )}
          <button type="button" onClick={() => actions.write(unit, "comment")}>
            Comment
          </button>
        </span>
      )}
    </div>
  );
}

interface LineProps {
  side: Side | null;
  unit: Unit | null;
  canDecide: boolean;
  worst: Map<number, Severity>;
  actions: Actions;
  isCurrent: boolean;
  isUnified?: boolean;
  column?: "old" | "new";
}

function OneLine({ side, unit, canDecide, worst, actions, isCurrent, isUnified, column }: LineProps): JSX.Element {
  if (!side) return <div class="line empty" role="gridcell" aria-label="no line" />;
  const { line, index } = side;
  const kind = line.kind === "+" ? "added" : line.kind === "-" ? "removed" : "context";
  const decision = unit?.decision;
  const isTaken = decision?.choice === "accept" && (decision.lines?.includes(index) ?? true);
  const told = line.new && kind !== "removed" ? worst.get(line.new) : undefined;
  return (
    <div class={`line ${kind}${line.kind !== " " && isTaken ? " taken" : ""}`} role="gridcell">
      {(isUnified || column === "old") && <span class="number">{line.old ?? ""}</span>}
      {(isUnified || column === "new") && <span class="number">{line.new ?? ""}</span>}
      <Mark line={line} index={index} unit={unit} isTaken={isTaken} canDecide={canDecide} actions={actions} />
      <code class={told ? `told ${told}` : undefined}>
        <LineText text={line.text} ranges={line.ranges} spans={line.spans} />
        {line.no_newline && <span class="unseen" title="The file ends without a line feed">no line feed</span>}
      </code>
      {isCurrent && canDecide && unit && (
        <button type="button" class="on-line" onClick={() => actions.write(unit, "comment", index)}>
          Comment on line {line.new ?? line.old}
        </button>
      )}
    </div>
  );
}

function Mark(props: {
  line: Line;
  index: number;
  unit: Unit | null;
  isTaken: boolean;
  canDecide: boolean;
  actions: Actions;
}): JSX.Element {
  const { line, index, unit, isTaken, canDecide, actions } = props;
  if (line.kind === " " || !unit || !canDecide) return <span class="sign">{line.kind}</span>;
  const what = line.kind === "+" ? `added line ${line.new}` : `removed line ${line.old}`;
  return (
    <button
      type="button"
      class="sign"
      tabIndex={-1}
      aria-pressed={isTaken}
      aria-label={`Take ${what}`}
      title={isTaken ? "Leave this line out" : "Take this line only"}
      onClick={() => actions.line(unit, index)}
    >
      {line.kind}
    </button>
  );
}

const ORDER = ["note", "warn", "confirm", "refuse"];

/** The gravest word of the guards about each line. */
export function worstByLine(findings: Finding[]): Map<number, Severity> {
  const worst = new Map<number, Severity>();
  for (const { line, severity } of findings) {
    if (line === null) continue;
    const known = worst.get(line);
    if (!known || ORDER.indexOf(known) < ORDER.indexOf(severity)) worst.set(line, severity);
  }
  return worst;
}

const WORDS: Record<string, string> = {
  note: "Note",
  warn: "Warning",
  confirm: "Needs your confirmation",
  refuse: "Refused",
};

interface NoteProps {
  finding: Finding;
  /** Set inside a grid, where everything is a cell. */
  role?: "gridcell";
  children?: ComponentChildren;
}

export function FindingNote({ finding, role, children }: NoteProps): JSX.Element {
  const place = finding.line === null ? "" : `line ${finding.line}`;
  return (
    <div role={role} class={`finding ${finding.severity}`}>
      <div>
        <b>{WORDS[finding.severity] ?? finding.severity}</b> · {finding.guard} guard {place && `· ${place} `}
        <code class="code">{finding.code}</code>
      </div>
      <div><Prose text={finding.message} /></div>
      {finding.hint && <div class="hint"><Prose text={finding.hint} /></div>}
      {children}
    </div>
  );
}

function Writing({
  unit,
  what,
  line,
  actions,
}: {
  unit: Unit;
  what: "comment" | "edit";
  line: number | null;
  actions: Actions;
}): JSX.Element {
  const lines = unit.hunk?.lines ?? [];
  const kept = lines.filter((line) => line.kind !== "-").map((line) => `${line.text}\n`);
  const [text, setText] = useState(what === "edit" ? kept.join("") : "");
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const about = line === null ? undefined : lines[line];
  const place = about ? ` about line ${about.new ?? about.old}` : "";
  const label = what === "edit" ? "What this hunk should leave in the file" : `Words for the agent${place}`;
  const save = () => {
    // The box itself: what was typed last may not have been drawn yet.
    const now = box.current?.value ?? text;
    void actions.finish(unit, what, what === "edit" ? now : now.trim() || null, line);
  };
  return (
    <div role="gridcell" class="writing">
      <label>
        {label}
        <textarea
          ref={box}
          class={what}
          spellcheck={what === "comment"}
          rows={what === "edit" ? Math.min(14, kept.length + 1) : 3}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") void actions.finish(unit, what, null);
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
          }}
        />
      </label>
      <span class="buttons">
        <button type="button" class="accept" onClick={save}>
          {what === "edit" ? "Use my text" : unit.decision?.choice === "accept" ? "Keep these words with it" : "Reject with these words"}
        </button>
        <button type="button" onClick={() => void actions.finish(unit, what, null)}>
          Cancel
        </button>
        <small>Ctrl+Enter saves, Escape leaves</small>
      </span>
    </div>
  );
}
