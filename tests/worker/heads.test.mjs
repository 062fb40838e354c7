/** An endpoint that stands still: asked last for what depends on the head, first for all else. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { harness } from "../support/harness.mjs";

const LAG_MS = 300;

let t;
let height = 100;
let stuck = false;
const hex = (n) => `0x${n.toString(16)}`;
const head = (name) => (name === "a" && stuck ? 105 : height);

const endpoint = (name) => ({
  name,
  script: {
    eth_blockNumber: () => hex(head(name)),
    eth_getTransactionReceipt: () => null,
    eth_getBlockByNumber: () => ({ number: "0x1" }),
    eth_getLogs: () => [],
    eth_call: () => "0x01",
  },
});

before(async () => {
  t = await harness({
    chain: false,
    endpoints: [endpoint("a"), endpoint("b"), endpoint("c")],
    route: { poll_ms: 100, max_lag_ms: LAG_MS, trip_after: 1000 },
  });
});
after(() => t.stop());

/** The chain grows until the status says so, with some traffic to keep the polls going. */
const grow = (holds) =>
  t.until(async () => {
    height += 1;
    await t.rpc("eth_call", [{}, "0x10"]);
    const status = await t.status();
    return holds(status) && status;
  }, 15_000);

/** Reading the status brings the isolate the region's heads, once a second. */
const servedBy = (name) =>
  t.until(async () => {
    await t.status();
    return (await t.rpc("eth_call", [{}, "latest"])).endpoint === name;
  }, 15_000);

test("heads are known from polls, and nobody lags", async () => {
  const status = await grow((s) => s.endpoint.c.head > 100);
  assert.equal(status.endpoint.b.lag_blocks <= 2, true);
  assert.equal((await t.rpc("eth_call", [{}, "latest"])).endpoint, "a");
});

test("a stuck endpoint shows its lag, and its breaker stays closed", async () => {
  await grow(() => height >= 105);
  stuck = true;
  const status = await grow((s) => s.endpoint.a.lag_blocks > 5);
  assert.equal(status.endpoint.a.state, "closed");
  assert.equal(status.endpoint.a.failures, 0);
});

test("it is asked last for what depends on the head and first for the rest", async () => {
  await servedBy("b");
  assert.equal((await t.rpc("eth_blockNumber")).endpoint, "b");
  assert.equal((await t.rpc("eth_getTransactionReceipt", ["0xaa"])).endpoint, "b");
  assert.equal((await t.rpc("eth_call", [{}, "0x10"])).endpoint, "a");
  assert.equal((await t.rpc("eth_getBlockByNumber", ["0x1", false])).endpoint, "a");
});

test("its empty answer about a block that it lacks is doubted", async () => {
  await servedBy("b");
  // Higher than what clients were told: for that they would be sent to who has it.
  const told = Number((await t.rpc("eth_blockNumber")).result);
  await grow(() => height > told + 5);
  const range = [{ fromBlock: "0x1", toBlock: hex(height - 1) }];
  const answer = await t.rpc("eth_getLogs", range);
  assert.equal(answer.attempts, 2, "nobody knows more, so the first answer stands");
  assert.match(answer.reason, /=empty_result/);
  const old = await t.rpc("eth_getLogs", [{ fromBlock: "0x1", toBlock: "0x2" }]);
  assert.deepEqual([old.endpoint, old.attempts], ["a", 1]);
});

test("it is first again once it caught up", async () => {
  stuck = false;
  await servedBy("a");
});
