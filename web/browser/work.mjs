// A day's work at the page: lines, words, edits, conflicts, two windows, settings, narrow and empty.
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessible, browse, expect, picture, propose, scratch, serve, tell } from "./parts/setup.mjs";

const CODE = `# the shop\nLIMIT = 10\n\n\ndef total(items):\n    return sum(items)\n\n\n${"# filler\n".repeat(20)}\ndef last(items):\n    return items[-1]\n`;
const BETTER = CODE.replace("LIMIT = 10", "LIMIT = 20\nMARGIN = 2").replace("items[-1]", 'items[-1] or "none"');

const place = scratch();
mkdirSync(join(place.root, "src"));
const file = (name) => join(place.root, name);
const onDisk = (name) => readFileSync(file(name), "utf8");
writeFileSync(file("src/shop.py"), CODE);
writeFileSync(file("real.txt"), "one\n");
symlinkSync("real.txt", file("alias.txt"));
const { link, stop } = await serve(["--root", place.root, "up"], place.env);
const { browser, context, page, wrong } = await browse();
try {
  await page.goto(link);
  await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
  await accessible(page, "empty");
  await linesWordsAndEdits();
  await hiddenAndResolved();
  await conflict();
  await twoWindows();
  await liveWithoutMoving();
  await settings();
  await receipts();
  await suggestOnly();
  await narrow();
  expect(wrong.length === 0, wrong.join("\n"));
  console.log("work: ok");
} catch (error) {
  await tell(page, wrong);
  throw error;
} finally {
  await browser.close();
  await stop();
  place.remove();
}

function button(name, where = page) {
  return where.getByRole("button", { name, exact: true });
}

async function openFile(name, where = page) {
  await where.keyboard.press("1");
  await where.locator(".files .file", { hasText: name }).first().click();
  await where.locator(".review h2", { hasText: name }).waitFor();
}

/** A proposal shows up by itself; a line is taken, a line gets words, a hunk is edited. */
async function linesWordsAndEdits() {
  propose(place, "src/shop.py", BETTER);
  await page.locator(".row-hunk").first().waitFor();
  await page.locator(".s2", { hasText: "def" }).first().waitFor();
  expect((await page.title()).startsWith("(1)"), "the title says what waits");
  await button("Side by side").click();
  await page.locator(".row-pair .s3", { hasText: "20" }).first().waitFor();
  await accessible(page, "side-by-side");
  await button("Side by side").click();
  await page.locator(".row-line.undecided", { hasText: "MARGIN" }).locator("button.sign").click();
  await page.locator(".word", { hasText: "partly accepted" }).waitFor();
  await page.locator(".row-line", { hasText: "or \"none\"" }).click();
  await button(/^Comment on line/u).click();
  await page.waitForSelector("textarea:focus");
  await page.keyboard.type("say why it may be empty");
  await page.keyboard.press("Control+Enter");
  await page.locator(".row-words", { hasText: "say why it may be empty" }).waitFor();
  await picture(page, "words-on-a-line");
  const said = JSON.stringify(JSON.parse(place.run(["changes"]).toString()));
  expect(said.length > 2, "the command line sees the stage as well");
  await button("Edit").first().click();
  const text = page.locator("textarea.edit");
  await text.fill((await text.inputValue()).replace("LIMIT = 20", "LIMIT = 15"));
  await page.keyboard.press("Control+Enter");
  await page.locator(".row-line", { hasText: "LIMIT = 15" }).waitFor();
  expect(onDisk("src/shop.py") === CODE, "nothing is written before Apply");
  await applyAll();
  expect(onDisk("src/shop.py").includes("LIMIT = 15") && onDisk("src/shop.py").includes("items[-1]\n"), onDisk("src/shop.py"));
  await button("Show receipt").click();
  await page.locator(".receipt h2", { hasText: "written" }).waitFor();
}

