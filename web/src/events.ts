// The event stream: what happens elsewhere shows here, without moving what is read.
import { get } from "./api";
import { complain, current, put, refresh, update } from "./store";
import type { Change, Event } from "./wire";

const KEPT = 300;
let pending = 0;

export function listen(): void {
  const source = new EventSource("/api/events");
  source.onopen = () => {
    if (!current().isLive) void refresh().catch(complain);
    update({ isLive: true });
  };
  source.onerror = () => update({ isLive: false });
  source.onmessage = (message) => hear(JSON.parse(message.data as string) as Event);
}

function hear(event: Event): void {
  const activity = [event, ...current().activity].slice(0, KEPT);
  update({ activity, news: current().news + (event.seq === null ? 0 : 1) });
  // Several events come at once; one look is enough for all of them.
  clearTimeout(pending);
  pending = window.setTimeout(() => void look().catch(complain), 60);
}

async function look(): Promise<void> {
  await refresh();
  const { change, changes } = current();
  const summary = changes.find((each) => each.id === change?.summary.id);
  if (change && summary && summary.version !== change.summary.version) {
    const fresh = await get<Change>(`/changes/${summary.id}`);
    if (current().change?.summary.id === fresh.summary.id) put(fresh);
  }
}
