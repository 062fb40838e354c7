/**
 * Weighted mode: shares by weight and score, callers who stay where they are, nobody excluded.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { quantity, STRICT } from "../support/heads.mjs";

const CLIENTS = 200;
const SLOW_MS = 300;
/** Scores are looked at every five seconds. */
const LOOKED_MS = 12_000;
/** Nothing about the head: who lags may answer it first. */
const BY_HASH = ["eth_getBlockByHash", ["0x01", false]];

let t;

before(async () => {
  const block = { eth_getBlockByHash: { number: "0x64", hash: "0x01" } };
  t = await harness({
    chain: false,
    endpoints: [
      scripted("a", { weight: 3, script: block }),
      scripted("b", { script: block }),
      scripted("c", { script: block }),
    ],
    service: { state: "isolate" },
    route: { mode: "weighted", ...STRICT },
  });
});

after(() => t?.stop());

beforeEach(async () => {
  await t.heal();
  for (const endpoint of Object.values(t.endpoint)) endpoint.script.eth_blockNumber = "0x64";
  await t.worker.restart();
});

const from = (n) => ({ headers: { "cf-connecting-ip": `203.0.113.${n % 250}` } });
const read = (n, [method, params] = ["eth_call", [{}, "latest"]]) => t.rpc(method, params, from(n));

/** Per cent of different clients' reads that each endpoint answered. */
async function shares(call) {
  const counts = { a: 0, b: 0, c: 0 };
  for (let n = 0; n < CLIENTS; n += 1) counts[(await read(n, call)).endpoint] += 100 / CLIENTS;
  return counts;
}

test("clients spread by weight, each stays where it is", async () => {
  const { a, b, c } = await shares();
  assert.ok(
    Math.abs(a - 60) < 13 && Math.abs(b - 20) < 11 && Math.abs(c - 20) < 11,
    `${a} ${b} ${c}`,
  );
  const one = await Promise.all(Array.from({ length: 20 }, () => read(7)));
  assert.equal(new Set(one.map(({ endpoint }) => endpoint)).size, 1);
});

test("who becomes slow is asked less, still asked, and the status says why", async () => {
  const before = await shares();
  await t.endpoint.a.set({ mode: "slow", ms: SLOW_MS });
  const slow = await t.until(async () => {
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => read(n * 31)));
    const { score } = (await t.status()).endpoint.a;
    return score.latency < 0.5 && score;
  }, LOOKED_MS);
  assert.deepEqual([slow.success, slow.lag], [1, 1]);
  assert.ok(slow.value >= 0.02);
  const left = await t.until(async () => {
    const now = await shares();
    return now.a < before.a / 2 && now;
  }, LOOKED_MS);
  assert.ok(left.a > 0, "never excluded");
  const { serving, endpoint, mode } = await t.status();
  assert.notEqual(serving, "a");
  assert.deepEqual([mode, endpoint.a.weight, endpoint.b.weight], ["weighted", 3, 1]);
});

test("one that is stale but fast is never first where the head matters", async () => {
  for (const name of ["b", "c"]) t.endpoint[name].script.eth_blockNumber = quantity(200);
  for (let n = 0; n < 60; n += 1) await read(n, ["eth_blockNumber", []]);
  t.endpoint.a.clear();
  const { a } = await shares();
  assert.equal(a, 0);
  assert.ok((await shares(BY_HASH)).a > 0, "but where it does not");
  const { lag_blocks, state } = (await t.status()).endpoint.a;
  assert.deepEqual([lag_blocks, state], [100, "closed"]);
});

test("whoever is first, the others are there when it fails", async () => {
  await t.endpoint.a.set("refuse");
  await t.endpoint.b.set({ mode: "status", status: 500 });
  const { a, b, c } = await shares();
  assert.deepEqual([a, b, Math.round(c)], [0, 0, 100]);
});

test("a batch travels together", async () => {
  const batch = Array.from({ length: 10 }, (_, id) => ({
    jsonrpc: "2.0",
    id,
    method: "eth_call",
    params: [{}, "latest"],
  }));
  const { attempts, body } = await t.fetch("/", { method: "POST", body: batch, ...from(9) });
  assert.deepEqual([attempts, new Set(body.map(({ result }) => result)).size], [1, 1]);
});
