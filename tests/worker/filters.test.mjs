/**
 * Filters: calls about one go to the endpoint that made it, under its own id, and when it cannot be
 * had there the client hears "filter not found" and makes a new one.
 */
import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";
import { call, scripted, secret } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const MAKERS = ["eth_newFilter", "eth_newBlockFilter", "eth_newPendingTransactionFilter"];
const GETTERS = ["eth_getFilterChanges", "eth_getFilterLogs"];
const NOT_FOUND = { code: -32000, message: "filter not found" };
const http = (status, body = "") => ({ mode: "status", status, body });
const error = (code, message) => ({ mode: "rpc_error", code, message });

/** Answers to the calls about a filter show the parameters they came with. */
function filters(name, id, config = {}) {
  const echo = (params) => [name, params];
  const script = {
    ...Object.fromEntries(MAKERS.map((method) => [method, id])),
    ...Object.fromEntries(GETTERS.map((method) => [method, echo])),
    eth_uninstallFilter: ([own]) => own === id,
  };
  return scripted(name, { script, ...config });
}

const A = "0x9ca2e3f0a1b2c3d4e5f60718293a4b5c";
const B = "0x1";
const a = filters("a", A);
const b = filters("b", B);
const odd = filters("odd", "0XAB");
const dumb = scripted("dumb", { script: Object.fromEntries(MAKERS.map((m) => [m, null])) });
const endpoints = [a, b, odd, dumb];

const route = (names, more = {}) => ({
  ...{ protocol: "evm", chain_id: 31337, endpoints: names, attempt_timeout_ms: 2000 },
  ...{ cooldown_ms: 60_000, cooldown_max_ms: 60_000 },
  ...more,
});
const start = (isolates = 1, state = "isolate") =>
  harness({
    ...{ chain: false, endpoints, isolates },
    service: { state },
    route: route(["a", "b"], { trip_after: 2 }),
    routes: {
      ROUTE_TURNED: route(["b", "odd", "a"]),
      ROUTE_ONE: route(["a"], { trip_after: 1 }),
      ROUTE_ODD: route(["odd"]),
      ROUTE_DUMB: route(["dumb", "b"]),
      ROUTE_ALL_DUMB: route(["dumb"]),
      ROUTE_WITHOUT_B: route(["a", "odd"]),
    },
  });

