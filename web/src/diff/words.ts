// Words to the agent: one text, in which "line 12: …" speaks of a line and the rest of the hunk.
import type { Line } from "../wire";

export interface Words {
  whole: string;
  byPlace: Map<string, string>;
}

/** How the text names a line: by its number in the proposal, or in the base. */
export function placeOf(line: Line): string {
  return line.kind === "-" ? `old line ${line.old}` : `line ${line.new}`;
}

/** Takes the text apart; a line of it that names no place goes on with the one before. */
export function wordsOf(text: string | null | undefined): Words {
  const whole: string[] = [];
  const byPlace = new Map<string, string>();
  let place: string | null = null;
  for (const part of text?.split("\n") ?? []) {
    const named = /^((?:old )?line \d+): (.*)$/u.exec(part);
    if (named) place = named[1] as string;
    const said = named ? (named[2] as string) : part;
    if (place === null) whole.push(said);
    else byPlace.set(place, byPlace.has(place) ? `${byPlace.get(place)}\n${said}` : said);
  }
  return { whole: whole.join("\n"), byPlace };
}
