/**
 * What is relayed is relayed byte for byte; of headers nothing passes either way.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { hex, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

let t;

before(async () => {
  t = await harness({
    chain: false,
    endpoints: [scripted("a", { headers: { "x-token": "for-a" } }), scripted("b")],
    service: { state: "isolate" },
  });
});

after(() => t?.stop());
afterEach(() => t.heal());

/** Makes the first endpoint say exactly this. */
const say = (body, fault = {}) => t.endpoint.a.set({ mode: "status", status: 200, body, ...fault });
const request = (id, method = "eth_getBlockByNumber", params = '["latest",false]') =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
const reply = (id, result) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`;

const IDS = [
  ...["0", "-1", "1.50", "1e3", "1E400", "-0", "null", '""', '"1"', '"\\u0061\\n\\"\\\\"', '"é"'],
  ...["9007199254740993", "123456789012345678901234567890", `"${"x".repeat(1000)}"`],
];

describe("ids come back byte for byte", () => {
  for (const id of IDS) {
    test(id.slice(0, 40), async () => {
      const { text, endpoint } = await t.post("/", request(id, "eth_call", "[]"));
      assert.equal(text, reply(id, `"${hex("a")}"`));
      assert.equal(endpoint, "a");
    });
  }

  test("all of them in one batch, some twice", async () => {
    const ids = [...IDS, "1", "1", "1.50"];
    const { text } = await t.post("/", `[${ids.map((id) => request(id, "eth_call", "[]"))}]`);
    assert.equal(text, `[${ids.map((id) => reply(id, `"${hex("a")}"`))}]`);
  });

  for (const other of ["1.0", "1e0", "10e-1", '"1"', "null"]) {
    test(`also where the endpoint writes ${other} for 1`, async () => {
      await say(reply(other, '{ "n":1.0 }'));
      const { text, endpoint } = await t.post("/", request("1"));
      assert.equal(text, reply("1", '{ "n":1.0 }'));
      assert.equal(endpoint, "a");
    });
  }
});

describe("what is no JSON around an answer does not come back", () => {
  const item = (id) => request(id, "eth_call", "[]");
  for (const white of ["\f", "\v", "\ufeff"]) {
    for (const [what, asked, answer] of [
      ["one", item(1), reply(1, '"0x12"')],
      ["a batch", `[${item(1)},${item(2)}]`, `[${reply(1, '"0x12"')},${reply(2, '"0x34"')}]`],
    ]) {
      for (const body of [`${white}${answer}`, `${answer}${white}`]) {
        test(`${what}: ${JSON.stringify(body.slice(0, 1))} to ${JSON.stringify(body.at(-1))}`, async () => {
          await say(body);
          const { text } = await t.post("/", asked);
          assert.doesNotThrow(() => JSON.parse(text), JSON.stringify(text));
        });
      }
    }
  }

  test("nor another version, nor an error that is none", async () => {
    for (const body of [
      '{"jsonrpc":"1.0","id":1,"result":"0x12"}',
      '{"error"  : null,"id":1,"result":"0x12"}',
    ]) {
      await say(body);
      assert.equal((await t.post("/", item(1))).text, reply(1, '"0x12"'));
    }
  });
});

const PAYLOADS = [
  '{"b" : 1 ,  "a":[ ] , "b":2}',
  '{\n\t"number":115792089237316195423570985008687907853269984665640564039457584007913129639935}',
  '[1.0,1e400,-0,"\\u0041\\/","é𝄞"]',
  '"0x"',
  "false",
];

const BODIES = [
  (payload) => `{"jsonrpc":"2.0","id":1,${payload}}`,
  (payload) => `{"id":1,${payload},"jsonrpc":"2.0"}`,
  (payload) => ` {\r\n "jsonrpc" : "2.0", ${payload} , "id":1 }\n`,
  (payload) => `\ufeff{"jsonrpc":"2.0","id":1,${payload}}`,
  (payload) => `{${payload},"id":1}`,
];

describe("results and errors keep their bytes", () => {
  for (const payload of PAYLOADS) {
    test(`a result: ${payload.slice(0, 40)}`, async () => {
      for (const body of BODIES) {
        await say(body(`"result":${payload}`));
        const { text, body: parsed, status, endpoint } = await t.post("/", request("1"));
        assert.ok(text.includes(payload), `${body(payload)} became ${text}`);
        assert.deepEqual([status, parsed.id, endpoint], [200, 1, "a"], text);
      }
    });
  }

  test("an error with members of its own", async () => {
    const error =
      '{ "data" : {"x":1.0,"y":"0x08c379a0"}, "message":"execution reverted", "code":3 }';
    for (const body of BODIES) {
      await say(body(`"error":${error}`));
      const { text, status, endpoint } = await t.post("/", request("1", "eth_call"));
      assert.ok(text.includes(error), text);
      assert.deepEqual([status, endpoint], [200, "a"]);
    }
  });

  test("in a batch", async () => {
    const error = '{"code":3, "message":"execution reverted" ,"data":"0x"}';
    await say(`[{"id":2,"error":${error}}, {"jsonrpc":"2.0","result":${PAYLOADS[0]},"id":1}]`);
    const { text } = await t.post("/", `[${request("1")},${request("2", "eth_call")}]`);
    assert.equal(text, `[${reply("1", PAYLOADS[0])},{"jsonrpc":"2.0","id":2,"error":${error}}]`);
  });

  test("a revert under HTTP 400 is a 200", async () => {
    await say('{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted"}}', {
      mode: "status",
      status: 400,
    });
    const { status, error, endpoint } = await t.rpc("eth_call");
    assert.deepEqual([status, error.code, endpoint], [200, 3, "a"]);
  });
});

describe("answers as endpoints dress them", () => {
  for (const encoding of ["gzip", "br"]) {
    test(encoding, async () => {
      await t.endpoint.a.set({ mode: "answer", encoding });
      const { text, endpoint, headers } = await t.rpc("eth_call");
      assert.equal(text, reply(1, `"${hex("a")}"`));
      assert.equal(endpoint, "a");
      assert.equal(headers.get("content-encoding"), null);
    });
  }

  for (const [type, passed] of [
    ["application/json; charset=utf-8", "application/json; charset=utf-8"],
    ["text/plain", "application/json"],
    ["text/html", "application/json"],
    ["", "application/json"],
    ['application/json; by="\u00e9"', "application/json"],
  ]) {
    test(`as ${type || "no type at all"}, passed on as ${passed}`, async () => {
      await say(reply(1, '"0x1"'), { headers: type ? { "content-type": type } : {} });
      const { text, endpoint, headers } = await t.rpc("eth_getBalance");
      assert.deepEqual([text, endpoint], [reply(1, '"0x1"'), "a"]);
      assert.equal(headers.get("content-type"), passed);
    });
  }

  for (const odd of [
    '"out of order"',
    '{"message":"out of order"}',
    '{"code":"ODD","message":"x"}',
  ]) {
    test(`with an error that clients cannot read: ${odd}`, async () => {
      const body = `{"jsonrpc":"2.0","id":1,"error":${odd}}`;
      for (const name of ["a", "b"])
        await t.endpoint[name].set({ mode: "status", status: 200, body });
      const { error, status } = await t.rpc("eth_call");
      assert.equal(status, 200);
      assert.deepEqual([typeof error.code, typeof error.message], ["number", "string"]);
      assert.ok(odd.includes(error.message));
    });
  }

  test("in chunks of unknown number", async () => {
    await t.endpoint.a.set({ mode: "drip", chunked: true, pieces: 5, pause_ms: 5 });
    assert.equal((await t.rpc("eth_call")).text, reply(1, `"${hex("a")}"`));
  });

  test("their headers stay behind", async () => {
    const headers = {
      "access-control-allow-origin": "https://other.example",
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "x-internal",
      "set-cookie": ["session=1", "lb=2"],
      "x-internal": "1",
      "x-breakwater-endpoint": "mallory",
      server: "nginx",
      etag: '"1"',
      via: "1.1 proxy",
      "cache-control": "max-age=60",
    };
    await t.endpoint.a.set({ mode: "answer", headers });
    const answer = await t.rpc("eth_call");
    assert.deepEqual([...answer.headers.keys()].sort(), [
      ...["access-control-allow-origin", "access-control-expose-headers", "cache-control"],
      ...["content-length", "content-type", "server-timing"],
      ...["x-breakwater-attempts", "x-breakwater-endpoint", "x-content-type-options"],
    ]);
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(answer.endpoint, "a");
  });
});

describe("requests", () => {
  for (const type of ["text/plain;charset=UTF-8", "application/x-www-form-urlencoded", null]) {
    test(`as ${type ?? "no type at all"} are read, and go out as JSON`, async () => {
      const body = request('"x"', "eth_call", '[{"to":"0x00"} , "latest"]');
      const { result } = await t.post("/", body, { "content-type": type });
      assert.equal(result, hex("a"));
      assert.equal(t.endpoint.a.requests[0].body, body);
      assert.equal(t.endpoint.a.requests[0].headers["content-type"], "application/json");
    });
  }

  test("leave the caller's headers behind and carry the endpoint's own", async () => {
    await t.post("/?key=secret#x", request(1, "eth_call"), {
      authorization: "Bearer caller",
      cookie: "session=caller",
      "x-api-key": "caller",
      "x-token": "caller",
      "x-forwarded-for": "192.0.2.1",
      "cf-connecting-ip": "192.0.2.1",
      "user-agent": "caller",
      origin: "https://caller.example",
      referer: "https://caller.example/",
      accept: "caller/type",
    });
    const [{ headers, path, httpMethod }] = t.endpoint.a.requests;
    const { host, "content-length": length, ...rest } = headers;
    assert.deepEqual(rest, { "content-type": "application/json", "x-token": "for-a" });
    assert.ok(host.startsWith("127.0.0.1:") && Number(length) > 0);
    assert.deepEqual([path, httpMethod], ["/", "POST"]);
  });
});

describe("notifications", () => {
  const note = (method) => ({ jsonrpc: "2.0", method, params: [] });

  test("one is forwarded once and answered 204", async () => {
    const { status, text } = await t.post("/", note("eth_call"));
    assert.deepEqual([status, text], [204, ""]);
    await t.until(() => t.endpoint.a.hits());
    await t.rpc("eth_blockNumber");
    assert.deepEqual(
      t.endpoint.a.requests.flatMap(({ methods }) => methods),
      [...["eth_call", "eth_blockNumber"]],
    );
  });

  test("a failure of one is nobody's", async () => {
    await t.endpoint.a.set({ mode: "status", status: 500 });
    assert.equal((await t.post("/", note("eth_call"))).status, 204);
    await t.until(() => t.endpoint.a.hits());
    const { endpoint } = await t.status();
    assert.equal(t.endpoint.b.hits(), 0);
    assert.equal(endpoint.a.consecutive_failures, 0);
  });

  test("one that is not served goes nowhere", async () => {
    assert.equal((await t.post("/", note("debug_traceCall"))).status, 204);
    assert.equal((await t.post("/", note("eth_chainId"))).status, 204);
    await t.rpc("eth_blockNumber");
    assert.equal(t.endpoint.a.hits(), 1);
  });
});
