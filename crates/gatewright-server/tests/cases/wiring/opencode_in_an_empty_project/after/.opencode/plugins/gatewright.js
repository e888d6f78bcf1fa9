// The opencode plugin of Gatewright: every tool call passes `gatewright hook`.
//
// Copy this file to .opencode/plugins/ of a project, or to
// ~/.config/opencode/plugins/ for all of them. The binary is taken from
// GATEWRIGHT_BIN, else from PATH. When it cannot be run, only tools that are
// known to read go on: an unguarded write is worse than none.

import { spawn } from "node:child_process";

const READS = new Set(["read", "grep", "glob", "list", "ls", "lsp", "webfetch", "websearch", "todoread", "todowrite", "skill", "question"]);

function ask(directory, event) {
  return new Promise((resolve, reject) => {
    const binary = process.env.GATEWRIGHT_BIN || "gatewright";
    const child = spawn(binary, ["--root", directory, "hook"], { cwd: directory });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("error", reject);
    child.stdin.on("error", () => {});
    child.on("close", (code) => {
      if (code !== 0) return reject(new Error(stderr.trim() || `gatewright hook: exit ${code}`));
      try {
        resolve(JSON.parse(stdout || "{}"));
      } catch (error) {
        reject(error);
      }
    });
    child.stdin.end(JSON.stringify({ host: "opencode", cwd: directory, ...event }));
  });
}

export const Gatewright = async ({ directory, worktree }) => {
  const root = worktree && worktree !== "/" ? worktree : directory;
  return {
    "tool.execute.before": async (input, output) => {
      const event = { event: "tool.execute.before", ...input, args: output.args };
      const answer = await ask(root, event).catch((error) => {
        if (READS.has(input.tool)) return {};
        throw new Error(`refused, because Gatewright cannot judge it: ${error.message}`);
      });
      if (answer.decision === "deny") throw new Error(answer.reason);
      // The host holds on to this object; a new one in its place would go unseen.
      if (answer.args) {
        for (const key of Object.keys(output.args)) delete output.args[key];
        Object.assign(output.args, answer.args);
      }
    },
    "tool.execute.after": async (input, output) => {
      const event = { event: "tool.execute.after", ...input, output: output.output };
      const answer = await ask(root, event).catch(() => ({ output: "[output withheld: it could not be redacted]" }));
      if (typeof answer.output === "string") output.output = answer.output;
    },
  };
};
