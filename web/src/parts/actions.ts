// What became of a proposal, in one word, the same on every page.
import type { ReceiptSummary } from "../wire";

const WORDS: Record<string, string> = {
  apply: "written",
  refuse: "refused",
  stage: "staged",
  reject: "turned down",
  rollback: "taken back",
  unguarded: "changed unguarded",
  notice: "notice",
};

/** Every action with its word, in the order in which people look for them. */
export const ACTIONS = Object.entries(WORDS);

/** The word of a receipt. What a hook allowed is written by the agent, which another receipt says. */
export function word({ action, applied }: Pick<ReceiptSummary, "action" | "applied">): string {
  return action === "apply" && !applied ? "allowed" : (WORDS[action] ?? action);
}
