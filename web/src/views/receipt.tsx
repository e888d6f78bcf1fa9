// One receipt as a readable page, and taking it back.
import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { get, post } from "../api";
import { FindingNote } from "../diff/row";
import { Prose, Visible } from "../diff/text";
import { word } from "../parts/actions";
import { Chips } from "../parts/chips";
import { Dialog } from "../parts/dialog";
import { complain, say } from "../store";
import type { Outcome, Proof, ReceiptDetail, UndoPreview } from "../wire";
import { Hunks } from "./conflict";

export function ReceiptPage({ detail, onShow }: { detail: ReceiptDetail; onShow(id: string): void }): JSX.Element {
  const { summary } = detail;
  const [preview, setPreview] = useState<UndoPreview | null>(null);
  const [proof, setProof] = useState<Proof | null>(null);
  const base = `/receipts/${summary.receipt_id}`;
  return (
    <article class="receipt">
      <header class="file-head">
        <h2>Receipt #{summary.seq}: {word(summary)}</h2>
        <div class="buttons">
          {detail.can_undo && (
            <button type="button" onClick={() => void get<UndoPreview>(`${base}/undo`).then(setPreview, complain)}>Undo…</button>
          )}
          <button type="button" onClick={() => void get<Proof>(`${base}/prove`).then(setProof, complain)}>Prove</button>
        </div>
      </header>
      <p class="chips"><Chips guards={summary.guards} all /></p>
      {summary.note && <p><Prose text={summary.note} /></p>}
      {proof && (
        <p role="status" class={`verified ${proof.holds ? "ok" : "bad"}`}>
          {proof.holds ? "✓ In the signed tree" : "✕ Not in the signed tree"}: {proof.path.length} hashes lead from this receipt to the
          root of {proof.size}. <span class="hash">{proof.root}</span>
        </p>
      )}
      <Facts detail={detail} onShow={onShow} />
      {detail.findings.map((finding, index) => <FindingNote key={index} finding={finding} />)}
      {detail.diffs.map((diff) => (
        <section key={diff.path}>
          <h3><Visible text={diff.path} /></h3>
          {diff.hunks.map((hunk, index) => <UnifiedText key={index} text={hunk} />)}
        </section>
      ))}
      {preview && (
        <UndoDialog preview={preview} id={summary.receipt_id} onClose={() => setPreview(null)} />
      )}
    </article>
  );
}

function Facts({ detail, onShow }: { detail: ReceiptDetail; onShow(id: string): void }): JSX.Element {
  const { summary, refers_to: refers } = detail;
  const hidden = Object.entries(summary.redactions).map(([kind, number]) => `${number} ${kind}`).join(", ");
  return (
    <dl class="facts">
      <dt>When</dt><dd>{new Date(summary.timestamp).toLocaleString()}</dd>
      <dt>Agent</dt><dd><Visible text={`${summary.agent} ${detail.agent_version}`} /> through {summary.door}</dd>
      <dt>Run</dt><dd><code><Visible text={detail.run_id} /></code></dd>
      <dt>Mode</dt><dd>{detail.autonomy}</dd>
      <dt>Written</dt><dd>{summary.applied ? "yes" : "no"}</dd>
      <dt>Decided by</dt><dd>{summary.reviewer ? <Visible text={summary.reviewer} /> : summary.action === "stage" ? "nobody yet" : "nobody had to"}</dd>
      {refers && <><dt>Answers</dt><dd><button type="button" class="link" onClick={() => onShow(refers)}>{refers}</button></dd></>}
      {hidden && <><dt>Hidden</dt><dd>{hidden}</dd></>}
      {detail.files.map((file) => (
        <>
          <dt>File</dt>
          <dd>
            <code><Visible text={file.path} /></code>
            {file.requested && <> asked for as <code><Visible text={file.requested} /></code></>}
            <div class="hash">before {file.before_hash ?? "no file"}</div>
            <div class="hash">after {file.after_hash ?? "no file"}</div>
          </dd>
        </>
      ))}
      <dt>Hash</dt><dd class="hash">{detail.self_hash}</dd>
      <dt>Before it</dt><dd class="hash">{detail.prev_receipt_hash ?? "the first receipt"}</dd>
    </dl>
  );
}

function UnifiedText({ text }: { text: string }): JSX.Element {
  return (
    <pre class="unified" tabIndex={0}>
      {text.split("\n").slice(0, 800).map((line, index) => {
        const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : line.startsWith("@") ? "place" : "context";
        return <div key={index} class={`plain ${kind}`}><Visible text={line} /></div>;
      })}
    </pre>
  );
}

function UndoDialog({ preview, id, onClose }: { preview: UndoPreview; id: string; onClose(): void }): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const isStopped = preview.conflicts.length > 0;
  const undo = async () => {
    setBusy(true);
    try {
      const outcome = await post<Outcome>(`/receipts/${id}/rollback`);
      say(`Taken back. Receipt #${outcome.seq}.`, null, false, outcome.receipt_id);
    } catch (error) {
      complain(error);
    }
    onClose();
  };
  return (
    <Dialog title="Take this back" onClose={onClose}>
      {isStopped ? (
        <p class="banner">
          These files were changed since, so undo would overwrite that: {preview.conflicts.map((path) => <code key={path}><Visible text={path} /> </code>)}
        </p>
      ) : (
        <p>This will be written:</p>
      )}
      <div class="undo-diff">
        {preview.files.map((file) => (
          <section key={file.path}>
            <h3><Visible text={file.path} />{file.after_hash === null && " goes away"}</h3>
            <Hunks hunks={file.units.flatMap((unit) => (unit.hunk ? [unit.hunk] : []))} />
          </section>
        ))}
      </div>
      <div class="dialog-buttons">
        {!isStopped && <button type="button" class="accept primary" disabled={isBusy} onClick={() => void undo()}>Take it back</button>}
        <button type="button" onClick={onClose}>Leave it</button>
      </div>
    </Dialog>
  );
}
