/**
 * Configuration seen from outside: what is wrong says so, with the key's full path, where it is
 * looked for; what is right goes on. `PRINT_TABLE=1` prints the messages.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, hex, scripted, secret } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { printTable } from "../support/table.mjs";

const good = { name: "x", url: "https://rpc.example.org" };
const two = (second) => ({
  endpoints: [good, { name: "y", url: "https://y.example.org", ...second }],
});
const SECRET = "s3cr3t-value-of-the-key";

/** @type {[string, object, string][]} name of the route, what it adds to a good one, the key at fault */
const BAD = [
  ["no_chain", { chain_id: undefined }, "chain_id"],
  ["chain_text", { chain_id: "1" }, "chain_id"],
  ["solana", { protocol: "solana" }, "protocol"],
  ["unknown_key", { max_atempts: 3 }, "max_atempts"],
  ["wrong_type", { max_attempts: "3" }, "max_attempts"],
  ["negative", { cooldown_ms: -1 }, "cooldown_ms"],
  ["ratio", { trip_ratio: 1.5 }, "trip_ratio"],
  ["word", { send: "twice" }, "send"],
  ["no_list", { endpoints: "x" }, "endpoints"],
  ["empty_list", { endpoints: [] }, "endpoints"],
  [
    "too_many",
    { endpoints: Array.from({ length: 17 }, (_, i) => ({ ...good, name: `x${i}` })) },
    "endpoints",
  ],
  ["text_entry", { endpoints: [good, "y"] }, "endpoints[1]"],
  ["no_url", two({ url: undefined }), "endpoints[1].url"],
  ["plain_http", two({ url: "http://rpc.example.org" }), "endpoints[1].url"],
  ["websocket", two({ url: "wss://rpc.example.org" }), "endpoints[1].url"],
  ["no_url_at_all", two({ url: "not a url" }), "endpoints[1].url"],
  ["credentials", two({ url: "https://user:pass@rpc.example.org" }), "endpoints[1].url"],
  [
    "open_secret",
    two({ url: `https://rpc.example.org/${secret("KEY").slice(0, -1)}` }),
    "endpoints[1].url",
  ],
  ["secret_inside", two({ url: `ftp://rpc.example.org/${secret("KEY")}` }), "endpoints[1].url"],
  ["no_name", two({ name: undefined }), "endpoints[1].name"],
  ["blank_name", two({ name: " " }), "endpoints[1].name"],
  ["same_name", two({ name: "x" }), "endpoints[1].name"],
  ["odd_key", two({ wieght: 2 }), "endpoints[1].wieght"],
  ["flag", two({ private: "yes" }), "endpoints[1].private"],
  ["header", two({ headers: { "x key": "1" } }), "endpoints[1].headers.x key"],
  ["method_list", { methods: { allow: "eth_call" } }, "methods.allow"],
  ["method_word", { methods: { deny: ["eth call"] } }, "methods.deny[0]"],
  ["rule_action", { rules: [{ code: 1, action: "retry" }] }, "rules[0].action"],
  ["rule_empty", { rules: [{ action: "return" }] }, "rules[0]"],
  ["timeouts", { method_timeouts_ms: { eth_call: 0 } }, "method_timeouts_ms.eth_call"],
  ["status", {}, ""],
  ["health", {}, ""],
  ["123", {}, ""],
];

let t;
const variable = (name) => `ROUTE_${name.toUpperCase()}`;

before(async () => {
  const base = { protocol: "evm", chain_id: 1, endpoints: [good] };
  t = await harness({
    chain: false,
    endpoints: [scripted("a"), scripted("keyed", { path: `/${secret("NOT_BOUND")}` })],
    secrets: { KEY: SECRET },
    routes: {
      ROUTE_NO_KEY: { protocol: "evm", chain_id: 2, endpoints: ["keyed"] },
      ...Object.fromEntries(BAD.map(([name, more]) => [variable(name), { ...base, ...more }])),
    },
  });
});

after(() => t?.stop());

