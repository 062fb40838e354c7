/**
 * Public bug reports on payments, by their numbers: what went wrong elsewhere must not happen here.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { facilitators, known, payment } from "../support/facilitators.mjs";

let t;

before(async () => {
  t = await facilitators({ route: { attempt_timeout_ms: 2000 } });
});
after(() => t?.stop());
beforeEach(async () => {
  await t.heal();
  await t.worker.restart();
});

const settles = () => ["a", "b"].map((name) => t.endpoint[name].hits("settle"));

test("B80 a settle that may have moved the money is called unknown, with no call to pay anew", async () => {
  for (const fault of [
    { mode: "reset", when: "after", forward: true },
    { mode: "status", status: 502, forward: true },
    { mode: "status", status: 504, forward: true },
    { mode: "empty", forward: true },
  ]) {
    await t.heal();
    await t.endpoint.a.set({ ...fault, method: "settle" });
    const body = payment();
    const { status, body: said } = await t.settle(body);
    assert.equal(t.ledger.moved(known(body)), true, "the money has moved");
    assert.deepEqual([status, said.outcome, "success" in said], [200, "unknown", false]);
    assert.deepEqual(
      said.attempts.map(({ endpoint }) => endpoint),
      ["a"],
    );
    assert.deepEqual(settles(), [1, 0]);
  }
});

test("B81 a settlement that is pending is passed on with its hash, and is no outage", async () => {
  const pending =
    '{"success":false,"errorReason":"settle_exact_failed_to_get_receipt","transaction":"0xabc1","network":"eip155:8453"}';
  await t.endpoint.a.set({ mode: "status", status: 200, body: pending, method: "settle" });
  const { status, text, endpoint } = await t.settle(payment());
  assert.deepEqual([status, text, endpoint], [200, pending, "a"]);
  assert.deepEqual(settles(), [1, 0]);
  const { failures, consecutive_failures } = (await t.status("pay")).endpoint.a;
  assert.deepEqual([failures, consecutive_failures], [0, 0]);
});

test("B83 a settle that outlasts its client is finished where it is, and its outcome is kept", async () => {
  const body = payment();
  await t.endpoint.a.set({ mode: "slow", ms: 3000, method: "settle" });
  await assert.rejects(t.settle(body, { signal: AbortSignal.timeout(500) }));
  const again = await t.settle(body);
  assert.deepEqual([again.status, again.body.success, again.endpoint], [200, true, "a"]);
  assert.deepEqual(t.ledger.by(known(body)), ["a"]);
  assert.deepEqual(settles(), [1, 0], "verify has a limit of 2 s, settle has none");
});

test("B84 nobody shops for a yes", async () => {
  for (const status of [200, 400]) {
    const no = '{"isValid":false,"invalidReason":"insufficient_funds"}';
    await t.endpoint.a.set({ mode: "status", status, body: no, method: "verify" });
    const answer = await t.verify(payment());
    assert.deepEqual([answer.status, answer.text, answer.endpoint], [status, no, "a"]);
  }
  assert.equal(t.endpoint.b.hits(), 0);
});

test("B85 only a connection that is refused proves that nothing was delivered", async () => {
  for (const fault of [
    "reset",
    { mode: "reset", when: "after", method: "settle" },
    { mode: "status", status: 503, method: "settle" },
  ]) {
    await t.heal();
    await t.worker.restart();
    await t.endpoint.a.set(fault);
    const { body } = await t.settle(payment());
    assert.deepEqual([body.outcome, settles()[1]], ["unknown", 0]);
  }
  await t.heal();
  await t.worker.restart();
  const body = payment();
  await t.verify(body);
  await t.until(() => t.endpoint.a.connections >= 2);
  await sleep(50);
  await t.endpoint.a.set("refuse");
  const paid = await t.settle(body);
  assert.deepEqual([paid.body.success, paid.endpoint, paid.reason], [true, "b", "a=unreached"]);
});
