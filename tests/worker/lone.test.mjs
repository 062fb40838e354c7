/**
 * A route whose only endpoint is out for the region: a cold isolate that has asked it already waits for
 * its answer, as others try it for want of any other.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

let t;

before(async () => {
  t = await harness({
    chain: false,
    endpoints: [scripted("only")],
    isolates: 3,
    secrets: { ADMIN_TOKEN: "t0ken" },
    route: { trip_after: 1, cooldown_ms: 60_000, cooldown_max_ms: 60_000 },
  });
});
after(() => t?.stop());

test("a cold isolate waits for the answer of the only endpoint, which the region calls open", async () => {
  await t.endpoint.only.set({ mode: "status", status: 500 });
  await t.rpc("eth_getBalance", ["0x1", "0x1"]);
  await t.until(async () => (await t.status()).endpoint.only.state === "open");
  await t.endpoint.only.set({ mode: "slow", ms: 500 });
  const warm = await t.rpc("eth_getBalance", ["0x1", "0x1"]);
  const cold = await t.rpc("eth_getBalance", ["0x1", "0x1"], { isolate: "b" });
  assert.deepEqual([warm.status, warm.result, warm.endpoint], [200, "0x1", "only"]);
  assert.deepEqual([cold.status, cold.result, cold.endpoint], [200, "0x1", "only"]);
});

test("but not for that of one which the operator shut out", async () => {
  const path = "/admin/routes/local/endpoints/only/disable";
  const done = await t.post(path, "", { authorization: "Bearer t0ken" });
  assert.equal(done.status, 200);
  const { status, attempts } = await t.rpc("eth_getBalance", ["0x1", "0x1"], { isolate: "c" });
  assert.deepEqual([status, attempts], [503, 1]);
});
