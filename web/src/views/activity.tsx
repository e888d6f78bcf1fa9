// Activity: what came through the doors, what was refused and why, what changed unguarded.
import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { get } from "../api";
import { Prose, Visible } from "../diff/text";
import { word } from "../parts/actions";
import { moment } from "../parts/time";
import { complain } from "../store";
import type { Known } from "../store";
import type { Event, ReceiptList, ReceiptSummary } from "../wire";

export function ActivityView({ known }: { known: Known }): JSX.Element {
  const [list, setList] = useState<ReceiptSummary[] | null>(null);
  useEffect(() => {
    get<ReceiptList>("/receipts?limit=200").then((page) => setList(page.receipts), complain);
  }, [known.news]);
  if (list === null) return <p class="quiet">Loading…</p>;
  const counts = new Map<string, { action: string; number: number }>();
  for (const receipt of list) {
    const number = (counts.get(word(receipt))?.number ?? 0) + 1;
    counts.set(word(receipt), { action: receipt.action, number });
  }
  const hidden = new Map<string, number>();
  for (const [kind, number] of list.flatMap((receipt) => Object.entries(receipt.redactions))) {
    hidden.set(kind, (hidden.get(kind) ?? 0) + number);
  }
  const loud = list.filter((receipt) => receipt.action === "refuse" || receipt.action === "unguarded");
  return (
    <div class="page" role="region" aria-label="Activity" tabIndex={0}>
      <p class="counts">
        {[...counts].map(([name, { action, number }]) => (
          <span key={name} class={`action ${action}`}>{number} {name}</span>
        ))}
      </p>
      {hidden.size > 0 && (
        <p class="counts">
          Hidden on the way out: {[...hidden].map(([kind, number]) => <span key={kind} class="action">{number} {kind}</span>)}
        </p>
      )}
      <Frames frames={known.activity} />
      <h2>Refused and unguarded</h2>
      {loud.length === 0 ? <p class="quiet">Nothing was refused, and nothing changed behind the guards' back.</p> : <Rows list={loud} />}
      <h2>Everything, newest first</h2>
      {list.length === 0 ? <p class="quiet">No agent has done anything yet.</p> : <Rows list={list} />}
    </div>
  );
}

/** What came over the line since this page was opened, newest first. */
function Frames({ frames }: { frames: Event[] }): JSX.Element {
  const counts = new Map<string, number>();
  for (const frame of frames) counts.set(frame.kind, (counts.get(frame.kind) ?? 0) + 1);
  return (
    <section>
      <h2>As it comes</h2>
      {frames.length === 0 && <p class="quiet">Nothing has come since you opened this page.</p>}
      <p class="counts">
        {[...counts].map(([kind, number]) => <span key={kind} class="action">{number} {kind}</span>)}
      </p>
      <ol class="activity frames">
        {frames.slice(0, 12).map((frame, index) => (
          <li key={frames.length - index}>
            <time>{frame.timestamp ? new Date(frame.timestamp).toLocaleTimeString() : ""}</time>
            <span class="action">{frame.kind}</span>
            <span>{frame.agent && <b><Visible text={frame.agent} /> </b>}<Prose text={frame.text} /></span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Rows({ list }: { list: ReceiptSummary[] }): JSX.Element {
  return (
    <ol class="activity">
      {list.map((receipt) => (
        <li key={receipt.receipt_id}>
          <time dateTime={receipt.timestamp}>{moment(receipt.timestamp)}</time>
          <span class={`action ${receipt.action}`}>{word(receipt)}</span>
          <span>
            <b><Visible text={receipt.agent} /></b> <code><Visible text={receipt.paths.join(", ")} /></code>
            {receipt.action === "refuse" && receipt.reason && <span class="reason"><Prose text={receipt.reason} /></span>}
            {receipt.note && receipt.action !== "stage" && <span class="reason"><Prose text={receipt.note} /></span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
