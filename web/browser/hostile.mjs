// Hostile content and hostile sites: no script runs, no request leaves, nothing changes.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { browse, expect, propose, scratch, serve, tell } from "./parts/setup.mjs";

const TAGS = ["script", "img", "svg", "iframe", "body", "details", "video", "math", "object", "embed"];
const SHAPES = [
  (tag) => `<${tag} onerror=window.ran=1 src=x>`,
  (tag) => `<${tag} onload=window.ran=1>`,
  (tag) => `"><${tag} src=//evil.example/x>`,
  (tag) => `</code></div><${tag}>window.ran=1</${tag}>`,
  (tag) => `<${tag.toUpperCase()}/src=x onerror=window.ran=1//`,
  (tag) => `{{constructor.constructor('window.ran=1')()}}<${tag}>`,
  (tag) => `javascript:window.ran=1//<${tag}>`,
  (tag) => `data:text/html,<${tag}>`,
  (tag) => `\u001b]8;;javascript:window.ran=1\u0007<${tag}>`,
  (tag) => `<!--<${tag} --><${tag} onmouseover=window.ran=1>`,
  (tag) => `\${window.ran=1}<${tag}>`,
  (tag) => `&lt;${tag}&gt;&#60;${tag} onerror&#61;window.ran=1>`,
];
const DISGUISES = [
  (text) => text,
  (text) => `${text}\u202e\u2066`,
  (text) => `\u200b${text}`,
  (text) => encodeURIComponent(text),
  (text) => text.replaceAll("<", "\\u003c"),
];
const PAYLOADS = DISGUISES.flatMap((disguise) => TAGS.flatMap((tag) => SHAPES.map((shape) => disguise(shape(tag)))));
const NAMES = ["<img src=x onerror=window.ran=1>.txt", "a'\"onfocus=window.ran=1 x.txt", "${window.ran=1}.txt"];

const place = scratch();
writeFileSync(join(place.root, "payloads.txt"), "start\n");
propose(place, "payloads.txt", `start\n${PAYLOADS.join("\n")}\n`);
for (const name of NAMES) {
  writeFileSync(join(place.root, name), "a\n");
  propose(place, name, `${PAYLOADS[0]}\n`);
}
await speakAsAgent();
const { link, stop } = await serve(["--root", place.root, "up"], place.env);
const { browser, page, wrong } = await browse();
const own = link.split("#")[0];
const away = [];
page.on("request", (request) => request.url().startsWith(own) || away.push(request.url()));
try {
  await page.goto(link);
  await page.waitForSelector(".diff .row-line");
  await readEverything();
  await sayEverything();
  expect((await page.evaluate(() => window.ran)) === undefined, "a script ran");
  expect(away.length === 0, `requests left: ${away.join(" ")}`);
  expect(wrong.length === 0, wrong.join("\n"));
  await otherSites();
  console.log(`hostile: ok, ${PAYLOADS.length} payloads in contents, ${NAMES.length} in names, 40 from an agent, 80 in words`);
} catch (error) {
  await tell(page, wrong);
  throw error;
} finally {
  await browser.close();
  await stop();
  place.remove();
}

/** An agent whose name, words and paths are payloads too. */
async function speakAsAgent() {
  const child = spawn(process.env.GATEWRIGHT, ["--root", place.root, "mcp"], { env: place.env, stdio: ["pipe", "pipe", "ignore"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call = async (id, method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    while (JSON.parse((await answers.next()).value).id !== id);
  };
  await call(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: PAYLOADS[0], version: PAYLOADS[1] } });
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  for (let at = 0; at < 40; at++) {
    const path = at % 2 ? `../${PAYLOADS[at * 7]}` : `said-${at}.txt`;
    await call(at + 2, "tools/call", { name: "write_file", arguments: { path, content: `${PAYLOADS[at * 11]}\n` } });
  }
  child.stdin.end();
  child.kill("SIGTERM");
}

/** The person's own words to the agent, and the receipt that holds them. */
async function sayEverything() {
  await page.keyboard.press("1");
  await page.locator(".files .file", { hasText: "payloads.txt" }).click();
  // Only this file has such a line: before it is there, another file's hunk would be meant.
  await page.locator(".diff .row-line", { hasText: /start$/ }).first().waitFor();
  await page.locator(".hunk-head").getByRole("button", { name: "Comment" }).first().click();
  await page.locator("textarea.comment").fill(PAYLOADS.slice(0, 60).join(" ").slice(0, 3000));
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".row-words");
  await page.getByRole("button", { name: "Turn all down…" }).click();
  await page.getByLabel("Words for the agent, if you like").fill(PAYLOADS.slice(60, 80).join("\n"));
  await page.getByRole("button", { name: "Turn it down" }).click();
  await page.locator(".toast", { hasText: "Turned down" }).waitFor();
  await page.keyboard.press("2");
  await page.locator(".timeline .file:has(.action.reject)").first().click();
  await page.locator(".receipt h2", { hasText: "turned down" }).waitFor();
}

async function readEverything() {
  const files = page.locator(".files .file");
  for (let file = 0; file < (await files.count()); file++) {
    await files.nth(file).click();
    await page.waitForTimeout(600);
    await page.locator(".diff").evaluate(async (diff) => {
      for (let top = 0; top < diff.scrollHeight; top += diff.clientHeight) {
        diff.scrollTop = top;
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      }
    });
  }
  await page.keyboard.press("2");
  await page.waitForSelector(".timeline .file");
  await page.locator(".timeline .file").first().click();
  await page.waitForTimeout(400);
  await page.keyboard.press("3");
  await page.waitForSelector(".activity li");
}

/** A page of another origin, in the same signed-in browser, tries everything that it can. */
async function otherSites() {
  const before = place.run(["changes"]).toString();
  const id = JSON.parse(before).changes?.[0]?.id ?? "0";
  const html = `<iframe src="${own}"></iframe><form method=post enctype=text/plain action="${own}api/changes/${id}/apply"><input name='{"version":1,"confirm":true,"x":"' value='"}'></form>`;
  const site = createServer((_, response) => response.setHeader("content-type", "text/html").end(html));
  await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
  const other = await page.context().newPage();
  await other.goto(`http://127.0.0.1:${site.address().port}/`);
  const tried = await other.evaluate(
    async ([base, change]) => {
      const body = JSON.stringify({ version: 1, confirm: true });
      const headers = { "content-type": "application/json", "x-gatewright": "1" };
      const url = `${base}api/changes/${change}/apply`;
      const plain = { method: "POST", body, mode: "no-cors", credentials: "include" };
      const outcomes = [];
      const attempt = async (work) => outcomes.push(await work().then((r) => `${r.type} ${r.status}`, () => "failed"));
      await attempt(() => fetch(url, plain));
      await attempt(() => fetch(url, { method: "POST", body, headers, credentials: "include" }));
      await attempt(() => fetch(`${base}api/changes`, { credentials: "include" }));
      navigator.sendBeacon(url, body);
      const stream = new EventSource(`${base}api/events`, { withCredentials: true });
      outcomes.push(await new Promise((resolve) => ((stream.onerror = () => resolve("failed")), (stream.onopen = () => resolve("open")))));
      return outcomes;
    },
    [own, id],
  );
  expect(!tried.includes("open") && !tried.some((word) => word.startsWith("cors")), tried.join(", "));
  await other.evaluate(() => document.forms[0].submit());
  await other.waitForTimeout(500);
  await other.close();
  site.close();
  expect(place.run(["changes"]).toString() === before, "another site changed something");
}
