// Receipts: a timeline, one receipt as a page, the chain verified in front of you, and undo.
import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { get, post } from "../api";
import { Visible } from "../diff/text";
import { ACTIONS, word } from "../parts/actions";
import { complain, update } from "../store";
import type { Known } from "../store";
import type { ReceiptDetail, ReceiptList, ReceiptSummary, VerifyResult } from "../wire";
import { GuardChart } from "./chart";
import { ReceiptPage } from "./receipt";

export function ReceiptsView({ known }: { known: Known }): JSX.Element {
  const [action, setAction] = useState("");
  const [text, setText] = useState("");
  const [agent, setAgent] = useState("");
  const [list, setList] = useState<ReceiptList | null>(null);
  const [shown, setShown] = useState<ReceiptDetail | null>(null);

  const load = async (before: number | null) => {
    const query = new URLSearchParams({ action, text, agent, limit: "100" });
    if (before !== null) query.set("before", `${before}`);
    const page = await get<ReceiptList>(`/receipts?${query}`);
    const earlier = before === null ? [] : (list?.receipts ?? []);
    setList({ ...page, receipts: [...earlier, ...page.receipts] });
  };
  useEffect(() => {
    const timer = setTimeout(() => void load(null).catch(complain), 150);
    return () => clearTimeout(timer);
  }, [action, text, agent, known.news]);

  const show = (id: string) => void get<ReceiptDetail>(`/receipts/${id}`).then(setShown, complain);
  useEffect(() => {
    if (known.wanted === null) return;
    show(known.wanted);
    update({ wanted: null });
  }, [known.wanted]);
  const oldest = list?.receipts.at(-1)?.seq;
  return (
    <div class="split-view">
      <nav class="files" aria-label="Receipts">
        <div class="filters">
          <label>Search <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
          <label>Agent <input value={agent} onInput={(event) => setAgent(event.currentTarget.value)} /></label>
          <label>
            Kind
            <select value={action} onChange={(event) => setAction(event.currentTarget.value)}>
              <option value="">all</option>
              {ACTIONS.map(([each, name]) => <option key={each} value={each}>{name}</option>)}
            </select>
          </label>
        </div>
        <div class="files-scroll">
          {list === null && <p class="quiet">Loading…</p>}
          {list?.receipts.length === 0 && <p class="quiet">No receipt fits.</p>}
          <ol class="timeline">
            {list?.receipts.map((receipt) => (
              <li key={receipt.receipt_id}>
                <ReceiptButton receipt={receipt} isCurrent={shown?.summary.receipt_id === receipt.receipt_id} onShow={show} />
              </li>
            ))}
          </ol>
          {oldest !== undefined && oldest > 0 && (list?.receipts.length ?? 0) >= 100 && (
            <button type="button" class="more-button" onClick={() => void load(oldest).catch(complain)}>Earlier ones</button>
          )}
        </div>
      </nav>
      <section class="review receipts">
        <Chain total={list?.total ?? 0} />
        <GuardChart news={known.news} />
        {shown ? (
          <ReceiptPage key={shown.summary.receipt_id} detail={shown} onShow={show} />
        ) : (
          <p class="quiet">Choose a receipt at the left. Every proposal, refusal, decision and undo has one.</p>
        )}
      </section>
    </div>
  );
}

function ReceiptButton(props: { receipt: ReceiptSummary; isCurrent: boolean; onShow(id: string): void }): JSX.Element {
  const { receipt, isCurrent, onShow } = props;
  const time = new Date(receipt.timestamp);
  return (
    <button type="button" class="file" aria-current={isCurrent ? "true" : undefined} onClick={() => onShow(receipt.receipt_id)}>
      <span class="name">
        <span class={`action ${receipt.action}`}>{word(receipt)}</span> <Visible text={receipt.paths.join(", ") || (receipt.note ?? "")} />
      </span>
      <span class="meta">
        <span>#{receipt.seq}</span> <time dateTime={receipt.timestamp}>{time.toLocaleString()}</time>
        <span><Visible text={receipt.agent} /> · {receipt.door}</span>
      </span>
    </button>
  );
}

function Chain({ total }: { total: number }): JSX.Element {
  const [result, setResult] = useState<VerifyResult | null>(null);
  const [isBusy, setBusy] = useState(false);
  const verify = async () => {
    setBusy(true);
    try {
      setResult(await post<VerifyResult>("/receipts/verify"));
    } catch (error) {
      complain(error);
    }
    setBusy(false);
  };
  return (
    <div class="chain">
      <p>
        <b>{total} receipts</b> in one signed chain.
        <button type="button" disabled={isBusy} onClick={() => void verify()}>{isBusy ? "Verifying…" : "Verify"}</button>
        <a class="button" href="/api/receipts/export" download>Export</a>
      </p>
      <div role="status">{result && <Verified result={result} />}</div>
    </div>
  );
}

function Verified({ result }: { result: VerifyResult }): JSX.Element {
  const words =
    result.verdict === "ok"
      ? `✓ All ${result.receipts} receipts are as they were written, and none is missing.`
      : result.verdict === "bad"
        ? `✕ Something was changed${result.bad_seq === null ? "" : `, first at receipt #${result.bad_seq}`}: ${result.reason ?? ""}`
        : `? Nothing is wrong with what is there, but: ${result.reason ?? ""}`;
  return (
    <>
      <p class={`verified ${result.verdict}`}>{words} <small>{result.milliseconds} ms</small></p>
      <p class="hash">root {result.root}</p>
    </>
  );
}