describe("a bad route answers 500 with the key's full path", () => {
  const seen = [];
  after(() => printTable("Configuration errors", ["Path", "Message"], seen));

  for (const [name, , key] of BAD.filter(([name]) => !["status", "health", "123"].includes(name))) {
    test(name, async () => {
      const path = `/${name.replaceAll("_", "-")}`;
      const { status, error, text } = await t.post(path, call("eth_call"));
      seen.push([path, error.message]);
      assert.deepEqual([status, error.code], [500, -32002]);
      assert.ok(error.message.includes(`${variable(name)}.${key}: `), error.message);
      assert.ok(!text.includes(SECRET));
    });
  }

  test("a route whose secrets are not bound", async () => {
    const { status, error } = await t.post("/no-key", call("eth_call"));
    assert.deepEqual([status, error.code], [500, -32002]);
    assert.match(error.message, /ROUTE_NO_KEY\.endpoints: /);
  });

  test("a GET there says the same", async () => {
    for (const path of ["/unknown-key", "/status/unknown-key", "/ready/unknown-key"]) {
      const { status, error } = await t.get(path);
      assert.equal(status, 500);
      assert.match(error.message, /ROUTE_UNKNOWN_KEY\.max_atempts: /);
    }
  });
});

describe("meanwhile", () => {
  test("good routes work, by name, chain id and as the default", async () => {
    for (const path of ["/", "/local", "/31337", "//local/"]) {
      assert.equal((await t.rpc("eth_call", [], { path })).result, hex("a"), path);
    }
  });

  test("/health lists every mistake and stays 200", async () => {
    const { status, body, text } = await t.get("/health");
    assert.equal(status, 200);
    assert.deepEqual(body.routes, ["local"]);
    for (const [name, , key] of BAD) {
      assert.ok(text.includes(variable(name)) && text.includes(key), `${name} is not in ${text}`);
    }
    assert.ok(!text.includes(SECRET));
  });

  test("an endpoint whose secret is not bound is left out and shown", async () => {
    const { endpoint } = await t.status();
    assert.deepEqual([endpoint.keyed.state, endpoint.keyed.enabled], ["disabled", false]);
    await t.endpoint.a.set("refuse");
    const { error } = await t.rpc("eth_call");
    assert.deepEqual(
      error.data.attempts.map(({ endpoint }) => endpoint),
      ["a"],
    );
    assert.equal(t.endpoint.keyed.hits(), 0);
    assert.match((await t.get("/health")).text, /ROUTE_LOCAL\.endpoints\[1\]\.url.*NOT_BOUND/);
    await t.endpoint.a.set("answer");
  });

  test("each mistake is a config_error in the log, once", () => {
    const messages = t.events("config_error").map(({ message }) => message);
    for (const [name] of BAD) {
      assert.ok(
        messages.some((message) => message.startsWith(variable(name))),
        name,
      );
    }
    const unbound = t
      .events("config_error")
      .filter(({ endpoint, route }) => endpoint === "keyed" && route === "local");
    assert.equal(unbound.length, 1);
    assert.equal(new Set(messages).size, messages.length);
  });

  test("/ready is of all good routes", async () => {
    const { status, body } = await t.get("/ready");
    assert.deepEqual(
      [status, body],
      [200, { ready: true, routes: [{ route: "local", usable: ["a"] }] }],
    );
    assert.equal((await t.get("/ready/local")).status, 200);
    assert.equal((await t.get("/ready/nowhere")).status, 404);
  });
});

describe("a mistake in SERVICE", () => {
  for (const [what, service, key] of [
    ["an unknown default route", { default_route: "nowhere" }, "default_route"],
    ["no default among several", { default_route: undefined }, "default_route"],
    ["an unknown key", { default: "local" }, "default"],
    ["a wrong word", { state: "nowhere" }, "state"],
    ["a wrong type", { allowed_origins: "*" }, "allowed_origins"],
    ["keys required, none bound", { require_key: true }, "require_key"],
  ]) {
    test(`${what}: every route says so, and /health is 500`, async () => {
      const vars = { ...t.vars, SERVICE: { ...t.vars.SERVICE, ...service } };
      await t.worker.restart({ vars });
      const message = new RegExp(`SERVICE\\.${key}: `);
      for (const path of ["/", "/local", "/31337"]) {
        const { status, error } = await t.post(path, call("eth_call"));
        assert.deepEqual([status, error.code], [500, -32002], path);
        assert.match(error.message, message);
      }
      const health = await t.get("/health");
      assert.equal(health.status, 500);
      assert.match(health.text, message);
    });
  }

  test("put right, all is well", async () => {
    await t.worker.restart({ vars: t.vars });
    assert.equal((await t.rpc("eth_call")).result, hex("a"));
  });

  test("no route at all: 500, and it says so", async () => {
    await t.worker.restart({ vars: { SERVICE: {} } });
    const { status, body } = await t.get("/health");
    assert.deepEqual([status, body.ok], [500, false]);
    assert.ok(body.errors.length > 0);
    assert.equal((await t.post("/", call("eth_call"))).status, 500);
  });
});
