/**
 * How much one caller may ask: who is counted, what counts, and what he hears who asks too much.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, isPoll, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const KEYS = ["cl13nt-k3y-one", "cl13nt-k3y-two"];
/** No test lasts so long. */
const DAY_S = 86_400;
const LIMIT = 3;

let t;
let callers = 0;

before(async () => {
  const endpoints = ["a"];
  const base = { protocol: "evm", chain_id: 31337, endpoints };
  t = await harness({
    chain: false,
    endpoints: [scripted("a")],
    secrets: { CLIENT_KEYS: KEYS.join(",") },
    service: { state: "isolate" },
    route: { rate_limit: { binding: "RATE" } },
    routes: {
      ROUTE_QUICK: { ...base, rate_limit: { binding: "RATE_QUICK", period_s: 10 } },
      ROUTE_FREE: base,
      ROUTE_PAY: { protocol: "x402", endpoints, rate_limit: { binding: "RATE" } },
      ROUTE_UNBOUND: { ...base, rate_limit: { binding: "RATE_NOWHERE" } },
      ROUTE_BROKEN: { ...base, rate_limit: { binding: "BROKEN" } },
      BROKEN: { limit: "no function" },
    },
    worker: {
      rateLimits: ["RATE", "RATE_QUICK"].map((binding) => ({
        binding,
        limit: LIMIT,
        period: DAY_S,
      })),
    },
  });
});
after(() => t?.stop());

/** A caller of whom nobody has heard. */
function newcomer() {
  callers += 1;
  return { "cf-connecting-ip": `203.0.113.${callers}` };
}

const asked = () => t.endpoint.a.requests.filter((request) => !isPoll(request)).length;
const ask = (headers, path = "/", id = 1) => t.post(path, call("eth_call", [], id), headers);

/** Uses up what one caller may ask. */
async function useUp(headers, path = "/") {
  for (let nth = 0; nth < LIMIT; nth += 1) {
    assert.equal((await ask(headers, path)).status, 200);
  }
}

describe("a caller over the limit", () => {
  test("is refused under his id, is told when to come back, and nobody is asked", async () => {
    const caller = newcomer();
    await useUp(caller);
    const before = asked();
    const { status, headers, body } = await ask(caller, "/", "mine");
    assert.deepEqual([status, body.id, body.error.code], [429, "mine", -32005]);
    assert.deepEqual(
      [headers.get("retry-after"), headers.get("access-control-allow-origin")],
      ["60", "*"],
    );
    assert.equal(asked(), before);
  });

  test("is told the period of the route", async () => {
    const caller = newcomer();
    await useUp(caller, "/quick");
    const { status, headers } = await ask(caller, "/quick");
    assert.deepEqual([status, headers.get("retry-after")], [429, "10"]);
  });

  test("stands in nobody else's way", async () => {
    const caller = newcomer();
    await useUp(caller);
    assert.equal((await ask(newcomer())).status, 200);
    assert.equal((await ask(caller, "/free")).status, 200, "another route has no limit");
  });

  test("may still look at the status, and a browser may ask first", async () => {
    const caller = newcomer();
    await useUp(caller);
    assert.equal((await ask(caller)).status, 429);
    for (const path of ["/status", "/status/local", "/health", "/ready", "/"]) {
      assert.equal((await t.get(path, caller)).status, 200, path);
    }
    const preflight = await t.fetch("/", { method: "OPTIONS", headers: caller });
    assert.equal(preflight.status, 204);
  });

  test("hears it on an x402 route in that route's words", async () => {
    const caller = newcomer();
    await useUp(caller);
    const { status, headers, body } = await t.post("/pay/verify", { paymentPayload: {} }, caller);
    assert.deepEqual([status, headers.get("retry-after")], [429, "60"]);
    assert.deepEqual(body, { error: "rate_limited", outcome: "not_sent", attempts: [] });
    assert.equal((await t.get("/pay/supported", caller)).status, 429);
    // It may be a repeat: "not sent" would have the buyer pay again.
    assert.notEqual((await t.post("/pay/settle", { paymentPayload: {} }, caller)).status, 429);
  });
});

