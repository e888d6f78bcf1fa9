// Starts the real binary on a scratch folder and a real browser beside it.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const binary = process.env.GATEWRIGHT ?? "gatewright";
const artefacts = process.env.ARTEFACTS;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** A scratch folder with state and configuration of its own. */
export function scratch() {
  const base = mkdtempSync(join(tmpdir(), "gatewright-browser-"));
  const root = join(base, "project");
  mkdirSync(root);
  const env = { ...process.env, XDG_STATE_HOME: join(base, "state"), XDG_CONFIG_HOME: join(base, "config"), USER: "ada" };
  const run = (args, input) => execFileSync(binary, ["--root", root, "--json", ...args], { env, input });
  return { root, env, run, remove: () => rmSync(base, { recursive: true, force: true }) };
}

/** Starts `up` or `demo`; gives the link and a way to stop it. */
export async function serve(args, env = process.env, program = binary) {
  const all = program === binary ? ["--json", ...args] : args;
  const child = spawn(program, all, { env, stdio: ["ignore", "pipe", "inherit"] });
  // A flow that fails leaves nothing running.
  process.on("exit", () => child.kill("SIGKILL"));
  const link = await new Promise((resolve, reject) => {
    let text = "";
    child.once("exit", () => reject(new Error("the server ended before it was ready")));
    child.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) resolve(JSON.parse(text.slice(0, text.indexOf("\n"))).url);
    });
  });
  const end = (signal) =>
    new Promise((resolve) => {
      child.removeAllListeners("exit");
      child.once("exit", resolve);
      child.kill(signal);
    });
  // A second start attaches and gives a link of its own.
  const fresh = async () => JSON.parse(execFileSync(binary, ["--json", ...args], { env }).toString().split("\n")[0]).url;
  return { link, fresh, pid: child.pid, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}

/** A page that remembers everything that must not happen. */
export async function browse(options = {}) {
  const path = process.env.CHROMIUM ?? execFileSync("which", ["chromium"]).toString().trim();
  const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox"] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => message.type() === "error" && wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => (wrong.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  return { browser, context, page, wrong };
}

/** Proposes a whole file, as an agent would at the command line; it is staged. */
export function propose(place, path, content) {
  try {
    place.run(["write", path], content);
  } catch (error) {
    // A proposal that asks or warns ends with 1; it is staged all the same.
    if (error.status !== 1) throw error;
  }
}

/** Keeps what the page shows now. */
export async function picture(page, name) {
  if (artefacts) await page.screenshot({ path: join(artefacts, `${name}.png`) });
}

/** Says what the page shows and what went wrong on it, for whoever looks into a failure. */
export async function tell(page, wrong) {
  console.error([...wrong, await page.locator("body").innerText()].join("\n").slice(0, 4000));
  await picture(page, "failed");
}

/** Fails on every violation of WCAG 2.2 A and AA, in both themes. */
export async function accessible(page, name) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(200);
    if (artefacts) await page.screenshot({ path: join(artefacts, `${name}-${colorScheme}.png`) });
    const script = `(() => { const module = undefined; ${axe}; return axe.run({ runOnly: ${JSON.stringify(RULES)} }); })()`;
    const { violations } = await page.evaluate(script);
    const words = violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
    expect(words.length === 0, `${name} in ${colorScheme}: ${words.join("; ")}`);
  }
}

export function expect(holds, what) {
  if (!holds) throw new Error(what);
}
