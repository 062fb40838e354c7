/**
 * The status JSON, and the events in the log.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const ENDPOINT_KEYS = [
  ...["name", "state", "local_state", "since_ms", "consecutive_failures", "probe_successes"],
  ...["retry_at_ms", "enabled", "throttled_until_ms", "trips_total", "head", "head_age_ms"],
  ...["lag_blocks", "finalized", "chain_id", "requests", "failures", "latency_ms", "methods"],
  ...["gaps", "last_failure"],
];
const ROUTE_KEYS = [
  ...["route", "protocol", "chain_id", "mode", "region", "now_ms", "serving", "config"],
  ...["endpoints", "transitions"],
];

let t;

before(async () => {
  const base = { protocol: "evm", chain_id: 31337, trip_after: 2, cooldown_ms: 300 };
  t = await harness({
    chain: false,
    endpoints: ["a", "b", "c", "d", "e", "f"].map((name) => scripted(name)),
    route: { endpoints: ["a", "b"] },
    routes: {
      ROUTE_FRESH: { ...base, endpoints: ["a"] },
      ROUTE_BUSY: { ...base, endpoints: ["c", "d"] },
      ROUTE_DOWN: { ...base, endpoints: ["e", "f"] },
    },
  });
});

after(() => t?.stop());

const has = (object, keys) =>
  assert.deepEqual(
    keys.filter((key) => !(key in object)),
    [],
  );

describe("the status", () => {
  test("of a route nobody has used: what is not known is null", async () => {
    const { body, status, headers } = await t.get("/status/fresh");
    assert.equal(status, 200);
    assert.match(headers.get("content-type"), /^application\/json/);
    assert.equal(headers.get("cache-control"), "no-store");
    has(body, ROUTE_KEYS);
    has(body.endpoints[0], ENDPOINT_KEYS);
    assert.deepEqual([body.route, body.protocol, body.chain_id], ["fresh", "evm", 31337]);
    assert.deepEqual([body.mode, body.region, body.serving], ["ordered", "weur", "a"]);
    assert.ok(Math.abs(body.now_ms - Date.now()) < 60_000);
    assert.equal(body.config.trip_after, 2);
    const [a] = body.endpoints;
    assert.deepEqual([a.head, a.lag_blocks, a.finalized, a.last_failure], [null, null, null, null]);
    assert.deepEqual(a.latency_ms, { p50: null, p99: null });
    assert.deepEqual([a.requests, a.failures, a.methods, a.gaps], [0, 0, {}, []]);
    assert.deepEqual(
      [a.state, a.enabled, a.retry_at_ms, a.throttled_until_ms],
      ["closed", true, null, null],
    );
    assert.deepEqual(body.transitions, []);
  });

  test("counts by method, and what failed last", async () => {
    await t.endpoint.c.set({ mode: "status", status: 502, method: "eth_getBalance" });
    const began = Date.now();
    for (let i = 0; i < 3; i++) await t.rpc("eth_call", [], { path: "/busy" });
    await t.rpc("eth_getBalance", [], { path: "/busy" });
    const { endpoint } = await t.until(async () => {
      const now = await t.status("busy");
      const told = now.endpoints.every((e) => e.chain_id === "ok");
      return told && now.endpoint.d.methods.eth_getBalance && now;
    });
    const { c, d } = endpoint;
    const eth_chainId = { requests: 1, failures: 0 };
    assert.deepEqual(c.methods, {
      eth_chainId,
      eth_call: { requests: 3, failures: 0 },
      eth_getBalance: { requests: 1, failures: 1 },
    });
    assert.deepEqual(d.methods, { eth_chainId, eth_getBalance: { requests: 1, failures: 0 } });
    assert.deepEqual([c.requests, c.failures, d.requests, d.failures], [5, 1, 2, 0]);
    const { at_ms, ...failure } = c.last_failure;
    assert.deepEqual(failure, { class: "server_error", status: 502, method: "eth_getBalance" });
    assert.ok(at_ms >= began && at_ms <= Date.now());
    assert.ok(c.latency_ms.p50 >= 0 && c.latency_ms.p99 >= c.latency_ms.p50);
  });

  test("of all routes, and of the default one", async () => {
    const { body } = await t.get("/status");
    assert.deepEqual(
      body.routes.map(({ route }) => route),
      ["busy", "down", "fresh", "local"],
    );
    assert.equal((await t.get("/busy")).body.route, "busy");
  });

  test("of nothing: 404", async () => {
    assert.equal((await t.get("/status/nothing")).status, 404);
  });
});

describe("events", () => {
  test("of an outage, from the first failure to the end", async () => {
    const ask = () => t.rpc("eth_call", [], { path: "/down" });
    const of = (kind) => t.events(kind).filter(({ route }) => route === "down");
    await ask();
    await t.endpoint.e.set("refuse");
    await ask();
    await ask();
    await t.endpoint.f.set("refuse");
    assert.equal((await ask()).status, 503);
    await t.until(async () => {
      const { endpoint } = await t.status("down");
      return endpoint.e.state !== "closed";
    });
    for (const name of ["e", "f"]) await t.endpoint[name].set("answer");
    await t.until(async () => (await t.status("down")).endpoint.e.state === "closed");
    await t.until(async () => (await ask()).endpoint === "e");

    const [hop] = of("failover");
    const { event, count, ...rest } = hop;
    assert.deepEqual(rest, {
      ...{ route: "down", operation: "eth_call", from: "e", to: "f" },
      ...{ reason: "network", status: null },
    });
    assert.deepEqual([event, count >= 1], ["failover", true]);
    const moves = of("breaker").map(({ endpoint, from, to, reason }) => [
      endpoint,
      from,
      to,
      reason,
    ]);
    assert.deepEqual(moves[0], ["e", "closed", "open", "network"]);
    assert.ok(moves.some((move) => move.join() === "e,half_open,closed,recovered"));
    assert.ok(of("serving_changed").some(({ from, to }) => from === "e" && to === "f"));
    assert.ok(of("serving_changed").some(({ to }) => to === "e"));
    const [exhausted] = of("exhausted");
    assert.equal(exhausted.operation, "eth_call");
  });

  test("are single lines of JSON", () => {
    for (const line of t.logs) assert.equal(typeof JSON.parse(line).event, "string");
  });
});
