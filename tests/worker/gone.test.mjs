/**
 * Clients that go away before their answer: they leave nothing behind.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { call, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { postAndLeave } from "../support/leave.mjs";
import { wasmMib, watched } from "../support/watched.mjs";

/** No attempt ends by itself while a test looks. */
const PATIENT = { attempt_timeout_ms: 60_000, total_timeout_ms: 60_000 };
const WAIT_MS = 60_000;
const AT_ONCE = 10;
const USUAL_MS = 500;

let t;
let built;
before(async () => {
  built = watched();
  t = await harness({
    chain: false,
    endpoints: [scripted("a"), scripted("b")],
    route: PATIENT,
    worker: { project: built.project },
  });
});
after(async () => {
  await t?.stop();
  built?.remove();
});
afterEach(() => t.heal());

const text = JSON.stringify(call("eth_call", []));
const abandoned = () => t.endpoint.a.requests.filter((seen) => seen.abandoned).length;

/** So many clients at once go away when their requests are at the endpoint. */
async function leave(count) {
  const { length } = t.endpoint.a.requests;
  const there = () => t.until(() => t.endpoint.a.requests.length >= length + count, WAIT_MS);
  await Promise.all(Array.from({ length: count }, () => postAndLeave(t.url, text, there)));
  await t.until(() => abandoned() >= length + count, WAIT_MS);
}

test("the memory of a Worker does not grow with them", async () => {
  await t.endpoint.a.set("hang");
  for (let n = 0; n < 20; n += 1) await leave(AT_ONCE);
  const before = await wasmMib(t.url);
  for (let n = 0; n < 40; n += 1) await leave(AT_ONCE);
  const grown = (await wasmMib(t.url)) - before;
  assert.ok(grown < 0.5, `${grown} MiB for 400 clients`);
});

test("they do not make an endpoint that is slow a silent one", async () => {
  // Its usual pace: a silence is odd after three times as long.
  await t.endpoint.a.set({ mode: "slow", ms: USUAL_MS });
  for (let n = 0; n < 4; n += 1) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => t.rpc("eth_call")));
  }
  t.endpoint.a.clear();
  await t.endpoint.a.set("hang");
  await leave(5);
  await t.endpoint.a.set({ mode: "slow", ms: 10 * USUAL_MS });
  const { endpoint, attempts } = await t.rpc("eth_call");
  assert.deepEqual([endpoint, attempts], ["a", 1]);
});

test("what a client sent goes on without it", async () => {
  await t.endpoint.a.set({
    mode: "status",
    status: 500,
    ms: 500,
    method: "eth_sendRawTransaction",
  });
  const send = JSON.stringify(call("eth_sendRawTransaction", ["0x01"]));
  const there = () => t.until(() => t.endpoint.a.hits("eth_sendRawTransaction") === 1, WAIT_MS);
  await postAndLeave(t.url, send, there);
  await t.until(() => t.endpoint.b.hits("eth_sendRawTransaction") === 1, WAIT_MS);
});
