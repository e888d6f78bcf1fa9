// A file that changed on disk since it was staged: what happened there, and what was proposed.
import type { JSX } from "preact";
import type { Conflict, Hunk } from "../wire";
import { LineText } from "../diff/text";

export function ConflictView({ conflict, path }: { conflict: Conflict; path: string }): JSX.Element {
  return (
    <section class="conflict" aria-label={`Conflict in ${path}`}>
      <p>
        <b>This file changed on disk after the proposal was made.</b> It will not be overwritten. Turn the proposal down
        and let the agent make it anew, or put the file right by hand.
      </p>
      <div class="three">
        <div>
          <h3>{conflict.is_gone ? "On disk now: the file is gone" : "Changed on disk since"}</h3>
          <Hunks hunks={conflict.changed_since} />
        </div>
        <div>
          <h3>Proposed against the old version</h3>
          <Hunks hunks={conflict.proposed} />
        </div>
      </div>
    </section>
  );
}

/** Hunks without decisions, drawn whole; for small diffs only. */
export function Hunks({ hunks }: { hunks: Hunk[] }): JSX.Element {
  if (hunks.length === 0) return <p class="quiet">No line differs.</p>;
  return (
    <div class="hunks">
      {hunks.slice(0, 50).map((hunk, index) => (
        <pre key={index} tabIndex={0}>
          {hunk.lines.slice(0, 400).map((line, at) => (
            <div key={at} class={`plain ${line.kind === "+" ? "added" : line.kind === "-" ? "removed" : "context"}`}>
              <span class="sign">{line.kind}</span>
              <LineText text={line.text} ranges={line.ranges} spans={line.spans} />
            </div>
          ))}
        </pre>
      ))}
    </div>
  );
}
