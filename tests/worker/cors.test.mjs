/**
 * CORS: exactly one `Access-Control-Allow-Origin` on whatever goes back to an allowed origin, and
 * preflights that need no endpoint.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const KEY = "client-key-1";
const DAPP = "https://dapp.example";
const EXPOSED = ["endpoint", "attempts", "reason"].map((name) => `x-breakwater-${name}`);

/** The origin list of each Worker, and origins that it does and does not let in. */
const WORKERS = {
  any: { list: ["*"], yes: [DAPP, "null", "chrome-extension://abc"], no: [] },
  listed: {
    list: [DAPP, "https://*.example.org", "http://localhost:5173", "extensions"],
    yes: [
      ...[DAPP, "https://a.example.org", "https://a.b.example.org", "http://localhost:5173"],
      ...["chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn", "moz-extension://1-2-3"],
    ],
    no: [
      ...["https://evil.example", "http://dapp.example", "https://dapp.example:8443", "null"],
      ...["https://example.org", "https://evilexample.org", "https://a.example.org.evil.example"],
      ...["http://localhost:3000", "https://dapp.example.evil.example"],
    ],
  },
};

const workers = {};

const start = (list) => {
  const route = (...endpoints) => ({ protocol: "evm", chain_id: 31337, endpoints });
  return harness({
    chain: false,
    endpoints: ["a", "limited", "down", "lost"].map((name) => scripted(name)),
    service: { allowed_origins: list, require_key: true },
    secrets: { CLIENT_KEYS: KEY },
    route: { endpoints: ["a"], body_max_bytes: 1000 },
    routes: {
      ROUTE_LIMITED: route("limited"),
      ROUTE_DOWN: route("down"),
      ROUTE_LOST: { ...route("lost"), methods: { allow: ["eth_sendTransaction"] } },
      ROUTE_BAD: route(),
    },
  });
};

before(async () => {
  for (const [name, { list }] of Object.entries(WORKERS)) {
    const t = await start(list);
    workers[name] = t;
    const foreign = { "access-control-allow-origin": "https://foreign.example", vary: "Accept" };
    await t.endpoint.a.set({ mode: "answer", headers: foreign });
    await t.endpoint.limited.set("rate_limit");
    await t.endpoint.down.set("refuse");
    await t.endpoint.lost.set({ mode: "reset", when: "after" });
  }
});

after(() => Promise.all(Object.values(workers).map((t) => t.stop())));

/** One request of each kind: status, and how to ask `t`. */
const kinds = [
  [200, "an answer", (t, h) => t.post("/", call("eth_call"), h)],
  [200, "a batch", (t, h) => t.post("/", [call("eth_call"), call("eth_chainId", [], 2)], h)],
  [200, "a local answer", (t, h) => t.post("/", call("eth_chainId"), h)],
  [204, "a notification", (t, h) => t.post("/", { jsonrpc: "2.0", method: "eth_call" }, h)],
  [200, "no JSON", (t, h) => t.post("/", "{", h)],
  [200, "a refused method", (t, h) => t.post("/", call("debug_traceCall"), h)],
  [200, "an unknown outcome", (t, h) => t.post("/lost", call("eth_sendTransaction", [{}]), h)],
  [401, "a wrong key", (t, h) => t.post("/", call("eth_call"), { ...h, "x-api-key": "wrong" })],
  [404, "an unknown path", (t, h) => t.post("/no/such/path", call("eth_call"), h)],
  [405, "a wrong HTTP method", (t, h) => t.fetch("/", { method: "DELETE", headers: h })],
  [413, "too many bytes", (t, h) => t.post("/", " ".repeat(1001), h)],
  [429, "everybody throttled", (t, h) => t.post("/limited", call("eth_call"), h)],
  [500, "a bad route", (t, h) => t.post("/bad", call("eth_call"), h)],
  [503, "everybody down", (t, h) => t.post("/down", call("eth_call"), h)],
  [504, "a lost send", (t, h) => t.post("/lost", call("eth_sendRawTransaction", ["0x01"]), h)],
  [200, "/status", (t, h) => t.get("/status", h)],
  [200, "/status/local", (t, h) => t.get("/status/local", h)],
  [200, "GET /local", (t, h) => t.get("/local", h)],
  [200, "GET /local of a browser", (t, h) => t.get("/local", { ...h, accept: "text/html" })],
  [200, "/health", (t, h) => t.get("/health", h)],
  [200, "/ready/local", (t, h) => t.get("/ready/local", h)],
  [503, "/ready/limited", (t, h) => t.get("/ready/limited", h)],
];

