/**
 * `GET /metrics`: who may have it, what it is made of, and what it is without an object. What
 * Prometheus makes of it is in `tests/monitoring`.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operator, TOKEN } from "../support/admin.mjs";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { counters, samples } from "../support/samples.mjs";
import { noObject } from "../support/stand_in.mjs";

const WAIT_MS = 60_000;
const ENDPOINTS = [scripted("a"), scripted("b")];
const call = (t, method = "eth_call", how = {}) => t.rpc(method, [{}, "latest"], how);
const of = (endpoint, region = "weur") =>
  `{route="local",region="${region}",endpoint="${endpoint}"}`;

describe("with an object", () => {
  let t;

  before(async () => {
    t = await harness({
      chain: false,
      endpoints: ENDPOINTS,
      isolates: 2,
      route: { trip_after: 2, attempt_timeout_ms: 20_000 },
      routes: { ROUTE_BAD: {} },
      secrets: { ADMIN_TOKEN: TOKEN },
    });
  });
  after(() => t?.stop());

  const read = async (how) => samples((await t.get("/metrics", {}, how)).text);

  test("it is text of a version, not to be kept, with or without its body", async () => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers, text } = await t.fetch("/metrics", { method });
      assert.equal(status, 200);
      assert.equal(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
      assert.equal(headers.get("cache-control"), "no-store");
      assert.equal(text === "", method === "HEAD");
    }
    const { status } = await t.post("/metrics", "");
    assert.equal(status, 405);
  });

  test("a reading has the reader's own calls in it, from whatever isolate", async () => {
    const key = `breakwater_endpoint_method_requests_total${of("a").replace("}", ',method="eth_call"}')}`;
    for (let n = 1; n <= 3; n++) await call(t);
    await t.until(async () => (await read()).get(key) === 3, WAIT_MS);
    for (let n = 1; n <= 2; n++) await call(t, "eth_call", { isolate: "b" });
    await t.until(async () => (await read({ isolate: "b" })).get(key) === 5, WAIT_MS);
    assert.equal((await read()).get(key), 5);
  });

  test("nothing that a caller has written is in it", async () => {
    for (const method of ["eth_secretWord", "eth_other.word"]) await call(t, method);
    const total = `breakwater_endpoint_method_requests_total${of("a").replace("}", ',method="other"}')}`;
    await t.until(async () => (await read()).get(total) === 2, WAIT_MS);
    const { text } = await t.get("/metrics");
    assert.doesNotMatch(text, /secretWord|other\.word|127\.0\.0\.1|http:/);
  });

  test("the operator's reset takes no counter back", async () => {
    await t.endpoint.a.set({ mode: "status", status: 500 });
    for (let n = 0; n < 4; n++) await call(t);
    await t.until(
      async () => (await read()).get(`breakwater_endpoint_trips_total${of("a")}`) === 1,
      WAIT_MS,
    );
    const before = counters((await t.get("/metrics")).text);
    await t.endpoint.a.set("answer");
    await operator(t).ask("POST", "routes/local/reset");
    const after = counters((await t.get("/metrics")).text);
    for (const [key, value] of before) assert.ok(after.get(key) >= value, key);
    assert.equal((await t.status()).endpoint.a.trips_total, 0);
  });

  test("a new object begins with 0, and says since when", async () => {
    const key = 'breakwater_region_start_time_seconds{route="local",region="weur"}';
    const before = (await read()).get(key);
    await t.worker.restart();
    const found = await read();
    assert.equal(found.get(`breakwater_endpoint_failures_total${of("a")}`), 0);
    assert.ok(found.get(key) > before);
  });
});

describe("who may have it", () => {
  let t;

  before(async () => {
    t = await harness({
      chain: false,
      endpoints: ENDPOINTS,
      service: { require_key: true, allowed_origins: ["https://app.example"] },
      secrets: { CLIENT_KEYS: "k1,k2" },
    });
  });
  after(() => t?.stop());

  test("whoever has a client key, where one is required", async () => {
    const status = async (headers) => (await t.get("/metrics", headers)).status;
    assert.equal(await status({}), 401);
    assert.equal(await status({ authorization: "Bearer k3" }), 401);
    assert.equal(await status({ authorization: "Bearer k2" }), 200);
    assert.equal(await status({ "x-api-key": "k1" }), 200);
    assert.equal(await status({ "x-api-key": "k1", origin: "https://other.example" }), 403);
  });

  test("in no other place", async () => {
    assert.equal((await t.get("/metrics/k1", {})).status, 404);
  });
});

describe("without an object", () => {
  test("an isolate that shares nothing tells what it has seen", async () => {
    const t = await harness({ chain: false, endpoints: ENDPOINTS, service: { state: "isolate" } });
    try {
      for (let n = 0; n < 3; n++) await call(t);
      const found = samples((await t.get("/metrics")).text);
      assert.equal(found.get(`breakwater_endpoint_requests_total${of("a", "isolate")}`), 3);
      assert.equal(
        found.get('breakwater_route_usable_endpoints{route="local",region="isolate"}'),
        2,
      );
      assert.ok(![...found.keys()].some((key) => key.startsWith("breakwater_region_")));
    } finally {
      await t.stop();
    }
  });

  test("where it is silent things stand as the isolate sees them, and nothing is counted", async () => {
    const t = await harness({ chain: false, endpoints: ENDPOINTS, worker: noObject() });
    try {
      await call(t);
      const { status, text } = await t.get("/metrics");
      const found = samples(text);
      assert.equal(status, 200);
      assert.equal(found.get('breakwater_region_up{route="local",region="weur"}'), 0);
      assert.equal(found.get(`breakwater_endpoint_serving${of("a")}`), 1);
      assert.equal(counters(text).size, 0);
    } finally {
      await t.stop();
    }
  });
});
