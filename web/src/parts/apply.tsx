// Apply: says what it will do, asks for what must be confirmed, and tells what became of it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX, RefObject } from "preact";
import { ApiError, get, post } from "../api";
import { Prose, Visible } from "../diff/text";
import { complain, refresh, say, update } from "../store";
import type { Change, ChangeSummary, Finding, Outcome } from "../wire";
import { Dialog } from "./dialog";

/** A click that comes this soon was meant for what stood there before. */
const SETTLE = 500;

export function ApplyDialog({
  changes,
  onClose,
}: {
  changes: ChangeSummary[];
  onClose(): void;
}): JSX.Element {
  const [plans, setPlans] = useState<Change[] | null>(null);
  const [isConfirmed, setConfirmed] = useState(false);
  /** The plans that were on screen long enough to be read before a click counts. */
  const [settled, setSettled] = useState<Change[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const ids = applicable(changes).map((change) => change.id);
    Promise.all(ids.map((id) => get<Change>(`/changes/${id}`))).then(setPlans, (error) => {
      complain(error);
      onClose();
    });
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(plans), SETTLE);
    // What asks is looked at first; where nothing asks, a second Enter applies.
    (box.current ?? button.current)?.focus();
    return () => clearTimeout(timer);
  }, [plans]);

  const asks = (plans ?? []).flatMap(confirmations);
  const mayApply = plans !== null && plans.length > 0 && settled === plans && !isBusy && (asks.length === 0 || isConfirmed);

  const apply = async () => {
    if (!mayApply || !plans) return;
    setBusy(true);
    const done: Outcome[] = [];
    let failure: unknown = null;
    try {
      for (const plan of plans) {
        const confirm = confirmations(plan).length > 0;
        const body = { version: plan.summary.version, confirm };
        done.push(await post<Outcome>(`/changes/${plan.summary.id}/apply`, body));
      }
    } catch (error) {
      failure = error;
    }
    onClose();
    const files = new Set(done.flatMap((outcome) => outcome.files)).size;
    const receipts = done.map((outcome) => `#${outcome.seq}`).join(", ");
    const written = `Written: ${count(files, "file")}. Receipt ${receipts}.`;
    if (done.length > 0) update({ change: null, path: null });
    if (failure instanceof ApiError && done.length > 0) say(`${failure.message} ${written}`, failure.hint, true);
    else if (failure !== null) complain(failure);
    else say(written, null, false, done.at(-1)?.receipt_id);
    await refresh().catch(complain);
  };

  return (
    <Dialog title="Apply what you accepted" onClose={onClose}>
      {plans === null ? <p>Looking at it once more…</p> : <Plan plans={plans} />}
      {asks.length > 0 && <Confirm asks={asks} isConfirmed={isConfirmed} box={box} onChange={setConfirmed} />}
      <div class="dialog-buttons">
        <button ref={button} type="button" class="accept primary" disabled={isBusy} aria-disabled={!mayApply} onClick={() => void apply()}>
          {isBusy ? "Writing…" : "Apply"}
        </button>
        <button type="button" onClick={onClose}>Not yet</button>
        <small>Enter applies, Escape goes back</small>
      </div>
    </Dialog>
  );
}

/** The changes of which something can be written. */
export function applicable(changes: ChangeSummary[]): ChangeSummary[] {
  return changes.filter((change) => change.tally.accepted > 0 && !change.suggest_only);
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function confirmations(change: Change): Finding[] {
  const accepted = new Set(
    change.summary.files.filter((file) => file.tally.accepted > 0).map((file) => file.path),
  );
  return change.files
    .filter((file) => accepted.has(file.path))
    .flatMap((file) => file.findings)
    .filter((finding) => finding.severity === "confirm");
}

function Plan({ plans }: { plans: Change[] }): JSX.Element {
  const files = plans.flatMap((plan) => plan.summary.files.filter((file) => file.tally.accepted > 0));
  const left = plans.reduce((sum, plan) => sum + plan.summary.tally.undecided, 0);
  const rejected = plans.reduce((sum, plan) => sum + plan.summary.tally.rejected, 0);
  const parts = files.reduce((sum, file) => sum + file.tally.accepted, 0);
  return (
    <>
      <p>
        This writes {count(parts, "accepted part")} in {count(files.length, "file")}
        {rejected > 0 && `, leaves out ${rejected} rejected`}
        {left > 0 && `, and keeps ${left} undecided for later`}.
      </p>
      <ul class="plan">
        {files.map((file) => (
          <li key={file.path}>
            <code><Visible text={file.path} /></code>
            {file.requested && <small> asked for as <code><Visible text={file.requested} /></code></small>}
            <span> {count(file.tally.accepted, "part")}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Confirm({
  asks,
  isConfirmed,
  box,
  onChange,
}: {
  asks: Finding[];
  isConfirmed: boolean;
  box: RefObject<HTMLInputElement | null>;
  onChange(value: boolean): void;
}): JSX.Element {
  return (
    <div class="asks">
      <p><b>The guards ask about {count(asks.length, "thing")}:</b></p>
      <ul>
        {asks.map((finding, index) => (
          <li key={index}>
            <code><Visible text={finding.path} /></code> <Prose text={finding.message} />
          </li>
        ))}
      </ul>
      <label class="check">
        <input ref={box} type="checkbox" checked={isConfirmed} onChange={(event) => onChange(event.currentTarget.checked)} />
        I have looked at these and confirm them
      </label>
    </div>
  );
}
