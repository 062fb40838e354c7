/**
 * Settles: sent once, moved only on proof, unknown when nobody knows.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { facilitators, known, payment } from "../support/facilitators.mjs";

let t;

before(async () => {
  t = await facilitators({
    names: ["a", "b", "c"],
    route: { attempt_timeout_ms: 2000 },
    // No view of a region outlives a restart; payments do.
    more: { service: { state: "isolate" } },
  });
});
after(() => t?.stop());
beforeEach(async () => {
  await t.heal();
  await t.worker.restart();
});

/** Facilitators that were asked to settle a payment, in order. */
const asked = (body) => t.ledger.by(known(body));
const settles = () => ["a", "b", "c"].map((name) => t.endpoint[name].hits("settle"));

/** Lets the isolate find out that connections to the first facilitator prove something. */
async function acquainted() {
  await t.get("/pay/supported");
  // One for the call, one to see whether connections open.
  await t.until(() => t.endpoint.a.connections >= 2);
  await sleep(50);
}

function isUnknown({ status, body, endpoint, headers }, error, more = {}) {
  assert.equal(status, 200);
  assert.equal("success" in body, false);
  assert.deepEqual({ ...body, attempts: [] }, { error, outcome: "unknown", attempts: [], ...more });
  assert.equal(endpoint, null);
  assert.equal(headers.get("content-type"), "application/json");
}

describe("a settle", () => {
  test("goes to who verified it, and only there", async () => {
    const body = payment();
    await t.endpoint.a.set({ mode: "status", status: 503, method: "verify" });
    assert.equal((await t.verify(body)).endpoint, "b");
    const paid = await t.settle(body);
    assert.deepEqual(
      [paid.status, paid.body.success, paid.endpoint, paid.attempts],
      [200, true, "b", 1],
    );
    assert.deepEqual(asked(body), ["b"]);
    assert.deepEqual(settles(), [0, 1, 0]);
  });

  test("goes to who verified it although its breaker is open", async () => {
    const body = payment();
    assert.equal((await t.verify(body)).endpoint, "a");
    await t.endpoint.a.set({ mode: "status", status: 503, method: "supported" });
    await t.endpoint.a.set({ mode: "status", status: 503, method: "verify" });
    for (let i = 0; i < 5; i++) await t.get("/pay/supported");
    await t.until(async () => (await t.status("pay")).endpoint.a.local_state === "open");
    assert.equal((await t.verify(payment())).attempts, 1, "others go to b");
    assert.equal((await t.settle(body)).endpoint, "a");
    assert.notEqual(
      (await t.status("pay")).endpoint.a.local_state,
      "closed",
      "a settle tests nothing",
    );
  });

  test("nobody verified goes to the first that is well", async () => {
    const body = payment();
    assert.equal((await t.settle(body)).endpoint, "a");
    assert.deepEqual(asked(body), ["a"]);
  });

  test("nobody can be asked for is not sent, unless somebody has verified it", async () => {
    const verified = payment();
    assert.equal((await t.verify(verified)).endpoint, "a");
    for (const name of ["a", "b", "c"]) {
      await t.endpoint[name].set({ mode: "status", status: 429, headers: { "retry-after": "60" } });
    }
    assert.equal((await t.verify(payment())).status, 429);
    for (const name of ["a", "b", "c"]) await t.endpoint[name].set("answer");
    const { status, body, headers } = await t.settle(payment());
    assert.deepEqual(
      [status, body],
      [429, { error: "rate_limited", outcome: "not_sent", attempts: [] }],
    );
    assert.ok(Number(headers.get("retry-after")) > 50);
    assert.deepEqual(settles(), [0, 0, 0]);
    assert.equal((await t.settle(verified)).endpoint, "a");
  });

  test("has no time limit", async () => {
    const body = payment();
    await t.endpoint.a.set({ mode: "slow", ms: 3000, method: "settle" });
    const paid = await t.settle(body);
    assert.deepEqual([paid.body.success, paid.endpoint], [true, "a"]);
    assert.ok(paid.ms >= 3000);
  });

  test("goes on when its client has gone", async () => {
    const body = payment();
    await t.endpoint.a.set({ mode: "slow", ms: 2500, method: "settle" });
    const signal = AbortSignal.timeout(500);
    await assert.rejects(t.settle(body, { signal }));
    const again = await t.settle(body);
    assert.deepEqual([again.body.success, again.endpoint, again.attempts], [true, "a", 0]);
    assert.deepEqual(asked(body), ["a"]);
  });

  test("without a payload is not sent", async () => {
    for (const body of [
      "",
      "{",
      "[]",
      "{}",
      '{"paymentPayload":1}',
      '{"paymentPayload":{},"paymentPayload":{}}',
    ]) {
      const { status, body: said } = await t.post("/pay/settle", body);
      assert.deepEqual(
        [status, said],
        [400, { error: "invalid_request", outcome: "not_sent", attempts: [] }],
      );
    }
    assert.deepEqual(settles(), [0, 0, 0]);
  });
});

