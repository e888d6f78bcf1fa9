// A small chart of what the guards said: over time, and to each agent. The numbers stand beside it.
import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { get } from "../api";
import { Visible } from "../diff/text";
import { complain } from "../store";
import type { Chart, ChartRow, OutcomeCounts } from "../wire";

const WORDS: [keyof OutcomeCounts, string][] = [
  ["pass", "passed"],
  ["unchecked", "not checked"],
  ["warn", "warned"],
  ["confirm", "asked"],
  ["fail", "refused"],
];

export function GuardChart({ news }: { news: number }): JSX.Element | null {
  const [chart, setChart] = useState<Chart | null>(null);
  useEffect(() => void get<Chart>("/receipts/chart").then(setChart, complain), [news]);
  if (!chart || chart.proposals === 0) return null;
  return (
    <figure class="outcomes">
      <figcaption>
        What the guards said of {chart.proposals} {chart.proposals === 1 ? "proposal" : "proposals"}
        <span class="legend">{WORDS.map(([key, word]) => <span key={key} class={`key ${key}`}>{word}</span>)}</span>
      </figcaption>
      <Times rows={chart.times} />
      {chart.agents.map((row) => <AgentRow key={row.name} row={row} most={total(chart.agents[0]?.counts)} />)}
      <details>
        <summary>Numbers over time</summary>
        <Numbers rows={chart.times} />
      </details>
    </figure>
  );
}

function total(counts: OutcomeCounts | undefined): number {
  return counts ? WORDS.reduce((sum, [key]) => sum + counts[key], 0) : 0;
}

function inWords(counts: OutcomeCounts): string {
  return WORDS.filter(([key]) => counts[key] > 0).map(([key, word]) => `${counts[key]} ${word}`).join(", ");
}

/** A column for each stretch of time; the same numbers are in the table. */
function Times({ rows }: { rows: ChartRow[] }): JSX.Element {
  const most = Math.max(...rows.map((row) => total(row.counts)));
  return (
    <div class="columns" aria-hidden="true">
      {rows.map((row) => (
        <span key={row.name} class="column" title={`${row.name.replace("T", " ")}: ${inWords(row.counts)}`}>
          {WORDS.map(([key]) => (
            <span key={key} class={`piece ${key}`} style={{ height: `${(row.counts[key] / most) * 100}%` }} />
          ))}
        </span>
      ))}
    </div>
  );
}

function AgentRow({ row, most }: { row: ChartRow; most: number }): JSX.Element {
  return (
    <div class="bar-row">
      <span class="bar-name"><Visible text={row.name} /></span>
      <span class="bar" aria-hidden="true">
        {WORDS.map(([key]) => (
          <span key={key} class={`piece ${key}`} style={{ width: `${(row.counts[key] / most) * 100}%` }} />
        ))}
      </span>
      <span class="bar-words">{inWords(row.counts)}</span>
    </div>
  );
}

function Numbers({ rows }: { rows: ChartRow[] }): JSX.Element {
  return (
    <table>
      <thead><tr><th>Time (UTC)</th>{WORDS.map(([key, word]) => <th key={key}>{word}</th>)}</tr></thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <td>{row.name.replace("T", " ")}</td>
            {WORDS.map(([key]) => <td key={key}>{row.counts[key]}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
