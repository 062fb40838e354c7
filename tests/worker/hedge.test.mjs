/**
 * Hedging: a read whose endpoint is late asks the next one meanwhile, within a budget; nothing is held
 * against the late one.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { call, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { transaction } from "../support/transaction.mjs";

const AFTER_MS = 150;
const SLOW_MS = 2500;

let t;

before(async () => {
  t = await harness({
    chain: false,
    endpoints: [scripted("a"), scripted("b"), scripted("c")],
    service: { state: "isolate" },
    route: { hedge_after_ms: AFTER_MS, max_attempts: 2, trip_after: 1 },
  });
});

after(() => t?.stop());

beforeEach(async () => {
  await t.heal();
  await t.worker.restart();
});

const read = () => t.rpc("eth_call", [{}, "latest"]);

test("the next one is asked and the first good answer wins", async () => {
  await t.endpoint.a.set({ mode: "slow", ms: SLOW_MS });
  const { endpoint, reason, attempts, ms } = await read();
  assert.deepEqual([endpoint, reason, attempts], ["b", "a=slow", 2]);
  assert.ok(ms >= AFTER_MS && ms < SLOW_MS, `took ${ms} ms`);
});

test("the late one is counted as slow, never as failed, and its request goes on to its end", async () => {
  await t.endpoint.a.set({ mode: "slow", ms: SLOW_MS });
  await read();
  const a = await t.until(async () => {
    const { endpoint } = await t.status();
    return endpoint.a.requests === 1 && endpoint.a;
  });
  assert.deepEqual([a.slow, a.failures, a.state, a.consecutive_failures], [1, 0, "closed", 0]);
  assert.equal(t.endpoint.a.requests[0].abandoned, false);
  assert.ok(a.latency_ms.p50 >= SLOW_MS, "its true time");
});

test("a bad answer does not win", async () => {
  await t.endpoint.a.set({ mode: "slow", ms: 2 * AFTER_MS });
  await t.endpoint.b.set({ mode: "status", status: 500 });
  const { endpoint, reason, result } = await read();
  assert.deepEqual([endpoint, reason], ["a", "b=server_error"]);
  assert.ok(result);
});

test("nobody else is asked while the answer is in time, and a send waits for its own", async () => {
  await t.endpoint.a.set({ mode: "slow", ms: AFTER_MS / 3 });
  assert.deepEqual([(await read()).attempts, t.endpoint.b.hits()], [1, 0]);
  await t.endpoint.a.set({ mode: "slow", ms: 3 * AFTER_MS });
  const { raw, hash } = await transaction();
  t.endpoint.a.script.eth_sendRawTransaction = hash;
  assert.equal((await t.rpc("eth_sendRawTransaction", [raw])).result, hash);
  assert.equal(t.endpoint.b.hits("eth_sendRawTransaction"), 0);
});

test("a batch is hedged as one request", async () => {
  await t.endpoint.a.set({ mode: "slow", ms: SLOW_MS });
  const { attempts, body } = await t.post(
    "/",
    [1, 2, 3].map((id) => call("eth_call", [{}, "latest"], id)),
  );
  assert.deepEqual([attempts, body.length, t.endpoint.b.hits()], [2, 3, 1]);
});

test("a slow day is not asked twice: three to begin with, then one in ten", async () => {
  await t.endpoint.a.set({ mode: "slow", ms: 2 * AFTER_MS });
  const answers = [];
  for (let i = 0; i < 24; i += 1) answers.push(await read());
  const hedged = t.endpoint.b.hits();
  assert.ok(hedged >= 4 && hedged <= 6, `${hedged} hedged`);
  assert.equal(answers.filter(({ endpoint }) => endpoint === "a").length, 24 - hedged);
});
