/**
 * The facilitator protocol as its clients know it: every call fails over alike, bytes and paths stay
 * what they are, and a settle is sent once whatever a connection looked like before.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { facilitators, known, payment } from "../support/facilitators.mjs";

/** How long a holder of a payment may be silent. */
const LEASE_MS = 30_000;
const SHOP = "https://shop.example";
const NAMES = ["a", "b", "c"];
const DISCOVERY = ["/pay/discovery/resources?limit=5", "/pay/discovery/search?query=x"];

let t;
before(async () => {
  t = await facilitators({
    names: [{ name: "a", strict: true }, "b", "c"],
    route: { attempt_timeout_ms: 2000, total_timeout_ms: 5000, trip_after: 100, trip_min: 1000 },
    more: { service: { state: "isolate", allowed_origins: [SHOP] } },
  });
});
after(() => t?.stop());
beforeEach(async () => {
  await t.heal();
  await t.worker.restart();
});

const hits = (method) => NAMES.map((name) => t.endpoint[name].hits(method));

/** Runs with another route in the place of ours. */
async function routed(route, happens) {
  const { vars } = t;
  await t.worker.restart({ vars: { ...vars, ROUTE_PAY: { ...vars.ROUTE_PAY, ...route } } });
  try {
    await happens();
  } finally {
    await t.worker.restart({ vars });
  }
}

describe("reads", () => {
  for (const [name, fault] of [
    ["discovery goes on when the first is refused", "refuse"],
    ["discovery goes on after a page", "html"],
    ["discovery goes on after a 503", { mode: "status", status: 503 }],
  ]) {
    test(name, async () => {
      await t.endpoint.a.set(fault);
      for (const path of DISCOVERY) {
        const { status, body, endpoint } = await t.get(path);
        assert.deepEqual([status, body, endpoint], [200, { items: [] }, "b"]);
      }
    });
  }

  test("after a failure a page is no answer either", async () => {
    await t.endpoint.a.set({ mode: "status", status: 503 });
    await t.endpoint.b.set("html");
    const [, search] = DISCOVERY;
    const found = await t.get(search);
    assert.deepEqual([found.endpoint, found.reason], ["c", "a=server_error,b=html_error_page"]);
    await t.endpoint.c.set("refuse");
    const none = await t.get(search);
    assert.deepEqual([none.status, none.body.error], [503, "unavailable"]);
  });

  test("the first answer ends it", async () => {
    await t.endpoint.a.set({ mode: "status", status: 503, method: "verify" });
    assert.equal((await t.verify(payment())).endpoint, "b");
    assert.deepEqual(hits("verify"), [1, 1, 0]);
  });

  test("of several that fail in JSON the first is passed on", async () => {
    const fails = (status, body) => ({ mode: "status", status, body, method: "verify" });
    await t.endpoint.a.set(fails(500, '{"error":"one"}'));
    await t.endpoint.b.set(fails(502, '{"error":"two"}'));
    await t.endpoint.c.set(fails(503, ""));
    const { status, text, endpoint } = await t.verify(payment());
    assert.deepEqual([status, text, endpoint], [500, '{"error":"one"}', "a"]);
    assert.deepEqual(hits("verify"), [1, 1, 1]);
  });
});

