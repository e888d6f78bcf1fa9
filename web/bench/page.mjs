// Speed of the page in a real browser, beside two peers on the same diff in the same run.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { browse, expect, propose, scratch, serve } from "../browser/parts/setup.mjs";

const LINES = 10_000;
const CHANGES = 2_000;
const STEPS = 150;
const line = (at) => `    value_${at} = compute("name ${at}", ${at}, other=True)  # line ${at}`;
const before = `${Array.from({ length: LINES }, (_, at) => line(at)).join("\n")}\n`;
const withChanges = (from, to) => {
  const changed = (at) => (at % (LINES / CHANGES) === 0 ? line(at).replace(from, to) : line(at));
  return `${Array.from({ length: LINES }, (_, at) => changed(at)).join("\n")}\n`;
};
const after = withChanges("True", "False");

/** A fresh browser each time: one time alone says little on a machine with other work. */
const ROUNDS = 5;
const rows = [];
for (let round = 0; round < ROUNDS; round++) {
  await ours(after, "first content");
  // The same diff with something to say about every change: no peer has that.
  await ours(withChanges("compute", "recompute"), "first content, 2000 findings");
  await manyFiles();
}
for (let round = 0; round < 3; round++) {
  for (const name of ["pierre", "codemirror"]) await peer(name);
}
const dist = new URL("../dist/", import.meta.url);
const gzip = readdirSync(dist).reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, dist)), { level: 9 }).length, 0);
add("gatewright", "bundle, gzip", gzip / 1024, "KiB");
console.log(JSON.stringify(medians()));

/** One row for all of the same kind. */
function medians() {
  const kinds = new Map();
  for (const row of rows) {
    const key = `${row.who} ${row.what}`;
    kinds.set(key, [...(kinds.get(key) ?? []), row]);
  }
  return [...kinds.values()].map((same) => ({ ...same[0], value: percentile(same.map((row) => row.value), 50) }));
}

function add(who, what, value, unit = "ms") {
  rows.push({ what, who, value, unit });
  console.error(`${who}: ${what} ${value.toFixed(1)} ${unit}`);
}

function percentile(values, percent) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
}

/** Scrolls on and on; the time between frames. */
async function scroll(page, find, who) {
  const frames = await page.evaluate(
    async ([source, steps]) => {
      const element = new Function(`return ${source}`)();
      const frames = [];
      const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
      let last = await next();
      for (let step = 0; step < steps; step++) {
        element.scrollTop += 600;
        const now = await next();
        frames.push(now - last);
        last = now;
      }
      return frames;
    },
    [find, STEPS],
  );
  add(who, "scroll frame p50", percentile(frames, 50));
  add(who, "scroll frame p95", percentile(frames, 95));
}

async function ours(proposal, what) {
  const place = scratch();
  writeFileSync(join(place.root, "big.py"), before);
  propose(place, "big.py", proposal);
  const { link, stop } = await serve(["--root", place.root, "up"], place.env);
  const { browser, page } = await browse({ bypassCSP: true });
  try {
    await page.addInitScript(() => {
      const json = Response.prototype.json;
      Response.prototype.json = async function () {
        const text = await this.text();
        if (/\/changes\/[0-9a-f-]+$/u.test(this.url)) window.arrived ??= performance.now();
        return JSON.parse(text);
      };
      const look = () => (document.querySelector(".row-line code") ? requestAnimationFrame(() => (window.shown = performance.now())) : requestAnimationFrame(look));
      requestAnimationFrame(look);
      void json;
    });
    await page.goto(link);
    await page.waitForFunction(() => window.shown, null, { timeout: 120_000 });
    add("gatewright", what, await page.evaluate(() => window.shown - window.arrived));
    if (proposal !== after) return;
    await scroll(page, 'document.querySelector(".diff")', "gatewright");
    await decisions(page);
  } finally {
    await browser.close();
    await stop();
    place.remove();
  }
}

