/**
 * Where requests lead: paths, chain ids, client keys.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, hex, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const base = { protocol: "evm", chain_id: 31337 };

describe("paths", () => {
  let t;
  before(async () => {
    t = await harness({
      chain: false,
      // They do not tell their chain: that of all these routes none has.
      endpoints: ["zeta", "alpha", "beta", "two"].map((name) =>
        scripted(name, { script: { eth_chainId: null } }),
      ),
      service: { default_route: "zeta-main" },
      route: { endpoints: ["two"], chain_id: 2 },
      routes: {
        ROUTE_ZETA_MAIN: { ...base, endpoints: ["zeta"] },
        ROUTE_BETA: { ...base, chain_id: 5, endpoints: ["beta"] },
        ROUTE_ALPHA: { ...base, chain_id: 5, endpoints: ["alpha"] },
        ROUTE_OTHER: { ...base, endpoints: ["beta"] },
      },
    });
  });
  after(() => t?.stop());

  for (const [path, endpoint] of [
    ["/", "zeta"],
    ["", "zeta"],
    ["/zeta-main", "zeta"],
    ["/zeta-main/", "zeta"],
    ["//zeta-main", "zeta"],
    ["/zeta-main?x=1", "zeta"],
    ["/alpha", "alpha"],
    ["/31337", "zeta"],
    ["/5", "alpha"],
    ["/2", "two"],
    ["/local", "two"],
  ]) {
    test(`${path || "no path"} leads to ${endpoint}`, async () => {
      assert.equal((await t.rpc("eth_call", [], { path })).result, hex(endpoint));
    });
  }

  for (const path of [
    ...["/ZETA_MAIN", "/zeta_main", "/zeta-main/eth_call", "/a/b/c"],
    ...["/3", "/0x5", "/05", "/031337", "/+5", "/%35", "/5.0"],
  ]) {
    test(`${path} leads nowhere`, async () => {
      const { status, error } = await t.rpc("eth_call", [], { path });
      assert.deepEqual([status, error.code], [404, -32600]);
    });
  }

  test("HEAD is GET without a body", async () => {
    for (const path of ["/health", "/status", "/ready"]) {
      const { status, text } = await t.fetch(path, { method: "HEAD" });
      assert.deepEqual([status, text], [200, ""], path);
    }
  });

  test("a 405 says what is allowed", async () => {
    for (const [method, path] of [
      ["PUT", "/"],
      ["DELETE", "/alpha"],
      ["PATCH", "/5"],
      ["POST", "/health"],
    ]) {
      const { status, headers } = await t.fetch(path, { method });
      assert.equal(status, 405, `${method} ${path}`);
      assert.match(headers.get("allow"), /GET/);
    }
  });
});

describe("client keys", () => {
  const KEYS = ["first-key-1", "second-key-2"];
  let t;
  before(async () => {
    t = await harness({
      chain: false,
      endpoints: [scripted("a")],
      service: { require_key: true },
      secrets: { CLIENT_KEYS: ` ${KEYS.join(" , ")},` },
    });
  });
  after(() => t?.stop());

  for (const key of KEYS) {
    for (const [how, path, headers] of [
      ["Authorization", "/", { authorization: `Bearer ${key}` }],
      ["Authorization in another case", "/", { authorization: `bearer ${key}` }],
      ["x-api-key", "/", { "x-api-key": key }],
      ["the path", `/local/${key}`, {}],
      ["the path, by chain id", `/31337/${key}`, {}],
    ]) {
      test(`${key} in ${how} opens`, async () => {
        assert.equal((await t.post(path, call("eth_call"), headers)).result, hex("a"));
      });
    }
  }

  for (const [what, path, headers] of [
    ["no key", "/", {}],
    ["a wrong key", "/", { "x-api-key": "first-key-2" }],
    ["a beginning", "/", { "x-api-key": "first-key" }],
    ["more than a key", "/", { "x-api-key": "first-key-11" }],
    ["another case", "/", { "x-api-key": "FIRST-KEY-1" }],
    ["both keys", "/", { "x-api-key": "first-key-1,second-key-2" }],
    ["nothing", "/", { "x-api-key": "" }],
    ["Basic", "/", { authorization: `Basic ${KEYS[0]}` }],
    ["no scheme", "/", { authorization: KEYS[0] }],
    ["a wrong path", "/local/first", {}],
    ["a cookie", "/", { cookie: `key=${KEYS[0]}` }],
    ["a query", `/?key=${KEYS[0]}`, {}],
  ]) {
    test(`${what} does not`, async () => {
      t.endpoint.a.clear();
      const { status, error } = await t.post(path, call("eth_call"), headers);
      assert.deepEqual([status, error.code], [401, -32001]);
      assert.equal(t.endpoint.a.hits(), 0);
    });
  }

  test("status and pages need one, health and ready do not", async () => {
    for (const path of ["/status", "/status/local", "/", "/local"]) {
      assert.equal((await t.get(path)).status, 401, path);
      assert.equal((await t.get(path, { "x-api-key": KEYS[1] })).status, 200, path);
    }
    assert.equal((await t.get(`/local/${KEYS[0]}`)).status, 200);
    for (const path of ["/health", "/ready", "/ready/local"]) {
      assert.equal((await t.get(path)).status, 200, path);
    }
  });

  test("none is forwarded, logged or shown", async () => {
    t.endpoint.a.clear();
    await t.post(`/local/${KEYS[0]}`, call("eth_call"), { "x-api-key": KEYS[0] });
    const status = await t.get("/status", { "x-api-key": KEYS[0] });
    const seen = [JSON.stringify(t.endpoint.a.requests), status.text, ...t.logs];
    for (const text of seen) assert.ok(!text.includes("first-key"), text);
  });
});
