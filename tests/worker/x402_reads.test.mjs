/**
 * Facilitators behind one URL: paths, bytes, and reads that fail over.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { facilitators, payment } from "../support/facilitators.mjs";

const KEY = "a-client-key-of-ours";
let t;

before(async () => {
  t = await facilitators({
    names: ["a", { name: "b", forward_headers: ["authorization", "x-api-key"] }],
    route: { attempt_timeout_ms: 2000, trip_after: 100, trip_min: 1000 },
    more: { secrets: { CLIENT_KEYS: KEY }, service: { allowed_origins: ["https://shop.example"] } },
  });
});
after(() => t?.stop());
beforeEach(async () => {
  await t.heal();
  await t.worker.restart();
});

const bodies = (name) => t.endpoint[name].requests.map(({ body }) => body);
const paths = (name) =>
  t.endpoint[name].requests.map(({ httpMethod, path }) => `${httpMethod} ${path}`);

describe("paths", () => {
  test("each call reaches its place, query and all", async () => {
    for (const path of [
      "/pay/supported",
      "/pay//supported/",
      "/pay/discovery/resources?limit=5&type=http%2F1",
      "//pay/discovery/search/?query=a?b",
    ]) {
      assert.equal((await t.get(path)).status, 200, path);
    }
    for (const path of [
      "/pay/verify?x=1",
      "/pay/verify/",
      `/pay/${KEY}/verify`,
      `/pay/verify/${KEY}`,
    ]) {
      assert.equal((await t.post(path, payment())).status, 200, path);
    }
    assert.deepEqual(paths("a"), [
      "GET /supported",
      "GET /supported",
      "GET /discovery/resources?limit=5&type=http%2F1",
      "GET /discovery/search?query=a?b",
      ...Array(4).fill("POST /verify"),
    ]);
  });

  test("anything else is refused in x402's words", async () => {
    const refused = async (answer, status, error) => {
      const { body, headers, status: is } = await answer;
      assert.deepEqual([is, body], [status, { error, outcome: "not_sent", attempts: [] }]);
      assert.equal(headers.get("content-type"), "application/json");
    };
    await refused(t.get("/pay/verify"), 405, "method_not_allowed");
    await refused(t.get("/pay/settle"), 405, "method_not_allowed");
    await refused(t.post("/pay/supported", {}), 405, "method_not_allowed");
    await refused(t.post("/pay", {}), 405, "method_not_allowed");
    await refused(t.post("/pay/other/things", {}), 404, "not_found");
    await refused(t.post("/pay/verify/no-such-key", {}), 404, "not_found");
    await refused(
      t.post("/pay/settle", payment(), { origin: "https://other.example" }),
      403,
      "origin_refused",
    );
    assert.deepEqual(paths("a"), []);
  });

  test("a key where one is needed, a bad route in its own words", async () => {
    const { vars } = t;
    const SERVICE = { ...vars.SERVICE, require_key: true };
    const ROUTE_BAD = { protocol: "x402", endpoints: vars.ROUTE_PAY.endpoints, chain_id: 1 };
    await t.worker.restart({ vars: { ...vars, SERVICE, ROUTE_BAD } });
    const refused = await t.get("/pay/supported");
    assert.deepEqual([refused.status, refused.body.error], [401, "key_refused"]);
    assert.equal((await t.get(`/pay/${KEY}/supported`)).status, 200);
    assert.equal((await t.get("/pay/supported", { authorization: `Bearer ${KEY}` })).status, 200);
    const bad = await t.post(`/bad/settle/${KEY}`, payment());
    assert.deepEqual(
      [bad.status, bad.body.error, bad.body.message],
      [500, "bad_configuration", "ROUTE_BAD.chain_id: belongs to evm routes only"],
    );
    await t.worker.restart({ vars });
  });

  test("a status page, no JSON-RPC", async () => {
    const { status, body } = await t.get("/pay");
    assert.deepEqual(
      [status, body.route, body.protocol, body.chain_id],
      [200, "pay", "x402", null],
    );
    assert.equal(body.endpoints[0].head, null);
  });
});

describe("bytes", () => {
  test("a body goes out and an answer comes back as they are", async () => {
    const body =
      '{"x402Version":1, "paymentPayload" :{"a":1.0,"b":12345678901234567890},"paymentRequirements":{}}';
    const theirs = '{ "isValid":true ,"payer":null,"n":1.00 }';
    const headers = { "extension-responses": "e30=", "set-cookie": "a=b", "x-own": "1" };
    await t.endpoint.a.set({
      mode: "status",
      status: 200,
      body: theirs,
      headers: { ...headers, "content-type": "application/json; v=2" },
    });
    const answer = await t.post("/pay/verify", body, { "x-more": "1", cookie: "c=d" });
    assert.deepEqual([answer.status, answer.text, answer.endpoint], [200, theirs, "a"]);
    assert.deepEqual(bodies("a"), [body]);
    assert.equal(answer.headers.get("content-type"), "application/json; v=2");
    assert.equal(answer.headers.get("extension-responses"), "e30=");
    assert.equal(answer.headers.get("set-cookie"), null);
    assert.equal(answer.headers.get("x-own"), null);
    const [seen] = t.endpoint.a.requests;
    assert.deepEqual([seen.headers["x-more"], seen.headers.cookie], [undefined, undefined]);
    assert.equal(seen.headers["content-type"], "application/json");
  });

  test("a caller's headers go where they are configured to go, our keys nowhere", async () => {
    await t.endpoint.a.set("refuse");
    const sent = { authorization: "Bearer signed-by-the-merchant", "x-api-key": KEY };
    assert.equal((await t.post("/pay/verify", payment(), sent)).endpoint, "b");
    await t.endpoint.a.set("answer");
    await t.worker.restart();
    assert.equal((await t.post("/pay/verify", payment(), sent)).endpoint, "a");
    const [b] = t.endpoint.b.requests;
    assert.deepEqual(
      [b.headers.authorization, b.headers["x-api-key"]],
      [sent.authorization, undefined],
    );
    const [a] = t.endpoint.a.requests;
    assert.equal(a.headers.authorization, undefined);
    await t.endpoint.a.set("refuse");
    await t.post("/pay/verify", payment(), { authorization: `Bearer ${KEY}` });
    assert.equal(t.endpoint.b.requests.at(-1).headers.authorization, undefined);
  });
});

describe("failover of reads", () => {
  const FAULTS = {
    refused: ["refuse", "network"],
    reset: [{ mode: "reset", when: "after" }, "network"],
    silent: ["hang", "timeout"],
    cut: ["cut", "truncated"],
    500: [{ mode: "status", status: 500, body: "oops" }, "server_error"],
    503: [{ mode: "status", status: 503 }, "server_error"],
    429: [{ mode: "status", status: 429, body: "{}" }, "rate_limited"],
    401: [{ mode: "status", status: 401, body: '{"error":"who?"}' }, "unauthorized"],
    403: [{ mode: "status", status: 403 }, "unauthorized"],
    redirect: [{ mode: "redirect", status: 307 }, "redirect"],
    html: ["html", "html_error_page"],
    empty: ["empty", "empty_body"],
  };
  for (const [name, [fault, reason]] of Object.entries(FAULTS)) {
    test(name, async () => {
      await t.endpoint.a.set(fault);
      const verified = await t.verify(payment());
      assert.deepEqual(
        [verified.status, verified.endpoint, verified.body.isValid],
        [200, "b", true],
      );
      assert.deepEqual([verified.attempts, verified.reason], [2, `a=${reason}`]);
      await t.worker.restart();
      assert.equal((await t.get("/pay/supported")).endpoint, "b");
      assert.equal(paths("a").filter((path) => path.includes("elsewhere")).length, 0);
    });
  }

  test("answers and other refusals are nobody else's business", async () => {
    for (const [status, body] of [
      [200, '{"isValid":false,"invalidReason":"insufficient_funds"}'],
      [400, '{"isValid":false}'],
      [401, '{"isValid":false}'],
      [400, '{"error":"Missing paymentPayload"}'],
      [404, "Cannot POST /verify"],
      [402, ""],
    ]) {
      await t.endpoint.a.set({ mode: "status", status, body });
      const answer = await t.verify(payment());
      assert.deepEqual([answer.status, answer.text, answer.endpoint], [status, body, "a"]);
    }
    assert.equal(t.endpoint.b.hits("verify"), 0);
    const { endpoint } = await t.status("pay");
    assert.equal(endpoint.a.failures, 0);
  });

  test("with nobody well the best word wins", async () => {
    await t.endpoint.a.set({ mode: "status", status: 500, body: '{"error":"inside"}' });
    await t.endpoint.b.set("refuse");
    const own = await t.verify(payment());
    assert.deepEqual([own.status, own.text, own.endpoint], [500, '{"error":"inside"}', "a"]);

    await t.endpoint.a.set("html");
    const none = await t.verify(payment());
    assert.equal(none.status, 503);
    assert.equal(none.headers.get("retry-after"), "1");
    assert.deepEqual(none.body, {
      error: "unavailable",
      outcome: "not_sent",
      attempts: [
        { endpoint: "a", class: "html_error_page" },
        { endpoint: "b", class: "network" },
      ],
    });

    await t.worker.restart();
    for (const name of ["a", "b"]) {
      await t.endpoint[name].set({ mode: "status", status: 429, headers: { "retry-after": "7" } });
    }
    const throttled = await t.verify(payment());
    assert.deepEqual([throttled.status, throttled.body.error], [429, "rate_limited"]);
    assert.match(throttled.headers.get("retry-after"), /^[67]$/);
  });

  test("a secret in an error is not shown", async () => {
    const { host } = new URL(t.endpoint.a.url);
    await t.endpoint.a.set({ mode: "status", status: 404, body: `Cannot POST ${host}/verify` });
    assert.equal((await t.verify(payment())).text, "Cannot POST [redacted]/verify");
  });
});
