/**
 * An endpoint that hangs: reads leave it long before its timeouts, nothing is held against it before.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const ATTEMPT_MS = 6000;
const WAITING = 8;

let t;

before(async () => {
  t = await harness({
    chain: false,
    endpoints: [scripted("a"), scripted("b")],
    service: { state: "isolate" },
    route: { attempt_timeout_ms: ATTEMPT_MS, trip_after: 5, cooldown_ms: 60_000 },
  });
});

after(() => t?.stop());

const read = () => t.rpc("eth_call", [{}, "latest"]);

test("reads that wait ask the next one, later ones go there at once, timeouts open the breaker", async () => {
  for (let i = 0; i < 40; i += 1) assert.equal((await read()).endpoint, "a");
  await t.endpoint.a.set("hang");
  t.endpoint.a.clear();

  const waiting = await Promise.all(Array.from({ length: WAITING }, read));
  for (const { endpoint, result, reason, attempts, ms } of waiting) {
    assert.deepEqual([endpoint, reason, attempts], ["b", "a=silent", 2]);
    assert.ok(result);
    assert.ok(ms < ATTEMPT_MS, `took ${ms} ms`);
  }
  const { state, consecutive_failures } = (await t.status()).endpoint.a;
  assert.deepEqual([state, consecutive_failures], ["closed", 0], "nothing is proven yet");

  const later = await read();
  assert.deepEqual([later.endpoint, later.attempts], ["b", 1]);
  assert.equal(t.endpoint.a.hits(), WAITING);

  const opened = await t.until(async () => {
    const { endpoint } = await t.status();
    return endpoint.a.state === "open" && endpoint.a;
  }, 3 * ATTEMPT_MS);
  assert.equal(opened.last_failure.class, "timeout");
  assert.equal(t.endpoint.a.hits(), WAITING);
  const hop = t.events("failover").find(({ reason }) => reason === "silent");
  assert.deepEqual([hop.from, hop.to], ["a", "b"]);
});

test("a send does not leave it", async () => {
  await t.worker.restart();
  await t.endpoint.a.set("answer");
  for (let i = 0; i < 40; i += 1) await read();
  await t.endpoint.a.set("hang");
  const reads = Promise.all(Array.from({ length: WAITING }, read));
  const send = t.rpc("eth_sendRawTransaction", ["0x00"]);
  const { ms, reason } = await send;
  assert.ok(ms >= ATTEMPT_MS, `took ${ms} ms`);
  assert.match(reason ?? "", /^a=timeout/);
  await reads;
});
