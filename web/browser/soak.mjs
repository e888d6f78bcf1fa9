// Eight agents propose and two people review: no event is missed, the order holds, memory stays flat.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { acceptAll, signIn } from "./parts/client.mjs";
import { expect, scratch, serve } from "./parts/setup.mjs";

const SECONDS = Number(process.env.GATEWRIGHT_SECONDS ?? 12);
const AGENTS = 8;
const PEOPLE = 2;
const place = scratch();
const { link, fresh, stop, pid } = await serve(["--root", place.root, "up"], place.env);
const until = Date.now() + SECONDS * 1000;
const people = [await signIn(link)];
while (people.length < PEOPLE) people.push(await signIn(await fresh()));
const heard = people.map(() => []);
const streams = await Promise.all(people.map((person, at) => person.listen((event) => heard[at].push(event))));
const start = (await people[0].get("/state")).json.receipts;
const memory = [];
const counts = { proposed: 0, applied: 0, rejected: 0, late: 0 };
/** A slow machine gets more time, so that everything that is to happen does. */
const isOver = () => Date.now() >= until + (counts.applied > 0 && counts.rejected > 0 ? 0 : 120_000);
const watch = setInterval(() => memory.push(resident()), 500);
await Promise.all([...Array.from({ length: AGENTS }, (_, at) => agent(at)), ...people.map(review)]);
clearInterval(watch);
await settle();
streams.forEach((stream) => stream.stop());
const total = (await people[0].get("/state")).json.receipts;
for (const events of heard) {
  const told = events.filter((event) => event.seq !== null && event.seq !== undefined).map((event) => event.seq);
  expect(!events.some((event) => event.kind === "reset"), "no stream was told to begin anew");
  expect(told.every((seq, at) => at === 0 || seq === told[at - 1] + 1), "in order, none missing and none twice");
  expect(told.at(-1) === total - 1 && told.length >= total - start - 1, `${told.length} of ${total - start}`);
}
expect((await people[0].post("/receipts/verify")).json.verdict === "ok", "the chain holds");
expect(counts.applied > 0 && counts.rejected > 0, JSON.stringify(counts));
const third = memory.slice(Math.floor(memory.length / 3), Math.floor(memory.length / 2));
const [early, late] = [Math.max(...third), Math.max(...memory.slice(-5))];
expect(late < early * 1.5 + 24 * 1024, `memory grew from ${early} to ${late} KiB`);
await stop();
place.remove();
console.log(`soak: ok, ${SECONDS} s, ${JSON.stringify(counts)}, ${total} receipts, ${early} then ${late} KiB`);

function resident() {
  return Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
}

/** An agent at the MCP door, proposing file after file. */
async function agent(number) {
  const child = spawn(process.env.GATEWRIGHT, ["--root", place.root, "mcp"], { env: place.env, stdio: ["pipe", "pipe", "ignore"] });
  process.on("exit", () => child.kill("SIGKILL"));
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let id = 0;
  const call = (method, params) =>
    new Promise((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  await call("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: `agent-${number}`, version: "1" } });
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  for (let round = 0; !isOver(); round++) {
    const path = `agent-${number}/file-${round % 5}.txt`;
    await call("tools/call", { name: "write_file", arguments: { path, content: `round ${round}\n` } });
    counts.proposed += 1;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  child.stdin.end();
  child.kill("SIGTERM");
}

async function review(person, at) {
  let rounds = 0;
  while (!isOver()) {
    const open = (await person.get("/changes")).json?.changes ?? [];
    const change = open[Math.floor(Math.random() * open.length)];
    if (change && rounds++ % 4 === at) {
      const done = await person.post(`/changes/${change.id}/reject`, { version: change.version, comment: "no" });
      counts[done.status === 200 ? "rejected" : "late"] += 1;
    } else if (change) {
      const version = await acceptAll(person, change.id);
      const done = version === null ? null : await person.post(`/changes/${change.id}/apply`, { version, confirm: true });
      counts[done?.status === 200 ? "applied" : "late"] += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Until every stream has told the last receipt there is. */
async function settle() {
  for (let tries = 0; tries < 240; tries++) {
    const total = (await people[0].get("/state")).json.receipts;
    const last = (events) => events.findLast((event) => event.seq !== null && event.seq !== undefined)?.seq;
    if (heard.every((events) => last(events) === total - 1)) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
