// The page: signs in, reads the state, listens, and shows one of four views.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { ApiError, signIn } from "./api";
import { Visible } from "./diff/text";
import { listen } from "./events";
import { listenToKeys } from "./keys";
import { ApplyDialog, applicable } from "./parts/apply";
import { Help } from "./parts/help";
import { complain, current, refresh, update, useKnown } from "./store";
import type { Known, View } from "./store";
import { ActivityView } from "./views/activity";
import { ChangesView } from "./views/changes";
import { GuardsView } from "./views/guards";
import { ReceiptsView } from "./views/receipts";
import "./style.css";

const VIEWS: [View, string][] = [
  ["changes", "Changes"],
  ["receipts", "Receipts"],
  ["activity", "Activity"],
  ["guards", "Guards"],
];

function App(): JSX.Element {
  const known = useKnown();
  const [dialog, setDialog] = useState<"apply" | "help" | null>(null);
  const apply = () => {
    const { changes, state } = current();
    const hasAccepted = applicable(changes).length > 0;
    if (hasAccepted && !state?.mode.suggest_only) setDialog("apply");
  };
  useEffect(() => listenToKeys({ apply, help: () => setDialog("help") }), []);
  if (known.phase === "loading") return <p class="empty-state">Loading…</p>;
  if (known.phase !== "ready") return <SignedOut problem={known.problem} />;
  return (
    <>
      <Top known={known} onHelp={() => setDialog("help")} />
      <main>
        {known.view === "changes" && <ChangesView known={known} onApply={apply} />}
        {known.view === "receipts" && <ReceiptsView known={known} />}
        {known.view === "activity" && <ActivityView known={known} />}
        {known.view === "guards" && <GuardsView known={known} />}
      </main>
      <div class="live" role="status" aria-live="polite">
        {known.toast && (
          <div class={`toast${known.toast.isBad ? " bad" : ""}`}>
            <span><Visible text={known.toast.text} /></span>
            {known.toast.hint && <small><Visible text={known.toast.hint} /></small>}
            {known.toast.receipt && <ShowReceipt id={known.toast.receipt} />}
            <button type="button" aria-label="Dismiss" onClick={() => update({ toast: null })}>×</button>
          </div>
        )}
        <span class="for-readers">{known.activity[0]?.text ?? ""}</span>
      </div>
      {dialog === "apply" && <ApplyDialog changes={known.changes} onClose={() => setDialog(null)} />}
      {dialog === "help" && <Help onClose={() => setDialog(null)} />}
    </>
  );
}

function ShowReceipt({ id }: { id: string }): JSX.Element {
  return (
    <button type="button" class="show" onClick={() => update({ view: "receipts", wanted: id, toast: null })}>
      Show receipt
    </button>
  );
}

function Top({ known, onHelp }: { known: Known; onHelp(): void }): JSX.Element {
  const state = known.state;
  const waiting = state?.open_files ?? 0;
  return (
    <header class="top">
      <h1><Visible text={state?.workspace ?? ""} /></h1>
      <nav aria-label="Views">
        {VIEWS.map(([view, name]) => (
          <button
            key={view}
            type="button"
            aria-current={known.view === view ? "page" : undefined}
            onClick={() => update({ view })}
          >
            {name}
            {view === "changes" && waiting > 0 && <span class="badge">{waiting}</span>}
          </button>
        ))}
      </nav>
      <span class="mode-word">{state?.mode.mode}{state?.mode.suggest_only && ", suggest-only"}</span>
      <span class={`line-state ${known.isLive ? "live-on" : "live-off"}`}>{known.isLive ? "live" : "not connected"}</span>
      <button type="button" class="help" onClick={onHelp} aria-label="Keys">?</button>
    </header>
  );
}

function SignedOut({ problem }: { problem: ApiError | null }): JSX.Element {
  return (
    <main class="empty-state">
      <h1>{problem?.status === 0 ? "The server does not answer" : "This page is not signed in"}</h1>
      <p>{problem?.message}</p>
      <p>{problem?.hint}</p>
    </main>
  );
}

async function start(): Promise<void> {
  try {
    await signIn();
    await refresh();
    listen();
  } catch (error) {
    if (error instanceof ApiError) update({ phase: error.status === 401 ? "signed-out" : "broken", problem: error });
    else complain(error);
  }
}

const place = document.getElementById("app");
if (place) render(<App />, place);
void start();