async function decisions(page) {
  await page.locator(".diff").evaluate((element) => (element.scrollTop = 0));
  await page.waitForTimeout(300);
  const times = [];
  for (let round = 0; round < 20; round++) {
    const time = await page.evaluate(
      (at) =>
        new Promise((resolve) => {
          const heads = document.querySelectorAll(".row-hunk");
          const head = heads[at % heads.length];
          const wanted = at % 2 ? "rejected" : "accepted";
          const id = head.id;
          const began = performance.now();
          head.querySelector(at % 2 ? ".buttons .reject" : ".buttons .accept").click();
          const look = () => (document.getElementById(id)?.classList.contains(wanted) ? requestAnimationFrame(() => resolve(performance.now() - began)) : requestAnimationFrame(look));
          requestAnimationFrame(look);
        }),
      round,
    );
    times.push(time);
    await page.waitForTimeout(150);
  }
  add("gatewright", "decision on screen p50", percentile(times, 50));
  add("gatewright", "decision on screen p95", percentile(times, 95));
}

async function peer(name) {
  const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
  const root = new URL("dist/", import.meta.url).pathname;
  const site = createServer((request, response) => {
    const path = request.url === "/" ? "/index.html" : request.url.split("?")[0];
    try {
      response.setHeader("content-type", types[extname(path)] ?? "text/plain");
      response.end(path === "/before" ? before : path === "/after" ? after : readFileSync(join(root, path)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { browser, page } = await browse();
  const content = {
    pierre: () => (document.querySelector("diffs-container")?.shadowRoot?.querySelector("[data-line]")?.textContent ?? "") !== "",
    codemirror: () => document.querySelector(".cm-line") !== null,
  }[name];
  try {
    await page.goto(`http://127.0.0.1:${site.address().port}/`);
    await page.waitForFunction(() => window.peers);
    const times = await page.evaluate(
      async ([who, source]) => {
        const isThere = new Function(`return (${source})()`);
        const texts = await Promise.all(["/before", "/after"].map(async (path) => (await fetch(path)).text()));
        const { parse, began } = await window.peers[who](...texts);
        await new Promise((resolve) => {
          const look = () => (isThere() ? requestAnimationFrame(resolve) : requestAnimationFrame(look));
          requestAnimationFrame(look);
        });
        return { parse, content: performance.now() - began };
      },
      [name, content.toString()],
    );
    if (times.parse > 0) add(name, "diff made in the browser", times.parse);
    add(name, "first content", times.content);
    await scroll(page, name === "pierre" ? 'document.getElementById("place")' : 'document.querySelector(".cm-scroller")', name);
  } finally {
    await browser.close();
    site.close();
  }
}

/** A thousand new files in one proposal: from the address to the list on screen. */
async function manyFiles() {
  const place = scratch();
  const one = (at) => `diff --git a/f${at}.txt b/f${at}.txt\nnew file mode 100644\n--- /dev/null\n+++ b/f${at}.txt\n@@ -0,0 +1,2 @@\n+file ${at}\n+end\n`;
  const patch = Array.from({ length: 1000 }, (_, at) => one(at)).join("");
  execFileSync(process.env.GATEWRIGHT, ["--root", place.root, "propose"], { env: place.env, input: patch, stdio: ["pipe", "ignore", "inherit"] });
  const { link, stop } = await serve(["--root", place.root, "up"], place.env);
  const { browser, page } = await browse();
  try {
    await page.addInitScript(() => {
      const times = (window.times = {});
      const count = () => document.querySelectorAll(".files .file").length;
      const look = () => {
        if (count() > 0) times.first ??= performance.now();
        if (count() < 1000) requestAnimationFrame(look);
        else requestAnimationFrame(() => (times.all = performance.now()));
      };
      requestAnimationFrame(look);
    });
    await page.goto(link);
    await page.waitForFunction(() => window.times.all, null, { timeout: 120_000 });
    const { first, all } = await page.evaluate(() => window.times);
    expect(all >= first, "the list is shown");
    add("gatewright", "1000 staged files on screen", first);
    add("gatewright", "1000 staged files, all drawn", all);
  } finally {
    await browser.close();
    await stop();
    place.remove();
  }
}
