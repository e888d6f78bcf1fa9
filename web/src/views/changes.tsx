// Changes: the staged files at the left, the diff of one of them at the right.
import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { post } from "../api";
import { Diff, handle } from "../diff/diff";
import { Visible } from "../diff/text";
import { Chip, Chips } from "../parts/chips";
import { applicable, count } from "../parts/apply";
import { Dialog } from "../parts/dialog";
import { clock } from "../parts/time";
import { complain, decide, decideAll, isOutdated, open, refresh, say, update } from "../store";
import type { Known } from "../store";
import type { Change, ChangeSummary, FileDetail, FileSummary, Finding, Outcome } from "../wire";
import { ConflictView } from "./conflict";

export function ChangesView({ known, onApply }: { known: Known; onApply(): void }): JSX.Element {
  const { changes, change } = known;
  if (changes.length === 0 && !change) return <Nothing />;
  return (
    <div class="split-view">
      <FileList known={known} onApply={onApply} />
      {change ? <OneChange known={known} change={change} /> : <p class="quiet">Choose a file at the left.</p>}
    </div>
  );
}

function Nothing(): JSX.Element {
  return (
    <div class="empty-state">
      <h2>Nothing waits for you</h2>
      <p>When an agent proposes a change, it shows up here by itself. Nothing is written before you apply it.</p>
    </div>
  );
}

function FileList({ known, onApply }: { known: Known; onApply(): void }): JSX.Element {
  const accepted = applicable(known.changes).reduce((sum, change) => sum + change.tally.accepted, 0);
  const isSuggestOnly = known.state?.mode.suggest_only ?? false;
  return (
    <nav class="files" aria-label="Staged files">
      <div class="files-scroll" tabIndex={-1}>
        {known.changes.map((change) => (
          <ChangeGroup key={change.id} change={change} known={known} />
        ))}
      </div>
      <div class="apply-bar">
        <p class="buttons all">
          <button type="button" class="accept" onClick={() => void decideAll("accept")}>Accept all</button>
          <button type="button" class="reject" onClick={() => void decideAll("reject")}>Reject all</button>
          <button type="button" onClick={() => void decideAll("undecided")}>Undo all</button>
        </p>
        {isSuggestOnly ? (
          <p class="quiet">Suggest-only: changes can be looked at, not applied.</p>
        ) : (
          <button type="button" class="accept primary" disabled={accepted === 0} onClick={onApply}>
            {accepted === 0 ? "Accept hunks to apply them" : `Apply ${count(accepted, "accepted part")}…`}
          </button>
        )}
      </div>
    </nav>
  );
}

/** How many files of a proposal are drawn at once; the others follow when the browser is idle. */
const AT_ONCE = 60;

function useGrowing(total: number): number {
  const [count, setCount] = useState(AT_ONCE);
  useEffect(() => {
    if (count >= total) return;
    const id = requestIdleCallback(() => setCount(count * 4), { timeout: 200 });
    return () => cancelIdleCallback(id);
  }, [count, total]);
  return count;
}

interface GroupProps {
  change: ChangeSummary;
  known: Known;
}

