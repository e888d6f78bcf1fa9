// A whole review by keyboard alone, on the demo: decide, apply, verify, undo.
import { accessible, browse, expect, picture, serve, tell } from "./parts/setup.mjs";

const { link, stop } = await serve(["demo"]);
const { browser, page, wrong } = await browse();
try {
  await page.goto(link);
  await page.waitForFunction(() => document.querySelectorAll(".files .file").length >= 5, null, { timeout: 60000 });
  expect(!page.url().includes("#"), "the code is gone from the address");
  await accessible(page, "changes");
  await pictureOfTheDemo();
  await decideEverything();
  await apply();
  await receipts();
  await page.keyboard.press("3");
  await page.waitForSelector(".activity .action.refuse");
  await accessible(page, "activity");
  await page.keyboard.press("4");
  await page.waitForSelector(".table tbody tr", { timeout: 60000 });
  await accessible(page, "guards");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open] .keys");
  await accessible(page, "keys");
  expect(wrong.length === 0, wrong.join("\n"));
  console.log("review: ok");
} catch (error) {
  await tell(page, wrong);
  throw error;
} finally {
  await browser.close();
  await stop();
}

/** The picture of the README: a warning with the name that is meant, among one of each. */
async function pictureOfTheDemo() {
  await page.emulateMedia({ colorScheme: "light" });
  await page.locator(".files .file", { hasText: "receipt.py" }).click();
  await page.waitForSelector(".fixes");
  await picture(page, "review-page");
  await page.locator(".files .file", { hasText: "cart.py" }).click();
  await page.locator(".review h2", { hasText: "cart.py" }).waitFor();
}

async function decideEverything() {
  await page.keyboard.press("n");
  await page.keyboard.press("a");
  await page.waitForSelector(".row-hunk.accepted");
  await page.keyboard.press("r");
  await page.waitForSelector(".row-hunk.rejected");
  await page.keyboard.press("p");
  await page.keyboard.press("c");
  // A person looks for the box before typing; letters that come before it are keys.
  await page.waitForSelector("textarea:focus");
  await page.keyboard.type("keep the old name");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".row-words");
  const files = await page.locator(".files .file").count();
  for (let file = 1; file < files; file++) {
    const before = await page.locator(".review h2").textContent();
    await page.keyboard.press("]");
    await page.waitForFunction((text) => document.querySelector(".review h2")?.textContent !== text, before);
    const fix = page.locator(".fixes button").first();
    if (await fix.count()) {
      await fix.press("Enter");
      await page.locator(".row-line", { hasText: "from src.cart import total" }).waitFor();
    }
    await page.keyboard.press("A");
    await page.waitForFunction(() => !document.querySelector(".row-hunk.undecided"));
  }
}

async function apply() {
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog[open] .asks");
  await accessible(page, "apply");
  // What asks is under the keyboard first.
  await page.keyboard.press("Space");
  await page.waitForSelector('dialog[open] .primary[aria-disabled="false"]');
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(".toast", { hasText: "Written" }).waitFor();
}

async function receipts() {
  await page.keyboard.press("2");
  await page.getByRole("button", { name: "Verify" }).press("Enter");
  await page.waitForSelector(".verified.ok");
  await page.locator(".timeline .file:has(.action.apply)").first().press("Enter");
  await page.getByRole("button", { name: "Undo…" }).press("Enter");
  await page.waitForSelector("dialog[open] .undo-diff");
  await accessible(page, "undo");
  await page.getByRole("button", { name: "Take it back" }).press("Enter");
  await page.waitForSelector(".timeline .action.rollback");
}