const allowed = (answer) => answer.headers.get("access-control-allow-origin");
const varies = (answer) => /\borigin\b/i.test(answer.headers.get("vary") ?? "");

for (const [name, { yes, no }] of Object.entries(WORKERS)) {
  describe(`allowed_origins: ${name}`, () => {
    for (const [status, kind, ask] of kinds) {
      test(`${status} ${kind}`, async () => {
        const answer = await ask(workers[name], { "x-api-key": KEY, origin: DAPP });
        assert.equal(answer.status, status, answer.text);
        assert.equal(allowed(answer), name === "any" ? "*" : DAPP);
        assert.equal(varies(answer), name !== "any");
        const exposed = answer.headers.get("access-control-expose-headers").split(/, */);
        for (const header of [...EXPOSED, "server-timing"]) assert.ok(exposed.includes(header));
        assert.equal(answer.headers.get("access-control-allow-credentials"), null);
      });
    }

    for (const origin of yes) {
      test(`${origin} may`, async () => {
        const headers = { "x-api-key": KEY, origin };
        const answer = await workers[name].post("/", call("eth_call"), headers);
        assert.equal(answer.endpoint, "a");
        assert.equal(allowed(answer), name === "any" ? "*" : origin);
      });
    }

    for (const origin of no) {
      test(`${origin} may not`, async () => {
        workers[name].endpoint.a.clear();
        const headers = { "x-api-key": KEY, origin };
        const answer = await workers[name].post("/", call("eth_call"), headers);
        assert.deepEqual([answer.status, answer.error?.code], [403, -32001]);
        assert.equal(allowed(answer), null);
        assert.ok(varies(answer));
        assert.equal(workers[name].endpoint.a.hits(), 0);
      });
    }

    test("a caller without an origin may", async () => {
      const answer = await workers[name].post("/", call("eth_call"), { "x-api-key": KEY });
      assert.equal(answer.endpoint, "a");
    });
  });
}

describe("preflights", () => {
  const ask = (t, path, origin = DAPP) =>
    t.fetch(path, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-custom",
      },
    });

  for (const path of ["/", "/local", `/local/${KEY}`, "/31337", "/bad", "/status", "/no/where"]) {
    test(`on ${path} are answered without key, endpoint or object`, async () => {
      const t = workers.listed;
      for (const endpoint of Object.values(t.endpoint)) endpoint.clear();
      const answer = await ask(t, path);
      assert.deepEqual([answer.status, answer.text], [204, ""]);
      assert.equal(allowed(answer), DAPP);
      assert.equal(answer.headers.get("access-control-max-age"), "7200");
      assert.match(answer.headers.get("access-control-allow-methods"), /\bPOST\b/);
      assert.match(answer.headers.get("access-control-allow-headers"), /\bcontent-type\b/);
      assert.match(answer.headers.get("access-control-allow-headers"), /\bx-custom\b/);
      assert.ok(varies(answer));
      assert.ok(Object.values(t.endpoint).every((endpoint) => endpoint.hits() === 0));
    });
  }

  test("of an origin that is not listed allow nothing", async () => {
    const answer = await ask(workers.listed, "/", "https://evil.example");
    assert.equal(answer.status, 204);
    assert.equal(allowed(answer), null);
  });

  test("with every endpoint dead", async () => {
    const answer = await ask(workers.any, "/down");
    assert.deepEqual([answer.status, allowed(answer)], [204, "*"]);
  });
});