describe("an answer is passed on as it is", () => {
  for (const [status, body] of [
    [
      200,
      '{ "success":false,"errorReason":"settlement_pending","transaction":"0xd8","network":"n"}',
    ],
    [200, '{"success":true,"transaction":"0x1","network":"n"}'],
    [502, '{"success":false,"errorReason":"x"}'],
    [400, '{"error":"no"}'],
    [401, ""],
    [404, "<html>no</html>"],
    [429, '{"error":"slow down"}'],
  ]) {
    test(`${status} ${body}`, async () => {
      const headers = { "extension-responses": "e30=", "content-type": "text/x-own" };
      await t.endpoint.a.set({ mode: "status", status, body, headers, method: "settle" });
      const answer = await t.settle(payment());
      assert.deepEqual([answer.status, answer.text, answer.endpoint], [status, body, "a"]);
      assert.equal(answer.headers.get("content-type"), "text/x-own");
      assert.equal(answer.headers.get("extension-responses"), "e30=");
      assert.deepEqual(settles(), [1, 0, 0]);
    });
  }
});

describe("an unknown outcome", () => {
  const FAULTS = {
    refused: ["refuse", "network"],
    "reset before": ["reset", "network"],
    "reset after": [{ mode: "reset", when: "after", method: "settle" }, "network"],
    cut: [{ mode: "cut", method: "settle" }, "truncated"],
    500: [{ mode: "status", status: 500, method: "settle" }, "server_error"],
    "502 after settling": [
      { mode: "status", status: 502, forward: true, method: "settle" },
      "server_error",
    ],
    redirect: [{ mode: "redirect", method: "settle" }, "redirect"],
    html: [{ mode: "html", method: "settle" }, "html_error_page"],
    empty: [{ mode: "empty", method: "settle" }, "empty_body"],
    "no success": [
      { mode: "status", status: 200, body: '{"x":1}', method: "settle" },
      "malformed_json",
    ],
  };
  for (const [name, [fault, error]] of Object.entries(FAULTS)) {
    test(`${name}: sent nowhere else`, async () => {
      await t.endpoint.a.set(fault);
      const body = payment();
      const answer = await t.settle(body);
      isUnknown(answer, error);
      assert.deepEqual(answer.body.attempts, [{ endpoint: "a", class: error }]);
      assert.deepEqual(settles().slice(1), [0, 0]);

      await t.endpoint.a.set("answer");
      const again = await t.settle(body);
      const used = again.body.error === "already_known";
      if (used) isUnknown(again, "already_known");
      else assert.equal(again.body.success, true);
      assert.equal(used, name === "502 after settling" || name === "cut", "used by the first try");
      assert.deepEqual(new Set(asked(body)), new Set(["a"]));
      assert.deepEqual(settles().slice(1), [0, 0]);
    });
  }

  test("keeps the transaction that it was told", async () => {
    await t.endpoint.a.set({
      mode: "status",
      status: 200,
      body: '{"transaction":"0xed49"}',
      method: "settle",
    });
    isUnknown(await t.settle(payment()), "malformed_json", { transaction: "0xed49" });
  });

  test("makes a refusal that says used unknown, and no other", async () => {
    const body = payment();
    await t.endpoint.a.set({ mode: "status", status: 502, method: "settle" });
    isUnknown(await t.settle(body), "server_error");
    const refusal = (reason) =>
      JSON.stringify({ success: false, errorReason: reason, transaction: "0x7", network: "" });
    await t.endpoint.a.set({
      mode: "status",
      status: 200,
      body: refusal("nonce_already_used"),
      method: "settle",
    });
    isUnknown(await t.settle(body), "already_known", { transaction: "0x7" });
    await t.endpoint.a.set({
      mode: "status",
      status: 200,
      body: refusal("insufficient_funds"),
      method: "settle",
    });
    assert.equal((await t.settle(body)).body.errorReason, "insufficient_funds");
    await t.endpoint.a.set("answer");
    assert.equal((await t.settle(body)).body.success, true);
    const replay = await t.settle(body);
    assert.equal(replay.body.errorReason, "invalid_exact_evm_nonce_already_used", "known by now");
  });

  test("can be told by the status", async () => {
    const { vars } = t;
    await t.worker.restart({
      vars: { ...vars, ROUTE_PAY: { ...vars.ROUTE_PAY, settle_unknown: "status" } },
    });
    await t.endpoint.a.set({ mode: "html", method: "settle" });
    const answer = await t.settle(payment());
    assert.deepEqual([answer.status, answer.body.outcome], [504, "unknown"]);
    await t.worker.restart({ vars });
  });
});

