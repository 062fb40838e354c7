/**
 * Reports from the field: what the region's object does, and what it remembers.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { refusing, scenes } from "../support/scenes.mjs";

const POLL_MS = 100;
const BURST = 100;

let t;
let scene;

before(async () => {
  ({ t, scene } = await scenes(
    {
      b28: { count: 4 },
      b79: { count: 2, poll_ms: POLL_MS, trip_after: 1, cooldown_ms: 200 },
      b65: {},
    },
    { service: { state: "region" } },
  ));
});

after(() => t?.stop());

/** Answers one call in a second. */
function limited(result) {
  let last = 0;
  return () => {
    if (Date.now() - last < 1_000) refusing(-32005, "rate limit exceeded")();
    last = Date.now();
    return result;
  };
}

test("B28 no storm of checks: the chain is not asked for with each failover", async () => {
  const s = scene("b28");
  const ends = [s.a, s.b, s.c, s.d];
  for (const end of ends) end.script.eth_call = limited("0x01");
  await s.d.set("refuse");
  for (let i = 0; i < BURST; i++) await s.read();
  assert.ok(Math.max(...s.hits("eth_chainId"), ...s.hits("net_version")) <= 1);
  assert.notEqual((await s.status("d")).chain_id, "wrong");
});

test("B65 an endpoint of another chain serves nobody, even when the right one is down", async () => {
  const s = scene("b65");
  s.b.script.eth_chainId = "0x38";
  await s.read();
  await t.until(async () => (await s.status("b")).chain_id === "wrong");
  // The isolate hears of it within a second of its first hand-in.
  await sleep(1000);
  await s.read();
  await sleep(200);
  await s.a.set({ mode: "status", status: 520 });
  for (let i = 0; i < 10; i++) {
    const { status, error } = await s.read();
    assert.deepEqual([status, error.code], [503, -32002]);
  }
  assert.equal(s.b.hits("eth_call"), 0);
});

test("B79 an endpoint that was taken out of the list is not asked again", async () => {
  const s = scene("b79");
  await s.b.set("refuse");
  await t.until(async () => {
    await s.a.set({ mode: "status", status: 500, times: 1 });
    await s.read();
    return (await s.status("b")).state === "open";
  });
  const kept = t.vars.ROUTE_B79.endpoints.slice(0, 1);
  const vars = { ...t.vars, ROUTE_B79: { ...t.vars.ROUTE_B79, endpoints: kept } };
  await s.b.set("answer");
  s.b.clear();
  await t.worker.restart({ vars });
  for (let i = 0; i < 10; i++) await s.read();
  const probed = s.a.hits("eth_blockNumber");
  await t.until(() => s.a.hits("eth_blockNumber") > probed + 2);
  await sleep(POLL_MS);
  assert.equal(s.b.connections, 0);
});