async function applyAll() {
  await page.keyboard.press("Escape");
  const early = page.evaluate(clickAtOnce);
  await page.locator(".apply-bar .primary").click();
  expect((await early) === "held", "a click in the moment that the plan shows does not count");
  await page.waitForSelector("dialog[open] .plan");
  await page.waitForTimeout(700);
  expect((await page.locator("dialog[open] .plan").count()) === 1, "nothing was applied yet");
  const box = page.locator("dialog[open] .asks input");
  if (await box.count()) await box.check();
  await page.locator("dialog[open] .primary").click();
  await page.locator(".toast", { hasText: "Written" }).waitFor();
}

/** Clicks Apply in the very frame in which the plan is drawn. */
function clickAtOnce() {
  return new Promise((resolve) => {
    const look = () => {
      const button = document.querySelector("dialog[open] .plan") && document.querySelector("dialog[open] .primary");
      if (!button) return requestAnimationFrame(look);
      const word = button.getAttribute("aria-disabled") === "true" ? "held" : "live";
      button.click();
      resolve(word);
    };
    look();
  });
}

/** What cannot be seen is drawn, and a link shows where it leads. */
async function hiddenAndResolved() {
  propose(place, "notes.txt", "safe\u202etxt.exe\u200b and \u{e0041}\n");
  propose(place, "alias.txt", "two\n");
  await openFile("notes.txt");
  for (const name of ["RLO", "ZWSP", "U+E0041"]) await page.locator(".unseen", { hasText: name }).first().waitFor();
  await picture(page, "hidden-characters");
  await openFile("real.txt");
  await page.locator(".requested", { hasText: "alias.txt" }).waitFor();
  await button("Reject all").click();
  await page.locator(".row-hunk.rejected").first().waitFor();
}

async function conflict() {
  propose(place, "src/shop.py", `${onDisk("src/shop.py")}\n# the end\n`);
  await openFile("shop.py");
  appendFileSync(file("src/shop.py"), "# somebody else\n");
  await openFile("notes.txt");
  await openFile("shop.py");
  await page.locator(".conflict", { hasText: "It will not be overwritten" }).waitFor();
  await page.locator(".conflict .added", { hasText: "somebody else" }).waitFor();
  await accessible(page, "conflict");
  await button("Accept file").click();
  await page.locator(".apply-bar .primary").click();
  await page.waitForSelector("dialog[open] .plan");
  await page.waitForTimeout(700);
  await page.locator("dialog[open] .primary").click();
  await page.locator(".toast.bad").waitFor();
  expect(onDisk("src/shop.py").endsWith("# somebody else\n"), "a file that changed is not overwritten");
  await button("Turn all down…").click();
  await page.getByLabel("Words for the agent, if you like").fill("the file moved on");
  await button("Turn it down").click();
  await page.locator(".toast", { hasText: "Turned down" }).waitFor();
}

/** Two windows see each other's decisions, and none decides on what it did not see. */
async function twoWindows() {
  writeFileSync(file("shared.txt"), `${"same\n".repeat(3)}a\n${"same\n".repeat(20)}b\n`);
  propose(place, "shared.txt", `${"same\n".repeat(3)}A\n${"same\n".repeat(20)}B\n`);
  await openFile("shared.txt");
  const other = await context.newPage();
  await other.goto(link.split("#")[0]);
  await openFile("shared.txt", other);
  await button("Accept").first().click();
  await other.locator(".row-hunk.accepted").waitFor();
  await other.locator(".row-hunk.undecided").getByRole("button", { name: "Reject" }).click();
  await page.locator(".row-hunk.rejected").waitFor();
  const stale = await other.evaluate(async () => {
    const headers = { "content-type": "application/json", "x-gatewright": "1" };
    const list = await (await fetch("/api/changes")).json();
    const { id } = list.changes.find((change) => change.files.some((each) => each.path === "shared.txt"));
    const body = { content: "another", part: { of: "all" }, choice: "accept" };
    return (await fetch(`/api/changes/${id}/decide`, { method: "POST", headers, body: JSON.stringify(body) })).status;
  });
  expect(stale === 409, `a decision on something unseen: ${stale}`);
  wrong.splice(0, wrong.length, ...wrong.filter((each) => !each.includes("409")));
  await other.close();
  await applyAll();
  expect(onDisk("shared.txt").includes("A\n") && onDisk("shared.txt").endsWith("b\n"), onDisk("shared.txt"));
}