function ChangeGroup({ change, known }: GroupProps): JSX.Element {
  const drawn = useGrowing(change.files.length);
  return (
    <section class="group" aria-label={`Proposal by ${change.agent}`}>
      <header>
        <b><Visible text={change.agent} /></b>
        <time dateTime={change.created}>{clock(change.created)}</time>
      </header>
      <div class="chips">
        <Chips guards={change.guards} />
        {change.suggest_only && <span class="chip warn">suggest-only</span>}
      </div>
      <ul>
        {change.files.slice(0, drawn).map((file) => (
          <li key={file.path}>
            <FileButton change={change} file={file} isCurrent={known.change?.summary.id === change.id && known.path === file.path} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function FileButton({ change, file, isCurrent }: { change: ChangeSummary; file: FileSummary; isCurrent: boolean }): JSX.Element {
  const { accepted, rejected, undecided } = file.tally;
  const state = undecided === accepted + rejected + undecided ? "to review" : undecided > 0 ? `${undecided} left` : "decided";
  const cut = file.path.lastIndexOf("/") + 1;
  return (
    <button
      type="button"
      class="file"
      aria-current={isCurrent ? "true" : undefined}
      onClick={() => void open(change.id, file.path).catch(complain)}
    >
      <span class="name"><span class="folder"><Visible text={file.path.slice(0, cut)} /></span><Visible text={file.path.slice(cut)} /></span>
      <span class="meta">
        {file.kind !== "edit" && <span class="kind">{file.kind}</span>}
        <span class="plus">+{file.added}</span> <span class="minus">−{file.removed}</span>
        <span class="left">{state}</span>
        {file.verdict !== "pass" && <Chip name="" word={file.verdict} />}
      </span>
    </button>
  );
}

function OneChange({ known, change }: { known: Known; change: Change }): JSX.Element {
  const [isSplit, setSplit] = useState(false);
  const at = Math.max(0, change.files.findIndex((file) => file.path === known.path));
  const file = change.files[at];
  const summary = change.summary.files[at];
  if (!file || !summary) return <p class="quiet">This change has no files left.</p>;
  const isGone = isOutdated(known);
  return (
    <section class="review" aria-label={`Review of ${file.path}`}>
      {isGone && <Replaced />}
      <FileHead change={change} file={file} summary={summary} isSplit={isSplit} onSplit={setSplit} canDecide={!isGone} />
      {change.findings.map((finding, index) => (
        <p key={index} class={`finding ${finding.severity}`}><b>{finding.guard}</b> <Visible text={finding.message} /></p>
      ))}
      {file.conflict && <ConflictView conflict={file.conflict} path={file.path} />}
      <Diff change={change} file={file} isSplit={isSplit} canDecide={!isGone} />
    </section>
  );
}

function Replaced(): JSX.Element {
  const next = () => {
    update({ change: null, path: null });
    void refresh().catch(complain);
  };
  return (
    <p class="banner">
      This change no longer waits: it was applied, turned down, or replaced by a newer proposal.
      <button type="button" onClick={next}>Show what waits now</button>
    </p>
  );
}

interface HeadProps {
  change: Change;
  file: FileDetail;
  summary: FileSummary;
  isSplit: boolean;
  onSplit(value: boolean): void;
  canDecide: boolean;
}

function FileHead({ change, file, summary, isSplit, onSplit, canDecide }: HeadProps): JSX.Element {
  const part = { of: "file" as const, path: file.path };
  const [isTurning, setTurning] = useState(false);
  return (
    <header class="file-head">
      {isTurning && <TurnDown change={change} onClose={() => setTurning(false)} />}
      <div class="title">
        <h2><Visible text={file.path} /></h2>
        {summary.requested && <p class="requested">asked for as <code><Visible text={summary.requested} /></code>, which leads to the file above</p>}
        <p class="chips">
          <Chips guards={change.summary.guards} all />
          {file.symbol && <span class="chip pass">symbol <Visible text={file.symbol} /></span>}
          {file.hidden > 0 && <span class="chip warn">{count(file.hidden, "hidden value")}</span>}
        </p>
        <Places findings={file.findings} />
      </div>
      <div class="buttons">
        {canDecide && (
          <>
            <button type="button" class="accept" onClick={() => void decide(part, "accept")}>Accept file</button>
            <button type="button" class="reject" onClick={() => void decide(part, "reject")}>Reject file</button>
            <button type="button" onClick={() => void decide(part, "undecided")}>Undo file</button>
            <button type="button" class="reject" onClick={() => setTurning(true)}>Turn all down…</button>
          </>
        )}
        <button type="button" aria-pressed={isSplit} onClick={() => onSplit(!isSplit)}>Side by side</button>
      </div>
    </header>
  );
}

/** Where the guards speak of a line: a way there. */
function Places({ findings }: { findings: Finding[] }): JSX.Element | null {
  const placed = findings.filter((finding) => finding.line !== null);
  if (placed.length === 0) return null;
  return (
    <p class="places">
      {placed.slice(0, 8).map((finding, index) => (
        <button key={index} type="button" class={`place ${finding.severity}`} onClick={() => handle.current?.line(finding.line ?? 1)}>
          {finding.severity} at line {finding.line}
        </button>
      ))}
      {placed.length > 8 && <small>and {placed.length - 8} more</small>}
    </p>
  );
}

function TurnDown({ change, onClose }: { change: Change; onClose(): void }): JSX.Element {
  const [text, setText] = useState("");
  const go = () => {
    onClose();
    void turnDown(change, text.trim());
  };
  return (
    <Dialog title="Turn this proposal down" onClose={onClose}>
      <p>Nothing of it is written, and the agent is told. It goes with {count(change.files.length, "file")}.</p>
      <label>
        Words for the agent, if you like
        <textarea class="wide" rows={3} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <div class="dialog-buttons">
        <button type="button" class="reject" onClick={go}>Turn it down</button>
        <button type="button" onClick={onClose}>Keep it</button>
      </div>
    </Dialog>
  );
}

async function turnDown(change: Change, comment: string): Promise<void> {
  try {
    const body = { version: change.summary.version, ...(comment ? { comment } : {}) };
    const outcome = await post<Outcome>(`/changes/${change.summary.id}/reject`, body);
    say(`Turned down. Receipt #${outcome.seq}. The agent is told.`, null, false, outcome.receipt_id);
    update({ change: null, path: null });
    await refresh();
  } catch (error) {
    complain(error);
  }
}