describe("what goes out", () => {
  for (const [name, body] of [
    [
      "a body of version 1, byte for byte",
      '{"x402Version":1, "paymentPayload" :{"x402Version":1,"scheme":"exact","network":"base-sepolia","n":1.0},"paymentRequirements":{"extra":null}}',
    ],
    [
      "a body of version 2, byte for byte",
      '{ "paymentRequirements":{}, "x402Version":2,"paymentPayload":{"accepted":{"\\u0061":1e2},"big":12345678901234567890},"extensions":{}}',
    ],
  ]) {
    test(name, async () => {
      for (const call of ["verify", "settle"]) {
        const { endpoint } = await t.post(`/pay/${call}`, body);
        assert.equal(endpoint, "a");
      }
      const seen = t.endpoint.a.requests.map((one) => [one.path, one.body]);
      assert.deepEqual(seen, [
        ["/verify", body],
        ["/settle", body],
      ]);
    });
  }

  test("a configured path is kept, with one slash behind it", async () => {
    const endpoints = ["/v2/x402", "/v2/x402/"].map((path, i) => ({
      name: NAMES[i],
      url: t.endpoint[NAMES[i]].url + path,
    }));
    await t.endpoint.a.set({ mode: "status", status: 503 });
    await t.endpoint.b.set({ mode: "status", status: 200, body: '{"isValid":true}' });
    await routed({ endpoints }, async () => {
      assert.equal((await t.verify(payment())).endpoint, "b");
    });
    const paths = ["a", "b"].map((name) => t.endpoint[name].requests.map(({ path }) => path));
    assert.deepEqual(paths, [["/v2/x402/verify"], ["/v2/x402/verify"]]);
  });

  test("a merchant's server has no origin and needs none", async () => {
    const origin = "access-control-allow-origin";
    const server = await t.verify(payment());
    assert.deepEqual([server.status, server.headers.get(origin)], [200, null]);
    const page = await t.post("/pay/verify", payment(), { origin: SHOP });
    assert.deepEqual([page.status, page.headers.get(origin)], [200, SHOP]);
  });
});

describe("a settle", () => {
  test("is sent once where there is one facilitator only", async () => {
    const [first] = t.vars.ROUTE_PAY.endpoints;
    await routed({ endpoints: [first] }, async () => {
      const faults = [
        { mode: "status", status: 502 },
        { mode: "reset", when: "after" },
        { mode: "status", status: 429, body: "{}" },
      ];
      for (const fault of faults) {
        t.endpoint.a.clear();
        await t.endpoint.a.set({ ...fault, method: "settle" });
        const { body, status } = await t.settle(payment());
        assert.equal(body.outcome ?? status, fault.status === 429 ? 429 : "unknown");
        await sleep(300);
        assert.deepEqual(hits("settle"), [1, 0, 0], `${fault.mode} ${fault.status ?? ""}`);
      }
    });
  });

  test("stays although its connection was seen to open, when that breaks", async () => {
    await t.get("/pay/supported");
    await t.until(() => t.endpoint.a.connections >= 2);
    await sleep(50);
    const body = payment();
    await t.verify(body);
    const { connections } = t.endpoint.a;
    await t.endpoint.a.set({ mode: "reset", when: "after", method: "settle" });
    const { status, body: said } = await t.settle(body);
    assert.ok(t.endpoint.a.connections > connections, "one was tried before");
    assert.deepEqual([status, said.outcome, said.error], [200, "unknown", "network"]);
    assert.deepEqual(hits("settle"), [1, 0, 0]);
  });

  test("that is refused for want of a verify is refused", async () => {
    const { status, body, endpoint } = await t.settle(payment());
    assert.deepEqual(
      [status, body.success, body.errorReason, endpoint],
      [200, false, "not_verified_here", "a"],
    );
    assert.deepEqual(hits("settle"), [1, 0, 0]);
  });

  test("lasts longer than a lease and every limit, and so does who waits for it", async () => {
    const body = payment();
    await t.verify(body);
    await t.endpoint.a.set({ mode: "slow", ms: LEASE_MS + 1500, method: "settle" });
    const own = t.settle(body);
    await t.until(() => t.endpoint.a.hits("settle") === 1);
    const waits = t.settle(body);
    const early = await Promise.race([own, waits, sleep(LEASE_MS, "nobody")]);
    assert.equal(early, "nobody", "answered by now");
    const both = await Promise.all([own, waits]);
    assert.deepEqual(
      both.map((one) => [one.status, one.body.success, one.endpoint, one.attempts]),
      [
        [200, true, "a", 1],
        [200, true, "a", 0],
      ],
    );
    assert.deepEqual(t.ledger.by(known(body)), ["a"]);
    assert.deepEqual(hits("settle"), [1, 0, 0]);
  });
});
