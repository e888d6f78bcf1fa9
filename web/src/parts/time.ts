// Times for people. A formatter is costly to make, so there is one of each.
const CLOCK = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });

/** The hour and minute of a moment. */
export function clock(moment: string): string {
  return CLOCK.format(new Date(moment));
}
