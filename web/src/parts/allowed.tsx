// The paths of this workspace that need no confirmation: listed, added and removed by the person.
import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { get, post } from "../api";
import { Visible } from "../diff/text";
import { complain, say } from "../store";
import type { AllowList, RuleList } from "../wire";

interface Props {
  paths: string[];
  onChange(paths: string[]): void;
}

export function Allowed({ paths, onChange }: Props): JSX.Element {
  const [text, setText] = useState("");
  const set = async (next: string[], words: string) => {
    try {
      const list = await post<AllowList>("/rules/allow", { seen: paths, paths: next });
      onChange(list.allow_paths);
      setText("");
      say(words);
    } catch (error) {
      complain(error);
      await get<RuleList>("/rules").then((rules) => onChange(rules.allow_paths), complain);
    }
  };
  const add = (event: Event) => {
    event.preventDefault();
    const path = text.trim();
    if (path !== "") void set([...paths, path], `${path} needs no confirmation from now on.`);
  };
  return (
    <section class="allowed" aria-labelledby="allowed-title">
      <h2 id="allowed-title">Paths that need no confirmation here</h2>
      <p class="quiet">
        What would ask, passes for these. What is refused stays refused. The list is yours alone, in your own
        configuration; no agent can change it.
      </p>
      {paths.length === 0 && <p class="quiet">None. Every file that runs code or widens trust asks first.</p>}
      <ul class="plan">
        {paths.map((path) => (
          <li key={path}>
            <code><Visible text={path} /></code>{" "}
            <button
              type="button"
              aria-label={`Remove ${path}`}
              onClick={() => void set(paths.filter((each) => each !== path), `${path} asks again.`)}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <form class="buttons" onSubmit={add}>
        <label>Path or glob <input value={text} placeholder="package.json" onInput={(event) => setText(event.currentTarget.value)} /></label>
        <button type="submit">Add</button>
      </form>
    </section>
  );
}
