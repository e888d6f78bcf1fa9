// The keys, on one sheet.
import type { JSX } from "preact";
import { Dialog } from "./dialog";

const KEYS: [string, string][] = [
  ["j  k", "next and previous line"],
  ["n  p", "next and previous hunk"],
  ["]  [", "next and previous file"],
  ["a  r", "accept or reject this hunk"],
  ["A  R", "accept or reject the whole file"],
  ["u", "take the decision on this hunk back"],
  ["e", "edit this hunk before it is written"],
  ["c", "words for the agent about this line or hunk; turns it down"],
  [".", "put the current line in the middle"],
  ["Enter", "look at what Apply will do; Enter again applies"],
  ["1 2 3 4", "Changes, Receipts, Activity, Guards"],
  ["?", "this sheet"],
];

export function Help({ onClose }: { onClose(): void }): JSX.Element {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt><kbd>{key}</kbd></dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p>Nothing is written before Apply. A hunk that you did not decide on is not accepted.</p>
      <div class="dialog-buttons">
        <button type="button" onClick={onClose}>Close</button>
      </div>
    </Dialog>
  );
}
