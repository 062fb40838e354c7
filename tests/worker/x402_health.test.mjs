/**
 * Breakers of facilitators: what opens them, and how the region's object finds out that one is well
 * again without asking for anything that moves money.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { facilitators, payment } from "../support/facilitators.mjs";

const QUICK = {
  trip_after: 2,
  cooldown_ms: 300,
  cooldown_max_ms: 300,
  close_after: 2,
  poll_ms: 200,
  attempt_timeout_ms: 2000,
};

let t;
before(async () => {
  t = await facilitators({
    names: ["a", { name: "b", forward_headers: ["authorization"] }],
    route: QUICK,
  });
});
after(() => t?.stop());
beforeEach(() => t.heal());

const state = async (name) => (await t.status("pay")).endpoint[name].state;

describe("a facilitator that is down", () => {
  test("is left, probed by supported, and taken back", async () => {
    await t.endpoint.a.set({ mode: "status", status: 503 });
    for (let i = 0; i < 2; i++) assert.equal((await t.verify(payment())).endpoint, "b");
    const [event] = await t.until(() => t.events("failover").length > 0 && t.events("failover"));
    const { route, operation, from, to, reason, status } = event;
    assert.deepEqual(
      { route, operation, from, to, reason, status },
      {
        route: "pay",
        operation: "verify",
        from: "a",
        to: "b",
        reason: "server_error",
        status: 503,
      },
    );
    await t.until(async () => (await state("a")) === "open");
    t.endpoint.a.clear();
    assert.equal((await t.verify(payment())).attempts, 1);

    await t.endpoint.a.set("answer");
    await t.until(async () => (await state("a")) === "closed");
    const seen = t.endpoint.a.requests.map(({ httpMethod, path }) => `${httpMethod} ${path}`);
    assert.deepEqual(new Set(seen), new Set(["GET /supported"]));
    await t.until(async () => (await t.verify(payment())).endpoint === "a");

    const { transitions, serving, endpoint } = await t.status("pay");
    assert.deepEqual(
      transitions.map(({ endpoint: name, from, to }) => `${name} ${from} ${to}`).slice(0, 3),
      ["a half_open closed", "a open half_open", "a closed open"],
    );
    assert.deepEqual([serving, endpoint.a.head, endpoint.a.lag_blocks], ["a", null, null]);
    assert.ok(endpoint.a.methods.supported.requests >= 2);
  });

  test("its settles count against it too", async () => {
    await t.until(async () => (await t.status("pay")).endpoint.a.local_state === "closed");
    await t.endpoint.a.set({ mode: "status", status: 502 });
    const body = payment();
    for (let i = 0; i < 2; i++) assert.equal((await t.settle(body)).body.outcome, "unknown");
    const told = async () => (await t.status("pay")).endpoint.a;
    assert.equal((await told()).local_state, "open");
    await t.until(async () => (await told()).methods.settle?.failures === 2);
    await t.endpoint.a.set("answer");
    await t.until(async () => (await state("a")) === "closed");
  });
});

test("one that wants its callers' credentials is well when it asks for them", async () => {
  await t.until(async () => (await state("b")) === "closed");
  await t.endpoint.a.set("refuse");
  await t.endpoint.b.set("refuse");
  await t.until(async () => {
    await t.verify(payment());
    return (await state("b")) === "open";
  });
  await t.endpoint.b.set({ mode: "status", status: 401, body: '{"error":"no token"}' });
  await t.until(async () => (await state("b")) === "closed");
  const { endpoint } = await t.status("pay");
  assert.equal(endpoint.b.throttled_until_ms, null);
  const refused = await t.verify(payment());
  assert.deepEqual([refused.status, refused.text], [401, '{"error":"no token"}'], "the caller's");
});

test("a cold isolate leaves who is out for the region, and waits for nobody", async () => {
  const route = {
    ...QUICK,
    cooldown_ms: 60_000,
    cooldown_max_ms: 60_000,
    attempt_timeout_ms: 30_000,
  };
  const own = await facilitators({ route, more: { isolates: 2 } });
  try {
    await own.endpoint.a.set({ mode: "status", status: 503 });
    for (let i = 0; i < 2; i++) await own.verify(payment());
    await own.until(async () => (await own.status("pay")).endpoint.a.state === "open");
    await own.endpoint.a.set("hang");
    const cold = await own.verify(payment(), { isolate: "b" });
    assert.deepEqual([cold.endpoint, cold.reason], ["b", "a=breaker_open"]);
    assert.ok(cold.ms < 20_000, `${cold.ms} ms`);
  } finally {
    await own.stop();
  }
});