async function liveWithoutMoving() {
  writeFileSync(file("long.txt"), "line\n".repeat(400));
  propose(place, "long.txt", Array.from({ length: 400 }, (_, at) => (at % 2 ? "line" : `new ${at}`)).join("\n"));
  await openFile("long.txt");
  const diff = page.locator(".diff");
  await diff.evaluate((element) => (element.scrollTop = 3000));
  await page.waitForTimeout(200);
  const before = await firstLine(diff);
  propose(place, "another.txt", "hello\n");
  await page.locator(".files .file", { hasText: "another.txt" }).waitFor();
  expect((await firstLine(diff)) === before, "what is read stays where it is");
  await button("Reject all").click();
}

function firstLine(diff) {
  return diff.evaluate((element) => {
    const top = element.getBoundingClientRect().top;
    const rows = [...element.querySelectorAll(".row-line")];
    return rows.find((row) => row.getBoundingClientRect().top >= top)?.textContent;
  });
}

async function settings() {
  await page.keyboard.press("4");
  await page.getByLabel("Path or glob").fill("package.json");
  await button("Add").click();
  await page.locator(".allowed li", { hasText: "package.json" }).waitFor();
  await page.getByLabel("Path", { exact: true }).fill("package.json");
  await button("Try").click();
  await page.locator(".tried", { hasText: "pass" }).waitFor();
  await accessible(page, "allowed");
  await button("Remove package.json").click();
  await page.locator(".allowed li").waitFor({ state: "detached" });
  await button("Try").click();
  await page.locator(".tried", { hasText: "confirm" }).waitFor();
}

async function receipts() {
  await page.keyboard.press("2");
  await button("Verify").click();
  await page.waitForSelector(".verified.ok");
  await page.locator(".outcomes .bar-row").first().waitFor();
  await page.getByLabel("Search").fill("shared.txt");
  await page.getByLabel("Kind").selectOption("apply");
  await page.waitForFunction(() => document.querySelector(".timeline .apply") && !document.querySelector(".timeline .action:not(.apply)"));
  await page.locator(".timeline .file").first().click();
  await page.locator(".receipt h2", { hasText: "written" }).waitFor();
  await button("Prove").click();
  await page.locator(".verified", { hasText: "In the signed tree" }).waitFor();
  await accessible(page, "receipts");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Export" }).click()]);
  const lines = readFileSync(await download.path(), "utf8").trim().split("\n");
  expect(lines.length > 5 && lines.every((line) => JSON.parse(line).self_hash), "every receipt is exported");
  await button("Undo…").click();
  await page.locator("dialog[open] .undo-diff .removed").first().waitFor();
  await button("Take it back").click();
  await page.locator(".toast", { hasText: "Taken back" }).waitFor();
  expect(!onDisk("shared.txt").includes("A\n"), "undo restores");
}

async function suggestOnly() {
  await page.keyboard.press("4");
  const box = page.getByLabel(/^suggest-only/u);
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route("**/api/mode", (route) => held.then(() => route.continue()));
  await box.check();
  const title = await page.title();
  propose(place, "meanwhile.txt", "news\n");
  await page.waitForFunction((before) => document.title !== before, title);
  expect(await box.isChecked(), "news does not take back what was asked for");
  release();
  await page.locator(".mode-word", { hasText: "suggest-only" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("header nav").getByRole("button", { name: /^Changes/u }).click();
  await page.locator(".apply-bar", { hasText: "Suggest-only" }).waitFor();
  expect((await page.locator(".apply-bar .primary").count()) === 0, "suggest-only has no Apply");
}

async function narrow() {
  await page.setViewportSize({ width: 420, height: 760 });
  await accessible(page, "narrow");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(!wide, "a narrow window does not scroll sideways");
  expect(!existsSync(join(place.root, "another.txt")), "what was turned down is not there");
}