describe("proof", () => {
  test("moves a settle, once the next one vouches for it", async () => {
    const body = payment();
    await t.verify(body);
    await acquainted();
    await t.endpoint.a.set("refuse");
    const paid = await t.settle(body);
    assert.deepEqual([paid.body.success, paid.endpoint, paid.reason], [true, "b", "a=unreached"]);
    assert.equal(t.endpoint.b.hits("verify"), 1);
    assert.deepEqual(asked(body), ["b"]);
    await t.endpoint.a.set("answer");
    assert.equal((await t.settle(body)).endpoint, "b", "it stays there");
    const { endpoint } = await t.status("pay");
    assert.equal(endpoint.a.last_failure.class, "unreached");
  });

  test("is what a repeat of something sent cannot have", async () => {
    const body = payment();
    await t.endpoint.a.set({ mode: "status", status: 502, method: "settle" });
    isUnknown(await t.settle(body), "server_error");
    await acquainted();
    await t.endpoint.a.set("refuse");
    isUnknown(await t.settle(body), "unreached");
    assert.deepEqual(settles(), [1, 0, 0]);
  });

  test("moves nothing where the next one does not vouch", async () => {
    const body = payment();
    await t.verify(body);
    await acquainted();
    await t.endpoint.a.set("refuse");
    await t.endpoint.b.set({
      mode: "status",
      status: 200,
      body: '{"isValid":false}',
      method: "verify",
    });
    const { status, body: said } = await t.settle(body);
    assert.deepEqual([status, said.error, said.outcome], [503, "unavailable", "not_sent"]);
    assert.deepEqual(
      said.attempts.map((one) => one.class),
      ["unreached", "not_verified"],
    );
    assert.deepEqual(settles(), [0, 0, 0]);
    await t.endpoint.a.set("answer");
    assert.equal((await t.settle(body)).endpoint, "a");
  });

  test("passes over who cannot be asked to verify", async () => {
    const body = payment();
    await t.verify(body);
    await acquainted();
    await t.endpoint.a.set("refuse");
    await t.endpoint.b.set({ mode: "status", status: 502, method: "verify" });
    assert.equal((await t.settle(body)).endpoint, "c");
    assert.deepEqual(asked(body), ["c"]);
  });

  test("of all is 503, and nothing was sent", async () => {
    const body = payment();
    await t.get("/pay/supported");
    await acquainted();
    for (const name of ["a", "b", "c"]) await t.endpoint[name].set("refuse");
    const { status, body: said, headers } = await t.settle(body);
    assert.deepEqual([status, said.error, said.outcome], [503, "unavailable", "not_sent"]);
    assert.ok(Number(headers.get("retry-after")) >= 1);
    await t.heal();
    assert.equal((await t.settle(body)).body.success, true);
  });

  test("moves nothing with settle_failover never", async () => {
    const { vars } = t;
    await t.worker.restart({
      vars: { ...vars, ROUTE_PAY: { ...vars.ROUTE_PAY, settle_failover: "never" } },
    });
    const body = payment();
    await t.verify(body);
    await acquainted();
    await t.endpoint.a.set("refuse");
    const { status, body: said } = await t.settle(body);
    assert.deepEqual([status, said.outcome], [503, "not_sent"]);
    assert.deepEqual(settles(), [0, 0, 0]);
    await t.worker.restart({ vars });
  });
});