describe("who is counted", () => {
  test("a client key, wherever its caller is", async () => {
    const keyed = (more) => ({ "x-api-key": KEYS[0], ...more });
    for (let nth = 0; nth < LIMIT; nth += 1) {
      assert.equal((await ask(keyed(newcomer()))).status, 200);
    }
    assert.equal((await ask(keyed(newcomer()))).status, 429);
    const bearer = { authorization: `Bearer ${KEYS[0]}`, ...newcomer() };
    assert.equal((await ask(bearer)).status, 429);
    assert.equal((await ask(newcomer(), `/local/${KEYS[0]}`)).status, 429);
    assert.equal((await ask({ "x-api-key": KEYS[1] })).status, 200);
  });

  test("an address, whatever keys it makes up", async () => {
    const caller = newcomer();
    for (let nth = 0; nth < LIMIT; nth += 1) {
      assert.equal((await ask({ ...caller, "x-api-key": `made-up-${nth}` })).status, 200);
    }
    assert.equal((await ask({ ...caller, "x-api-key": "made-up" })).status, 429);
  });

  test("a household by IPv6", async () => {
    const from = (address) => ({ "cf-connecting-ip": address });
    for (let nth = 0; nth < LIMIT; nth += 1) {
      assert.equal((await ask(from(`2001:db8:1:2::${nth + 1}`))).status, 200);
    }
    assert.equal((await ask(from("2001:db8:1:2:ffff::9"))).status, 429);
    assert.equal((await ask(from("2001:db8:1:3::1"))).status, 200);
  });
});

describe("a batch", () => {
  const items = (count) => Array.from({ length: count }, (_, id) => call("eth_call", [], id));

  test("counts as many calls as it has items", async () => {
    const caller = newcomer();
    const { status, body } = await t.post("/", items(LIMIT), caller);
    assert.deepEqual([status, body.map(({ id }) => id)], [200, [0, 1, 2]]);
    assert.equal((await ask(caller)).status, 429);
  });

  test("is refused as a whole by the first item that is one too many", async () => {
    const [caller, before] = [newcomer(), asked()];
    const { status, headers, body } = await t.post("/", items(LIMIT + 1), caller);
    assert.deepEqual([status, body.id, body.error.code], [429, null, -32005]);
    assert.equal(headers.get("retry-after"), "60");
    assert.equal(asked(), before);
  });

  test("counts what needs no endpoint, and notifications", async () => {
    const caller = newcomer();
    const odd = [call("eth_chainId"), { jsonrpc: "2.0", method: "eth_call" }, 7];
    assert.equal((await t.post("/", odd, caller)).status, 200);
    assert.equal((await ask(caller)).status, 429);
  });
});

describe("the binding", () => {
  test("that is not there makes its route bad, and no other", async () => {
    const { status, body } = await ask(newcomer(), "/unbound");
    assert.deepEqual([status, body.error.code], [500, -32002]);
    assert.match(body.error.message, /ROUTE_UNBOUND\.rate_limit\.binding: is not bound/);
    assert.match((await t.get("/health")).text, /ROUTE_UNBOUND\.rate_limit\.binding/);
  });

  test("that fails lets everybody in, and the operator hears of it once", async () => {
    const caller = newcomer();
    for (let nth = 0; nth <= LIMIT; nth += 1) {
      assert.equal((await ask(caller, "/broken")).status, 200);
    }
    const told = await t.until(() => t.events("alert").length > 0 && t.events("alert"));
    assert.deepEqual(
      told.map(({ route, message }) => [route, message]),
      [["broken", "the rate limit's binding fails: callers are not counted"]],
    );
  });
});
