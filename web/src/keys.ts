// The keyboard. Keys act on what is shown; where text is written they are letters.
import { handle } from "./diff/diff";
import { complain, current, decide, open, update } from "./store";
import type { View } from "./store";

export interface Commands {
  apply(): void;
  help(): void;
}

const VIEWS: View[] = ["changes", "receipts", "activity", "guards"];

export function listenToKeys(commands: Commands): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isWriting(event.target) || document.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && isButton(event.target)) return;
    if (act(event.key, commands)) event.preventDefault();
  };
  window.addEventListener("keydown", onKey);
  return () => window.removeEventListener("keydown", onKey);
}

function act(key: string, commands: Commands): boolean {
  const view = VIEWS[Number(key) - 1];
  if (view) return done(() => update({ view }));
  if (key === "?") return done(() => commands.help());
  if (current().view !== "changes") return false;
  switch (key) {
    case "j":
      return done(() => handle.current?.move(1));
    case "k":
      return done(() => handle.current?.move(-1));
    case "n":
      return done(() => handle.current?.hunk(1));
    case "p":
      return done(() => handle.current?.hunk(-1));
    case "]":
      return done(() => goToFile(1));
    case "[":
      return done(() => goToFile(-1));
    case "a":
      return done(() => handle.current?.choose("accept"));
    case "r":
      return done(() => handle.current?.choose("reject"));
    case "A":
      return done(() => decideFile("accept"));
    case "R":
      return done(() => decideFile("reject"));
    case "u":
      return done(() => handle.current?.choose("undecided"));
    case "c":
      return done(() => handle.current?.write("comment"));
    case "e":
      return done(() => handle.current?.write("edit"));
    case ".":
      return done(() => handle.current?.centre());
    case "Enter":
      return done(() => commands.apply());
    default:
      return false;
  }
}

function done(work: () => void): true {
  work();
  return true;
}

function decideFile(choice: "accept" | "reject"): void {
  const path = current().path;
  if (path !== null) void decide({ of: "file", path }, choice);
}

function goToFile(step: number): void {
  const { changes, change, path } = current();
  const all = changes.flatMap((each) => each.files.map((file) => ({ id: each.id, path: file.path })));
  const at = all.findIndex((each) => each.id === change?.summary.id && each.path === path);
  const next = all[at + step];
  if (next) void open(next.id, next.path).catch(complain);
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

function isButton(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && ["BUTTON", "A", "SUMMARY"].includes(target.tagName);
}
