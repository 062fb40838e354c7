/**
 * Reports from the field: what upstreams' errors mean. `tests/reports` has the list.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { secret } from "../support/calls.mjs";
import { error, http, refusing, scenes } from "../support/scenes.mjs";

let t;
let scene;

before(async () => {
  ({ t, scene } = await scenes(
    {
      b1: {},
      b2: {},
      b3: {},
      b5: { count: 3 },
      b6: {},
      b7: { count: 1 },
      b8: {},
      b9: {},
      b10: {},
      "b10-403": {},
      b12: { endpoint: { path: `/v2/${secret("KEY")}` } },
      b13: {},
      b14: {},
      "b14-range": {},
      "b14-alone": { count: 1 },
      b15: {},
      b20: {},
    },
    { secrets: { KEY: "s3cr3tkey" } },
  ));
});

after(() => t?.stop());

/** The second endpoint answers one read, and the first rests without a failure. */
async function restsAfter(s) {
  const { by, status } = await s.read();
  assert.deepEqual([by, status], ["b", 200]);
  const { rest, consecutive_failures, state } = await s.status();
  assert.deepEqual([rest > 0, consecutive_failures, state], [true, 0, "closed"]);
  return rest;
}

test("B1 an error is no result: the first endpoint's throttle is not the answer", async () => {
  const s = scene("b1");
  await s.a.set(error(-32016, "over rate limit"));
  await restsAfter(s);
  assert.deepEqual(s.hits(), [1, 1]);
  assert.equal((await s.read()).by, "b");
  assert.deepEqual(s.hits(), [1, 2]);
});

test("B2 a dead key is survived by every read, not by some methods", async () => {
  const s = scene("b2");
  for (const { script } of [s.a, s.b]) script.eth_estimateGas = "0x5208";
  await s.a.set(http(401));
  for (const method of ["eth_blockNumber", "eth_call", "eth_estimateGas"]) {
    assert.equal((await s.rpc(method, [{}])).by, "b", method);
  }
});

test("B3 an unknown code under 429 is a throttle", async () => {
  const s = scene("b3");
  await s.a.set(error(-32011, "request limit reached", { status: 429 }));
  await restsAfter(s);
});

test("B5 a revert is asked for once and comes back as it was", async () => {
  const s = scene("b5");
  const revert = { code: 3, message: "execution reverted: no", data: "0x08c379a0" };
  for (const endpoint of [s.a, s.b, s.c]) await endpoint.set({ mode: "rpc_error", ...revert });
  assert.deepEqual((await s.read()).error, revert);
  assert.deepEqual(s.hits(), [1, 0, 0]);
});

test("B6 bad parameters are the caller's matter", async () => {
  const s = scene("b6");
  const wrong = { code: -32602, message: "invalid argument 0: not an address" };
  await s.a.set({ mode: "rpc_error", ...wrong });
  assert.deepEqual((await s.read()).error, wrong);
  assert.deepEqual(s.hits(), [1, 0]);
});

test("B7 a throttle with nobody else to ask says so, and is no revert", async () => {
  const s = scene("b7");
  await s.a.set(error(-32016, "over rate limit"));
  const { status, error: told, result } = await s.read();
  assert.deepEqual([status, told.code, result], [429, -32005, undefined]);
});

test("B8 a throttle wrapped in the text of another error", async () => {
  const s = scene("b8");
  const inner = '{"code":-32016,"message":"over rate limit"}';
  await s.a.set(error(-32000, `429 Too Many Requests: ${inner}`));
  await restsAfter(s);
});

test("B9 a limit on each query for logs means that they are switched off there", async () => {
  const s = scene("b9");
  s.a.script.eth_getLogs = refusing(-32005, "limit exceeded");
  s.b.script.eth_getLogs = [];
  for (let i = 0; i < 20; i++) {
    assert.equal((await s.rpc("eth_getLogs", [{ fromBlock: "0x1", toBlock: "0x1" }])).by, "b");
    assert.equal((await s.read()).by, "a");
  }
  assert.ok(s.a.hits("eth_getLogs") <= 3, `${s.a.hits("eth_getLogs")} tries`);
});

const SPENT = "Monthly capacity limit exceeded. Upgrade your plan.";
for (const [name, fault] of [
  ["b10", error(429, SPENT, { status: 429 })],
  ["b10-403", error(-32600, SPENT, { status: 403 })],
]) {
  test(`B10 a month's allowance that is gone (${fault.status}): minutes of rest`, async () => {
    const s = scene(name);
    await s.a.set(fault);
    assert.ok((await restsAfter(s)) > 290);
    for (let i = 0; i < 99; i++) assert.equal((await s.read()).by, "b");
    assert.deepEqual(s.hits(), [1, 100]);
  });
}

test("B12 an error that is a bare string, under 401", async () => {
  const s = scene("b12");
  await s.a.set(http(401, '{"error":"message: API key disabled, reason: tenant disabled"}'));
  assert.ok((await restsAfter(s)) > 290);
  const [alert] = t.events("alert").filter(({ endpoint }) => endpoint === "b12-a");
  assert.match(alert.message, /key|account|plan|unauthorized/i);
  assert.ok(!t.logs.join("\n").includes("s3cr3tkey"));
});

test("B13 an internal error goes on, unless it is a revert", async () => {
  const s = scene("b13");
  await s.a.set(error(-32603, "Internal error"));
  assert.equal((await s.read()).by, "b");
  const revert = error(-32603, "Internal error", { data: `0x08c379a0${"00".repeat(64)}` });
  await s.a.set(revert);
  const { by, error: told } = await s.read();
  assert.deepEqual([by, told.code, told.data], ["a", -32603, revert.data]);
});

const PLAN = error(30, "Request timeout on the free tier, please upgrade", { status: 408 });
const RANGE = error(35, "ranges over 10000 blocks are not supported", { status: 400 });
const logs = (s) => s.rpc("eth_getLogs", [{ fromBlock: "0x1", toBlock: "0x66" }]);
for (const [name, fault] of [
  ["b14", PLAN],
  ["b14-range", RANGE],
]) {
  test(`B14 small codes of one vendor's own: ${fault.code}`, async () => {
    const s = scene(name);
    s.b.script.eth_getLogs = [];
    await s.a.set(fault);
    assert.equal((await logs(s)).by, "b");
    await s.a.set("answer");
    assert.equal((await s.read()).by, "a", "nothing else is held against it");
  });
}

test("B14 with nobody else to ask, the range refusal is passed on as it is", async () => {
  const s = scene("b14-alone");
  await s.a.set(RANGE);
  for (let i = 0; i < 2; i++) {
    const { status, error: told } = await logs(s);
    assert.deepEqual([status, told], [200, { code: 35, message: RANGE.message }]);
  }
});

test("B15 code 3 without a revert is none: the block is asked for elsewhere", async () => {
  const s = scene("b15");
  await s.a.set(error(3, "Unknown block"));
  assert.equal((await s.read()).by, "b");
});

test("B20 a quota told under 400", async () => {
  const s = scene("b20");
  await s.a.set(http(400, '{"error":"You have exceeded your monthly quota"}'));
  assert.equal((await s.read()).by, "b");
});
