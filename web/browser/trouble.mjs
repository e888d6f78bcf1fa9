// Trouble: the server is killed in the middle of Apply, and the disk is full. Nothing is lost or done twice.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acceptAll, signIn } from "./parts/client.mjs";
import { expect, scratch, serve } from "./parts/setup.mjs";

const FILES = 30;
const ROUNDS = Number(process.env.GATEWRIGHT_CASES ?? 6);
const patch = Array.from({ length: FILES }, (_, at) => `diff --git a/f${at}.txt b/f${at}.txt\n--- a/f${at}.txt\n+++ b/f${at}.txt\n@@ -1 +1 @@\n-old\n+new\n`).join("");

await crashes();
await fullDisk();

async function crashes() {
  const found = { before: 0, after: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const place = scratch();
    for (let at = 0; at < FILES; at++) writeFileSync(join(place.root, `f${at}.txt`), "old\n");
    place.run(["propose"], patch);
    const first = await serve(["--root", place.root, "up"], place.env);
    const person = await signIn(first.link);
    const id = (await person.get("/changes")).json.changes[0].id;
    const version = await acceptAll(person, id);
    const answer = person.post(`/changes/${id}/apply`, { version, confirm: true }).catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, (round * 700) / ROUNDS));
    await first.kill();
    await answer;
    await afterwards(place, id, found);
    place.remove();
  }
  console.log(`trouble: ok, ${ROUNDS} kills: ${found.before} before the commit, ${found.after} after it`);
}

/** After a new start everything is as before or as meant, and an Apply that was lost can be made once. */
async function afterwards(place, id, found) {
  const { link, stop } = await serve(["--root", place.root, "up"], place.env);
  const person = await signIn(link);
  const contents = () => new Set(readdirSync(place.root).map((name) => readFileSync(join(place.root, name), "utf8")));
  expect(contents().size === 1, "all files or none");
  const waits = (await person.get("/changes")).json.changes.find((change) => change.id === id);
  const isNew = contents().has("new\n");
  expect(isNew === !waits, "the stage says what the disk says");
  if (waits) {
    expect(waits.tally.accepted === FILES, "no decision is lost");
    const done = await person.post(`/changes/${id}/apply`, { version: waits.version, confirm: true });
    expect(done.status === 200 && contents().has("new\n"), JSON.stringify(done));
  }
  found[isNew ? "after" : "before"] += 1;
  const again = await person.post(`/changes/${id}/apply`, { version: waits?.version ?? 3, confirm: true });
  expect(again.status === 409, `nothing is applied twice: ${again.status}`);
  const receipts = (await person.get("/receipts?action=apply")).json.receipts;
  expect(receipts.length === 1, `one receipt, not ${receipts.length}`);
  expect((await person.post("/receipts/verify")).json.verdict === "ok", "the chain holds");
  await stop();
}

/** The workspace lies on a small file system of its own, which is full when Apply comes. */
async function fullDisk() {
  const place = scratch();
  const size = 200_000;
  const prepare = `mount -t tmpfs -o size=1500k none ${place.root} && cd ${place.root} && yes old | head -c ${size} > big.txt
    yes new | head -c ${size} | "$GATEWRIGHT" --root . --json write big.txt > /dev/null
    head -c 3000000 /dev/zero > filler 2> /dev/null
    exec "$GATEWRIGHT" --root . --json up`;
  const { link, stop, pid } = await serve(["-rm", "sh", "-c", prepare], place.env, "unshare");
  const inside = (name) => `/proc/${pid}/root${join(place.root, name)}`;
  const person = await signIn(link);
  const id = (await person.get("/changes")).json.changes[0].id;
  const version = await acceptAll(person, id);
  const full = await person.post(`/changes/${id}/apply`, { version, confirm: true });
  expect(full.status >= 400, `a full disk is told: ${JSON.stringify(full)}`);
  expect(readFileSync(inside("big.txt"), "utf8").startsWith("old\n"), "the file is as it was");
  const waits = (await person.get("/changes")).json.changes[0];
  expect(waits?.id === id && waits.tally.accepted > 0, "the decision is kept");
  writeFileSync(inside("filler"), "");
  const done = await person.post(`/changes/${id}/apply`, { version: waits.version, confirm: true });
  expect(done.status === 200, JSON.stringify(done));
  expect(readFileSync(inside("big.txt"), "utf8").startsWith("new\n"), "with room again it is written");
  expect((await person.get("/receipts?action=apply")).json.receipts.length === 1, "once");
  await stop();
  place.remove();
  console.log("trouble: ok, a full disk");
}
