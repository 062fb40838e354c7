/**
 * How often the Durable Object is asked: a stand-in counts each request on its way to the true one.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { standIn } from "../support/stand_in.mjs";
import { printTable } from "../support/table.mjs";

/** Ten calls at a time. */
const AT_ONCE = 10;
/** News is handed in at once, but not within a second of the last hand-in. */
const DEBOUNCE_MS = 1200;

let t;
const seen = [];

before(async () => {
  t = await harness({
    chain: false,
    endpoints: [scripted("a"), scripted("b")],
    route: { trip_after: 2, cooldown_ms: 60_000, cooldown_max_ms: 60_000 },
    worker: standIn("counts"),
  });
});

after(async () => {
  const columns = ["Requests", "Seconds", "Requests to the Durable Object"];
  printTable("The hot path", columns, seen);
  await t?.stop();
});

/** Asks so often, and for so long; how often that asked the object. */
async function handIns(what, atLeast, atLeastMs = 0) {
  t.worker.logs.clear();
  const began = performance.now();
  let requests = 0;
  while (requests < atLeast || performance.now() - began < atLeastMs) {
    requests += AT_ONCE;
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => t.rpc("eth_call")));
    assert.ok(answers.every(({ status }) => status === 200));
  }
  const s = (performance.now() - began) / 1000;
  const count = t.events("hand_in").length;
  seen.push([`${requests} ${what}`, s.toFixed(1), count]);
  return { count, s, requests };
}

test("1,000 healthy requests: one hand-in, and one more per 15 s", async (context) => {
  const { count, s } = await handIns("with all well", 1000);
  context.diagnostic(`${count} requests to the Durable Object for 1,000 of clients`);
  assert.ok(count >= 1 && count <= 1 + Math.ceil(s / 15), `${count} in ${s} s`);
  // Nothing was lost on the way.
  await t.until(async () => (await t.status()).endpoint.a.methods.eth_call?.requests === 1000);
});

test("with an endpoint down: one at the trip, and one more per 5 s", async (context) => {
  await t.endpoint.a.set({ mode: "status", status: 500 });
  const { count, s, requests } = await handIns("with the first endpoint down", 500, DEBOUNCE_MS);
  context.diagnostic(`${count} requests to the Durable Object for ${requests} of clients`);
  assert.ok(count >= 1 && count <= 2 + Math.ceil(s / 5), `${count} in ${s} s`);
});