describe("a filter", async () => {
  const t = await start(2);
  after(() => t.stop());
  beforeEach(() => t.heal());

  const make = async (method = "eth_newFilter", how = {}) => {
    const { result } = await t.rpc(method, [{}], how);
    return result;
  };
  const calls = (name) => t.endpoint[name].requests.map(({ body }) => JSON.parse(body));

  for (const method of MAKERS) {
    test(`of ${method} has an id that is a quantity and names its endpoint`, async () => {
      const made = await t.rpc(method, [{}], { id: "own" });
      assert.match(made.result, /^0x[1-9a-f][0-9a-f]+$/);
      assert.deepEqual([made.endpoint, made.body.id], ["a", "own"]);
      assert.notEqual(made.result, await make(method, { path: "/turned" }));
    });
  }

  for (const method of GETTERS) {
    test(`is asked by ${method} where it lives, under its own id`, async () => {
      const id = await make();
      for (const how of [{}, { path: "/turned" }, { isolate: "b" }]) {
        const got = await t.rpc(method, [id], { id: 7.5, ...how });
        assert.deepEqual(got.result, ["a", [A]]);
        assert.deepEqual([got.body.id, got.endpoint, got.attempts], [7.5, "a", 1]);
      }
      assert.equal(t.endpoint.b.hits(method), 0);
    });
  }

  test("is taken down where it lives", async () => {
    const { result } = await t.rpc("eth_uninstallFilter", [await make()]);
    assert.equal(result, true);
    assert.deepEqual(calls("a").at(-1).params, [A]);
  });

  test("lives where it was made, also when that was not the first choice", async () => {
    await t.endpoint.a.set({ mode: "refuse" });
    const id = await make();
    await t.heal();
    const { result } = await t.rpc("eth_getFilterChanges", [id]);
    assert.deepEqual(result, ["b", [B]]);
    assert.equal(t.endpoint.a.hits("eth_getFilterChanges"), 0);
  });

  test("whose id is odd keeps it", async () => {
    const id = await make("eth_newFilter", { path: "/odd" });
    const { result } = await t.rpc("eth_getFilterLogs", [id], { path: "/odd" });
    assert.deepEqual(result, ["odd", ["0XAB"]]);
  });

  test("without an id is no filter: the next endpoint makes one", async () => {
    const made = await t.rpc("eth_newFilter", [{}], { path: "/dumb" });
    assert.deepEqual([made.endpoint, made.reason], ["b", "dumb=wrong_result"]);
    const { result } = await t.rpc("eth_newFilter", [{}], { path: "/all-dumb" });
    assert.equal(result, null);
  });

  test("is made and asked in batches as it is alone", async () => {
    const asked = [call("eth_newFilter", [{}], 1), call("eth_blockNumber", [], 2)];
    const made = await t.post("/", [...asked, call("eth_newBlockFilter", [], "c")]);
    assert.deepEqual(
      made.body.map(({ id }) => id),
      [1, 2, "c"],
    );
    const onA = made.body[0].result;
    const onB = await make("eth_newFilter", { path: "/turned" });
    t.endpoint.a.clear();
    const got = await t.post("/", [
      call("eth_getFilterChanges", [onB], "x"),
      call("eth_getFilterChanges", ["0x1"], 1),
      call("eth_getFilterLogs", [onA], 1),
      call("eth_getFilterChanges", [made.body[2].result], 2),
      call("eth_uninstallFilter", [onB], 3),
    ]);
    assert.deepEqual(
      got.body.map(({ id, result, error }) => [id, result ?? error]),
      [
        ["x", ["b", [B]]],
        [1, NOT_FOUND],
        [1, ["a", [A]]],
        [2, ["a", [A]]],
        [3, true],
      ],
    );
    assert.equal(t.endpoint.a.requests.length, 1);
  });

  test("that nobody made is not found, and nobody is asked", async () => {
    const id = await make();
    await t.heal();
    for (const params of [[], ["0x1"], [A], [id.replace(/^0x6/, "0xf")], [1], [null], ['"'], {}]) {
      for (const method of GETTERS) {
        const got = await t.rpc(method, params, { id: "1" });
        assert.deepEqual([got.status, got.error, got.body.id], [200, NOT_FOUND, "1"]);
        assert.deepEqual([got.endpoint, got.attempts], [null, 0]);
      }
      assert.equal((await t.rpc("eth_uninstallFilter", params)).result, false);
    }
    const total = Object.values(t.endpoint).reduce((sum, e) => sum + e.hits(), 0);
    assert.equal(total, 0);
  });

  test("of an endpoint that left the route is not found", async () => {
    const id = await make("eth_newFilter", { path: "/turned" });
    const got = await t.rpc("eth_getFilterChanges", [id], { path: "/without-b" });
    assert.deepEqual([got.error, got.attempts], [NOT_FOUND, 0]);
  });

  test("in a notification goes nowhere", async () => {
    const id = await make();
    t.endpoint.a.clear();
    const about = { jsonrpc: "2.0", method: "eth_uninstallFilter", params: [id] };
    assert.equal((await t.post("/", about)).status, 204);
    await t.post("/", [about, call("eth_call")]);
    assert.equal(t.endpoint.a.hits("eth_uninstallFilter"), 0);
  });
});

