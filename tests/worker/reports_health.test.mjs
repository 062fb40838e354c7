/**
 * Reports from the field: what counts against an endpoint, and what a dead one does to others.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../support/calls.mjs";
import { postAndLeave } from "../support/leave.mjs";
import { error, http, scenes } from "../support/scenes.mjs";

const ATTEMPT_MS = 2000;

let t;
let scene;

before(async () => {
  ({ t, scene } = await scenes(
    {
      b21: {},
      b24: {},
      b25: {},
      b26: {},
      b31: {},
      b33: { attempt_timeout_ms: ATTEMPT_MS },
      b34: {},
      "b72-301": { count: 3 },
      "b72-302": { count: 3 },
      "b72-308": { count: 3 },
    },
    {
      routes: {
        ROUTE_B32: {
          protocol: "evm",
          chain_id: 31337,
          endpoints: [{ name: "socket", url: "wss://rpc.example.org" }],
        },
        ROUTE_B32_NOBODY: {
          protocol: "evm",
          chain_id: 31337,
          endpoints: [{ name: "nobody", url: "https://nobody.invalid" }, "b31-b"],
        },
      },
    },
  ));
});

after(() => t?.stop());

const well = async (s) => {
  const { state, failures, trips_total } = await s.status();
  assert.deepEqual([state, failures, trips_total], ["closed", 0, 0]);
};
const times = (n, act) => Promise.all(Array.from({ length: n }, (_, i) => act(i)));

test("B21 unknown methods and a throttle now and then do not open the breaker", async () => {
  const s = scene("b21");
  await s.a.set({ mode: "status", status: 405, method: "eth_other" });
  await s.a.set({ mode: "rate_limit", method: "eth_gasPrice", times: 2, retry_after: 1 });
  await times(25, () => s.rpc("eth_nothing"));
  await times(25, () => s.rpc("eth_other"));
  await s.rpc("eth_gasPrice");
  assert.deepEqual([(await s.status()).state, (await s.status()).trips_total], ["closed", 0]);
  await t.until(async () => (await s.rpc("eth_blockNumber")).by === "a");
});

test("B24 one caller's mistakes take nothing from another", async () => {
  const s = scene("b24");
  await s.a.set(error(-32602, "invalid params", { method: "eth_getBalance" }));
  for (let i = 0; i < 10; i++) await times(20, () => s.rpc("eth_getBalance", ["no address"]));
  await times(10, async () => assert.equal((await s.read()).by, "a"));
  assert.equal(s.b.hits(), 0);
  await well(s);
});

const body = JSON.stringify(call("eth_call", [{}, "latest"]));

test("B25 fifty callers who hang up are no failures", async () => {
  const s = scene("b25");
  await s.a.set("hang");
  await times(50, () => postAndLeave(t.url + s.path, body, () => sleep(100)));
  await t.until(() => s.a.requests.every(({ abandoned }) => abandoned));
  await well(s);
  await s.a.set("answer");
  assert.equal((await s.read()).by, "a");
});

test("B26 a caller who hangs up: nothing is counted, nobody else is asked", async () => {
  const s = scene("b26");
  await s.a.set("hang");
  await postAndLeave(t.url + s.path, body, () => t.until(() => s.a.hits()));
  await t.until(() => s.a.requests[0].abandoned);
  await sleep(ATTEMPT_MS);
  assert.equal(s.b.hits(), 0);
  await well(s);
});

test("B31 an endpoint that is dead from the start does not hold up the first call", async () => {
  const s = scene("b31");
  await s.a.set("refuse");
  assert.equal((await s.read()).by, "b");
});

test("B32 a socket's URL is refused in words; a fetch that fails is a failed attempt", async () => {
  const bad = await t.rpc("eth_blockNumber", [], { path: "/b32" });
  assert.deepEqual([bad.status, bad.error.code], [500, -32002]);
  assert.match(bad.error.message, / ROUTE_B32\.endpoints\[0\]\.url: /);
  const good = await t.rpc("eth_blockNumber", [], { path: "/b32-nobody" });
  assert.deepEqual([good.status, good.reason], [200, "nobody=network"]);
});

test("B33 a body that breaks off or stalls is a failed attempt", async () => {
  const s = scene("b33");
  for (const [n, fault] of [
    { mode: "cut" },
    { mode: "cut", chunked: true },
    { mode: "stall" },
  ].entries()) {
    await s.a.set(fault);
    const { by, status } = await s.read();
    assert.deepEqual([by, status], ["b", 200]);
    assert.equal((await s.status()).consecutive_failures, n + 1);
  }
});

test("B34 a body that is not in the encoding it claims", async () => {
  const s = scene("b34");
  const plain = '{"jsonrpc":"2.0","id":1,"result":"0x01"}';
  await s.a.set(http(200, plain, { "content-encoding": "gzip" }));
  assert.equal((await s.read()).by, "b");
});

for (const status of [301, 302, 308]) {
  test(`B72 a redirect (${status}) is not followed`, async () => {
    const s = scene(`b72-${status}`);
    await s.a.set({ mode: "redirect", status, location: s.c.url });
    assert.equal((await s.read()).by, "b");
    assert.deepEqual(s.hits(), [1, 1, 0]);
    assert.equal(s.b.requests[0].httpMethod, "POST");
  });
}
