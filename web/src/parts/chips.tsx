// The word of each guard: a shape and a word; colour comes on top.
import type { JSX } from "preact";
import type { Guards } from "../wire";

const SIGNS: Record<string, string> = {
  pass: "✓",
  warn: "!",
  confirm: "?",
  confirmed: "✓",
  fail: "✕",
  refuse: "✕",
  "not-checked": "–",
};

const NAMES: [keyof Guards, string][] = [
  ["structure", "structure"],
  ["write", "write"],
  ["hallucination", "references"],
  ["egress", "secrets"],
];

export function Chip({ name, word }: { name: string; word: string }): JSX.Element {
  return (
    <span class={`chip ${word}`}>
      <span aria-hidden="true">{SIGNS[word] ?? "·"}</span> {name && `${name}: `}{word.replace("-", " ")}
    </span>
  );
}

/** All guards where something is to say; one quiet chip where nothing is. */
export function Chips({ guards, all = false }: { guards: Guards; all?: boolean }): JSX.Element {
  const shown = NAMES.filter(([key]) => all || guards[key] !== "pass");
  if (shown.length === 0) return <Chip name="guards" word="pass" />;
  return (
    <>
      {shown.map(([key, name]) => (
        <Chip key={key} name={name} word={guards[key]} />
      ))}
    </>
  );
}