describe("a filter is not found when its endpoint", () => {
  for (const [what, fault, reason] of [
    ["is gone", "refuse", "a=network"],
    ["hangs", "hang", "a=timeout"],
    ["breaks", http(500), "a=server_error"],
    ["throttles", http(429), "a=rate_limited"],
    ["wants money", http(402), "a=quota"],
    ["says so", error(-32000, "filter not found"), null],
    ["says so under another code", error(-32602, "Filter not found"), null],
    ["says so at length", error(-32000, "Filter with id: 1 does not exist."), null],
    ["objects to the id", error(-32602, "invalid params"), null],
    ["answers null", http(200, '{"jsonrpc":"2.0","id":1,"result":null}'), null],
  ]) {
    test(what, async (context) => {
      const t = await start();
      context.after(() => t.stop());
      const id = (await t.rpc("eth_newFilter", [{}])).result;
      await t.endpoint.a.set(fault);
      const got = await t.rpc("eth_getFilterChanges", [id]);
      assert.deepEqual([got.status, got.error], [200, NOT_FOUND]);
      assert.deepEqual([got.endpoint, got.attempts, got.reason], [null, 1, reason]);
      if (what !== "answers null") {
        assert.equal((await t.rpc("eth_uninstallFilter", [id])).result, false);
      }
      assert.equal(t.endpoint.b.hits(), 0, "nobody else is asked");
      assert.deepEqual(t.events("exhausted"), []);
    });
  }

  for (const [what, fault, times] of [
    ["is open", "refuse", 2],
    ["rests", { ...http(429), headers: { "retry-after": "60" } }, 1],
  ]) {
    test(`${what}, without asking it`, async (context) => {
      const t = await start();
      context.after(() => t.stop());
      const id = (await t.rpc("eth_newFilter", [{}])).result;
      await t.endpoint.a.set(fault);
      for (let nth = 0; nth < times; nth += 1) await t.rpc("eth_call");
      await t.heal();
      const got = await t.rpc("eth_getFilterChanges", [id]);
      assert.deepEqual([got.error, got.attempts, t.endpoint.a.hits()], [NOT_FOUND, 0, 0]);
      const again = await t.rpc("eth_newFilter", [{}]);
      assert.equal(again.endpoint, "b");
      assert.deepEqual((await t.rpc("eth_getFilterChanges", [again.result])).result, ["b", [B]]);
    });
  }

  test("has lost its secret", async (context) => {
    const t = await start();
    context.after(() => t.stop());
    const id = (await t.rpc("eth_newFilter", [{}])).result;
    const [first, second] = t.vars.ROUTE_LOCAL.endpoints;
    const url = first.url + secret("NO_SUCH_SECRET");
    const ROUTE_LOCAL = { ...t.vars.ROUTE_LOCAL, endpoints: [{ ...first, url }, second] };
    await t.worker.restart({ vars: { ...t.vars, ROUTE_LOCAL } });
    const got = await t.rpc("eth_getFilterChanges", [id]);
    assert.deepEqual([got.error, got.attempts], [NOT_FOUND, 0]);
  });
});

test("other errors of its endpoint are the client's", async (context) => {
  const t = await start();
  context.after(() => t.stop());
  const id = (await t.rpc("eth_newFilter", [{}])).result;
  await t.endpoint.a.set(error(-32005, "query returned more than 10000 results"));
  const got = await t.rpc("eth_getFilterLogs", [id]);
  assert.equal(got.error.message, "query returned more than 10000 results");
  assert.equal(got.endpoint, "a");
});

test("the only endpoint is tried although it is open: no other could make a new filter", async (context) => {
  const t = await start();
  context.after(() => t.stop());
  const path = "/one";
  const id = (await t.rpc("eth_newFilter", [{}], { path })).result;
  await t.endpoint.a.set("refuse");
  const lost = await t.rpc("eth_getFilterChanges", [id], { path });
  assert.deepEqual([lost.error, lost.reason], [NOT_FOUND, "a=network"]);
  await t.heal();
  const got = await t.rpc("eth_getFilterChanges", [id], { path });
  assert.deepEqual(got.result, ["a", [A]]);
  assert.equal((await t.status("one")).endpoint.a.local_state, "open");
});

test("another region finds the filter too", async (context) => {
  const t = await start(2, "region");
  context.after(() => t.stop());
  const [eu, oc] = ["EU", "OC"].map((continent) => ({ cf: { continent } }));
  const id = (await t.rpc("eth_newFilter", [{}], { ...eu, path: "/turned" })).result;
  const got = await t.rpc("eth_getFilterChanges", [id], { ...oc, isolate: "b" });
  assert.deepEqual(got.result, ["b", [B]]);
});
