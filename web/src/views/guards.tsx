// Guards and settings: the mode, a box to try the rules, and the rules in force.
import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { get, post } from "../api";
import { FindingNote } from "../diff/row";
import { Visible } from "../diff/text";
import { Allowed } from "../parts/allowed";
import { complain, refresh, say } from "../store";
import type { Known } from "../store";
import type { Mode, RuleList, RuleRow, Tried } from "../wire";

const MODES: [string, string][] = [
  ["manual", "Agents may read, search and check. They may not propose."],
  ["hybrid", "Every proposal waits here for you. Nothing is written before you apply it."],
  ["autonomous", "A proposal that every guard passes is written at once. What warns or asks waits for you."],
];

export function GuardsView({ known }: { known: Known }): JSX.Element {
  const [rules, setRules] = useState<RuleList | null>(null);
  useEffect(() => void get<RuleList>("/rules").then(setRules, complain), []);
  return (
    <div class="page" role="region" aria-label="Guards and settings" tabIndex={0}>
      {known.state && <ModeForm mode={known.state.mode} />}
      <TryBox />
      {rules && <Allowed paths={rules.allow_paths} onChange={(paths) => setRules({ ...rules, allow_paths: paths })} />}
      {rules === null ? <p class="quiet">Loading the rules…</p> : <Rules rules={rules} />}
    </div>
  );
}

function ModeForm({ mode: stands }: { mode: Mode }): JSX.Element {
  // What was asked for shows at once; what happens elsewhere meanwhile does not take it back.
  const [asked, setAsked] = useState<Pick<Mode, "mode" | "suggest_only"> | null>(null);
  const mode = { ...stands, ...asked };
  const set = async (name: string, suggestOnly: boolean) => {
    const wish = { mode: name, suggest_only: suggestOnly };
    setAsked(wish);
    try {
      const now = await post<Mode>("/mode", wish);
      say(`The mode is ${now.mode}${now.suggest_only ? ", suggest-only" : ""}.`);
      await refresh();
    } catch (error) {
      complain(error);
    }
    // A later wish is still on its way.
    setAsked((current) => (current === wish ? null : current));
  };
  const isTooLax = (name: string) =>
    MODES.findIndex(([each]) => each === name) > MODES.findIndex(([each]) => each === mode.laxest);
  return (
    <fieldset class="mode">
      <legend>How much may happen without you</legend>
      {MODES.map(([name, words]) => (
        <label key={name} class="check">
          <input
            type="radio"
            name="mode"
            checked={mode.mode === name}
            disabled={isTooLax(name)}
            onChange={() => void set(name, mode.suggest_only)}
          />
          <span><b>{name}</b> {words}{isTooLax(name) && " The configuration does not allow it."}</span>
        </label>
      ))}
      <label class="check">
        <input
          type="checkbox"
          checked={mode.suggest_only}
          disabled={mode.must_suggest_only}
          onChange={(event) => void set(mode.mode, event.currentTarget.checked)}
        />
        <span><b>suggest-only</b> Proposals can be looked at, and nothing can be applied.</span>
      </label>
      <p class="quiet">The guards stay on in every mode. Only a person, here or in a terminal, can change this.</p>
    </fieldset>
  );
}

function TryBox(): JSX.Element {
  const [path, setPath] = useState("");
  const [text, setText] = useState("");
  const [tried, setTried] = useState<Tried | null>(null);
  const run = async () => {
    try {
      setTried(await post<Tried>("/rules/try", { path: path || null, text: text || null }));
    } catch (error) {
      complain(error);
    }
  };
  return (
    <section class="try" aria-labelledby="try-title">
      <h2 id="try-title">Try the rules</h2>
      <p>Nothing is written or recorded.</p>
      <label>Path <input value={path} placeholder="src/main.rs" onInput={(event) => setPath(event.currentTarget.value)} /></label>
      <label>Text <textarea rows={4} value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
      <button type="button" onClick={() => void run()}>Try</button>
      <div role="status">{tried && <Result tried={tried} />}</div>
    </section>
  );
}

function Result({ tried }: { tried: Tried }): JSX.Element {
  const hidden = Object.entries(tried.hidden).map(([kind, number]) => `${number} ${kind}`).join(", ");
  return (
    <div class="tried">
      {tried.verdict && <p>Writing it: <b>{tried.verdict}</b>{tried.resolved && <> at <code><Visible text={tried.resolved} /></code></>}</p>}
      {tried.findings.map((finding, index) => <FindingNote key={index} finding={finding} />)}
      {tried.shown !== null && (
        <>
          <p>Sent out, it reads {hidden === "" ? "as it stands" : `with ${hidden} hidden`}:</p>
          <pre tabIndex={0}><Visible text={tried.shown} /></pre>
        </>
      )}
    </div>
  );
}

function Rules({ rules }: { rules: RuleList }): JSX.Element {
  const [wanted, setWanted] = useState("");
  const word = wanted.toLowerCase();
  const fits = (rule: RuleRow) => `${rule.code} ${rule.group} ${rule.reason} ${rule.guard}`.toLowerCase().includes(word);
  const found = rules.rules.filter(fits);
  const lists: [string, string[]][] = [
    ["Paths that the configuration refuses", rules.blocked_paths],
    ["Content that the configuration refuses", rules.blocked_patterns],
  ];
  return (
    <section>
      <h2>Rules in force</h2>
      {lists.map(([title, items]) => (
        <p key={title}>{title}: {items.length === 0 ? "none" : items.map((item) => <code key={item}><Visible text={item} /> </code>)}</p>
      ))}
      <label>Find a rule <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} /></label>
      <p class="quiet" role="status">{found.length} of {rules.rules.length} rules{found.length > 150 ? ", the first 150 shown" : ""}</p>
      <div class="table" tabIndex={0} role="region" aria-label="Rules">
        <table>
          <thead><tr><th>Rule</th><th>Guard</th><th>Does</th><th>Why</th><th>Source</th></tr></thead>
          <tbody>
            {found.slice(0, 150).map((rule) => (
              <tr key={rule.code}>
                <td><code>{rule.code}</code></td>
                <td>{rule.guard}</td>
                <td>{rule.effect}</td>
                <td>
                  <Visible text={rule.reason} />
                  {rule.examples.length > 0 && <div class="quiet">for example {rule.examples.slice(0, 2).map((each) => <code key={each}><Visible text={each} /> </code>)}</div>}
                </td>
                <td>{rule.source}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
