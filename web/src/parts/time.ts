// Times for people. A formatter is costly to make, so there is one of each.
const TODAY = new Intl.DateTimeFormat([], { timeStyle: "medium" });
const EARLIER = new Intl.DateTimeFormat([], { dateStyle: "short", timeStyle: "short" });
const CLOCK = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });

/** The hour and minute of a moment. */
export function clock(moment: string): string {
  return CLOCK.format(new Date(moment));
}

/** The time of today, or the day as well. */
export function moment(timestamp: string): string {
  const then = new Date(timestamp);
  const isToday = then.toDateString() === new Date().toDateString();
  return (isToday ? TODAY : EARLIER).format(then);
}
