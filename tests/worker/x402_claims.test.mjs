/**
 * One payment in several hands: isolates in different regions, clients that repeat, holders that
 * vanish, an object that is not there.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { facilitators, known, payment } from "../support/facilitators.mjs";
import { brokenStorage, noObject, standIn } from "../support/stand_in.mjs";

/** How long a holder may be silent. */
const LEASE_MS = 30_000;
const EUROPE = { isolate: "a", cf: { continent: "EU" } };
const ASIA = { isolate: "b", cf: { continent: "AS" } };
const NOT_SENT = { error: "no_claim", outcome: "not_sent", attempts: [] };

describe("two isolates in two regions", () => {
  let t;
  before(async () => {
    t = await facilitators({ more: { isolates: 2 } });
  });
  after(() => t?.stop());
  beforeEach(() => t.heal());
  const asked = (body) => t.ledger.by(known(body));

  test("who verified in one settles from the other", async () => {
    const body = payment();
    await t.endpoint.a.set({ mode: "status", status: 503, method: "verify" });
    assert.equal((await t.verify(body, EUROPE)).endpoint, "b");
    assert.equal((await t.settle(body, ASIA)).endpoint, "b");
    assert.deepEqual(asked(body), ["b"]);
    const regions = await Promise.all([EUROPE, ASIA].map((how) => t.status("pay", how)));
    assert.deepEqual(
      regions.map(({ region }) => region),
      ["weur", "apac"],
    );
  });

  test("while one settles the others wait for the same bytes", async () => {
    const body = payment();
    await t.endpoint.a.set({ mode: "slow", ms: 3000, method: "settle" });
    const all = await Promise.all(
      [EUROPE, ASIA, EUROPE, ASIA, ASIA].map((how) => t.settle(body, how)),
    );
    assert.deepEqual(asked(body), ["a"]);
    assert.equal(new Set(all.map(({ text }) => text)).size, 1);
    assert.equal(all.filter(({ attempts }) => attempts === 1).length, 1);
    for (const { status, body: said, endpoint } of all) {
      assert.deepEqual([status, said.success, endpoint], [200, true, "a"]);
    }
  });

  test("they hear of an unknown outcome too", async () => {
    const body = payment();
    const fault = { mode: "status", status: 502, ms: 2000, forward: true, method: "settle" };
    await t.endpoint.a.set(fault);
    const all = await Promise.all([EUROPE, ASIA].map((how) => t.settle(body, how)));
    assert.deepEqual(
      all.map(({ status, body: said }) => [status, said.outcome, said.error]),
      Array(2).fill([200, "unknown", "server_error"]),
    );
    assert.deepEqual(asked(body), ["a"]);
  });

  test("a repeat is sent again, to the same one", async () => {
    const body = payment();
    const pending = '{"success":false,"errorReason":"settlement_pending","transaction":"0x1"}';
    await t.endpoint.a.set({
      mode: "status",
      status: 200,
      body: pending,
      times: 1,
      method: "settle",
    });
    assert.equal((await t.settle(body, EUROPE)).text, pending);
    assert.equal((await t.settle(body, ASIA)).body.success, true);
    assert.deepEqual([t.endpoint.a.hits("settle"), t.endpoint.b.hits("settle")], [2, 0]);
  });

  test("other payments are not held up", async () => {
    await t.endpoint.a.set({ mode: "slow", ms: 5000, method: "settle" });
    const slow = t.settle(payment(), EUROPE);
    await t.until(() => t.endpoint.a.hits("settle") === 1);
    await t.endpoint.a.set("answer");
    assert.ok((await t.settle(payment(), EUROPE)).ms < 5000);
    assert.equal((await slow).body.success, true);
  });

  test("a restart forgets no payment", async () => {
    const body = payment();
    await t.endpoint.b.set("answer");
    await t.endpoint.a.set({ mode: "status", status: 502, method: "settle" });
    assert.equal((await t.settle(body, EUROPE)).body.outcome, "unknown");
    await t.worker.restart();
    await t.endpoint.a.set("refuse");
    assert.equal((await t.settle(body, ASIA)).body.outcome, "unknown");
    assert.equal(t.endpoint.b.hits("settle"), 0);
  });

  test("a holder that vanishes blocks nobody for long, and moves nothing", async () => {
    const body = payment();
    await t.endpoint.a.set({ mode: "hang", method: "settle" });
    const lost = t.settle(body, EUROPE).catch(() => "cut off");
    await t.until(() => t.endpoint.a.hits("settle") === 1);
    await t.worker.restart();
    assert.equal(await lost, "cut off");
    await t.endpoint.a.set("answer");
    const waited = await t.settle(body, ASIA);
    assert.deepEqual([waited.status, waited.body.outcome, waited.attempts], [200, "unknown", 0]);
    assert.ok(waited.ms > LEASE_MS / 2 && waited.ms < 2 * LEASE_MS, `${waited.ms} ms`);
    const again = await t.settle(body, ASIA);
    assert.deepEqual([again.body.success, again.endpoint], [true, "a"]);
    assert.equal(t.endpoint.b.hits("settle"), 0);
  });
});

describe("without the object", () => {
  const WAYS = {
    "not bound": noObject,
    "with broken storage": brokenStorage,
    "that throws": () => standIn("throws", "SETTLE"),
    "that refuses": () => standIn("refuses", "SETTLE"),
    "that talks nonsense": () => standIn("page", "SETTLE"),
    "that is silent": () => standIn("slow", "SETTLE"),
  };
  for (const [name, worker] of Object.entries(WAYS)) {
    test(`${name}: nothing is sent, and verifying works`, async () => {
      const t = await facilitators({ more: { worker: worker() } });
      try {
        const body = payment();
        const verified = await t.verify(body);
        assert.deepEqual([verified.status, verified.body.isValid], [200, true]);
        assert.ok(verified.ms < 5000, `${verified.ms} ms`);
        const settled = await t.settle(body);
        assert.deepEqual([settled.status, settled.body], [503, NOT_SENT]);
        assert.equal(settled.headers.get("retry-after"), "1");
        assert.ok(settled.ms < 10_000, `${settled.ms} ms`);
        await sleep(100);
        assert.deepEqual([t.endpoint.a.hits("settle"), t.endpoint.b.hits("settle")], [0, 0]);
      } finally {
        await t.stop();
      }
    });
  }
});

test("whatever state says, payments have their object", async () => {
  const t = await facilitators({ more: { isolates: 2, service: { state: "isolate" } } });
  try {
    const body = payment();
    await t.endpoint.a.set({ mode: "status", status: 503, method: "verify" });
    assert.equal((await t.verify(body, EUROPE)).endpoint, "b");
    assert.equal((await t.settle(body, ASIA)).endpoint, "b");
  } finally {
    await t.stop();
  }
});
