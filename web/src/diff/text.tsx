// The text of a line: what changed within it is marked, what cannot be seen is drawn.
import { useState } from "preact/hooks";
import type { ComponentChild, JSX } from "preact";

// Controls but tab, and every character that shows nothing or turns the direction.
const UNSEEN =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

const NAMES: Record<string, string> = {
  "\r": "CR",
  "\u001b": "ESC",
  "\u0000": "NUL",
  "\u00a0": "NBSP",
  "\u00ad": "SHY",
  "\u200b": "ZWSP",
  "\u200c": "ZWNJ",
  "\u200d": "ZWJ",
  "\u200e": "LRM",
  "\u200f": "RLM",
  "\u202a": "LRE",
  "\u202b": "RLE",
  "\u202c": "PDF",
  "\u202d": "LRO",
  "\u202e": "RLO",
  "\u2066": "LRI",
  "\u2067": "RLI",
  "\u2068": "FSI",
  "\u2069": "PDI",
  "\ufeff": "BOM",
};

/** Text in which nothing can be unseen. */
const PLAIN = /^[\t\x20-\x7e]*$/u;

const LONGEST = 1200;

export function codePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Sentences of the guards and of people: as [`Visible`], but lines may break. */
export function Prose({ text }: { text: string }): JSX.Element {
  const lines = text.split("\n");
  return <>{lines.map((line, index) => [index > 0 && <br />, <Visible text={line} />])}</>;
}

/** Text with everything unseen drawn as a mark. */
export function Visible({ text }: { text: string }): JSX.Element {
  return <>{visible(text)}</>;
}

function visible(text: string): string | (string | JSX.Element)[] {
  if (PLAIN.test(text)) return text;
  const parts: (string | JSX.Element)[] = [];
  let from = 0;
  for (const match of text.matchAll(UNSEEN)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    const name = NAMES[match[0]] ?? codePoint(match[0]);
    const title = `Hidden character ${codePoint(match[0])}`;
    parts.push(
      <span class="unseen" title={title}>
        {name}
      </span>,
    );
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

interface Props {
  text: string;
  ranges?: string | null | undefined;
  spans?: string | null | undefined;
}

/** The numbers of one text, in groups. */
function groups(text: string | null | undefined, size: number): number[][] {
  if (!text) return [];
  const numbers = text.split(" ").map(Number);
  return Array.from({ length: Math.floor(numbers.length / size) }, (_, at) => numbers.slice(at * size, at * size + size));
}

/** A part of a line in its colours; the spans are in order and do not overlap. */
function coloured(text: string, from: number, to: number, spans: number[][]): ComponentChild[] {
  const parts: ComponentChild[] = [];
  let at = from;
  for (const [start = 0, end = 0, kind = 0] of spans) {
    if (end <= at) continue;
    if (start >= to) break;
    if (start > at) parts.push(visible(text.slice(at, start)));
    const stop = Math.min(end, to);
    parts.push(<span class={`s${kind}`}>{visible(text.slice(Math.max(start, at), stop))}</span>);
    at = stop;
  }
  if (at < to) parts.push(visible(text.slice(at, to)));
  return parts;
}

export function LineText({ text, ranges, spans }: Props): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const more = text.length - LONGEST;
  const shown = more > 0 && !isWhole ? text.slice(0, LONGEST) : text;
  const parts: ComponentChild[] = [];
  const colours = groups(spans, 3);
  let from = 0;
  for (const [start = 0, end = 0] of groups(ranges, 2)) {
    if (start > from) parts.push(...coloured(shown, from, Math.min(start, shown.length), colours));
    const stop = Math.min(end, shown.length);
    parts.push(<mark>{coloured(shown, Math.max(start, from), stop, colours)}</mark>);
    from = Math.max(from, stop);
  }
  parts.push(...coloured(shown, from, shown.length, colours));
  return (
    <>
      {parts}
      {more > 0 && (
        <button type="button" class="more" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "show less" : `… ${more} more characters`}
        </button>
      )}
    </>
  );
}
