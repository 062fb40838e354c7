/**
 * Clients that mean harm: what they send costs them their own answer and nobody else's. The last
 * line of the output lists everything that was tried.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, afterEach, before, describe, test } from "node:test";
import { TOKEN } from "../support/admin.mjs";
import { call, isPoll, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { dial, raw, request } from "../support/raw.mjs";

const MB = 1024 * 1024;
/** What was tried, for people. */
const tried = [];
const trying = (name, body) => {
  tried.push(name);
  return test(name, body);
};

let t;

before(async () => {
  t = await harness({
    chain: false,
    endpoints: [
      scripted("a", {
        script: { eth_getCode: ([own]) => own, eth_getBlockReceipts: () => "0".repeat(MB) },
      }),
    ],
    secrets: { ADMIN_TOKEN: TOKEN, CLIENT_KEYS: "cl13nt-k3y-1" },
    route: { attempt_timeout_ms: 30_000, total_timeout_ms: 60_000, trip_after: 1 },
    routes: { ROUTE_PAY: { protocol: "x402", endpoints: ["a"] } },
  });
});
after(async () => {
  await t?.stop();
  console.log(`${tried.length} inputs: ${tried.join("; ")}`);
});
afterEach(() => works());

const asked = () => t.endpoint.a.requests.filter((request) => !isPoll(request));

/** Somebody else is served as ever, and nobody is blamed. */
async function works() {
  const { status, result } = await t.rpc("eth_getCode", ["0x77"]);
  assert.deepEqual([status, result], [200, "0x77"]);
  const { state, failures, last_failure } = (await t.status()).endpoint.a;
  assert.deepEqual([state, failures, last_failure], ["closed", 0, null]);
}

describe("a body", () => {
  const single = (id, method = "eth_getCode", params = '["0x1"]') =>
    `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`;

  for (const [name, sent, code] of [
    ["nothing", "", -32700],
    ["brackets 200,000 deep", "[".repeat(200_000), -32700],
    ["braces 100,000 deep", '{"a":'.repeat(100_000), -32700],
    ["an array 100,000 deep that is closed", "[".repeat(100_000) + "]".repeat(100_000), -32600],
    ["a batch of 10,000", `[${Array(10_000).fill(single(1)).join(",")}]`, -32600],
    ["a batch of a million numbers", `[${Array(1_000_000).fill("1").join(",")}]`, -32600],
    ["an id twice", `{"id":2,${single(1).slice(1)}`, -32600],
    ["a method twice", `{"method":"eth_sendRawTransaction",${single(1).slice(1)}`, -32600],
    ["a method twice, once escaped", `{"m\\u0065thod":"x",${single(1).slice(1)}`, -32600],
    ["a version twice", `{"jsonrpc":"2.0",${single(1).slice(1)}`, -32600],
    ["params twice", `{"params":[],${single(1).slice(1)}`, -32600],
    ["two requests in a row", single(1) + single(2), -32700],
    ["no version", '{"id":1,"method":"eth_call"}', -32600],
    ["invalid UTF-8", Buffer.from(`${single(1)}\xff`, "latin1"), -32700],
    ["an overlong UTF-8 quote", Buffer.from('{"id":1,"a":"\xc0\xa2"}', "latin1"), -32700],
    ["UTF-16", Buffer.from(single(1), "utf16le"), -32700],
    ["a zero byte in a string", single(1).replace("0x1", "0\u00001"), -32700],
    ["NaN for an id", single("NaN"), -32700],
    ["an object for an id", single("{}"), -32600],
    ["a gzip bomb's beginning", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), -32700],
    ["a method of 1 MB", single(1, "eth_".padEnd(MB, "x")), -32601],
    ["a method with a line break", single(1, "eth_call\r\nevent: x"), -32601],
    ["__proto__ for a method", single(1, "__proto__"), -32601],
    ["eth_constructor.prototype for a method", single(1, "constructor"), -32601],
    ["a method of a node's own", single(1, "admin_addPeer"), -32601],
  ]) {
    trying(name, async () => {
      const before = asked().length;
      const { status, error, body, headers } = await t.post("/", sent);
      const said = error ?? body[0].error;
      assert.deepEqual([status, said.code], [200, code]);
      assert.equal(headers.get("access-control-allow-origin"), "*");
      assert.equal(asked().length, before, "nothing goes upstream");
    });
  }

  for (const [name, id] of [
    ["an id of 1 MB", JSON.stringify("i".repeat(MB))],
    ["an id of 100,000 digits", `1${"0".repeat(100_000)}`],
    ["an id beyond any number", "1e99999"],
    ["an id with half a letter", '"\\ud800"'],
    ["an id with a script in it", '"</script><script>alert(1)</script>"'],
    ["__proto__ for an id", '"__proto__"'],
    ["an id with line breaks", '"a\\r\\nset-cookie: x=1"'],
  ]) {
    trying(name, async () => {
      const { status, text, headers } = await t.post("/", single(id));
      assert.equal(status, 200);
      assert.equal(text, `{"jsonrpc":"2.0","id":${id},"result":"0x1"}`);
      assert.equal(headers.get("set-cookie"), null);
    });
  }

  trying("params 20,000 deep", async () => {
    const params = "[".repeat(20_000) + "]".repeat(20_000);
    assert.equal((await t.post("/", single(1, "eth_call", params))).status, 200);
  });

  trying("params with __proto__ and constructor in them", async () => {
    const own = '{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}';
    const { text } = await t.post("/", single(1, "eth_call", `[${own}]`));
    assert.match(text, /"result":/);
    assert.ok(asked().at(-1).body.includes(own));
  });

  trying("a batch of 1,000 over the limit", async () => {
    const { body } = await t.post("/", `[${Array(1_000).fill(single(1)).join(",")}]`);
    assert.equal(body.filter(({ error }) => error.code === -32600).length, 1_000);
  });

  trying("6 MB", async () => {
    const { status, error } = await t.post("/", " ".repeat(6 * MB));
    assert.deepEqual([status, error.code], [413, -32600]);
  });

  trying("6 MB of unknown length", async () => {
    const chunk = `${(6 * MB).toString(16)}\r\n${" ".repeat(6 * MB)}\r\n0\r\n\r\n`;
    const head = "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n";
    assert.equal((await raw(t.url, head + chunk)).status, 413);
  });

  trying("50 bodies that never end", async () => {
    const sockets = Array.from({ length: 50 }, () => dial(t.url));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    for (const socket of sockets) {
      socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"jsonrpc":"2.0",');
    }
    for (let nth = 0; nth < 20; nth += 1) await works();
    for (const socket of sockets) socket.destroy();
  });
});

describe("a path", () => {
  for (const target of [
    "/local/..%2fadmin/routes/local",
    "/local/%2e%2e/admin/routes/local",
    "/local/../admin/routes/local",
    "/./admin/routes/local",
    "/%61dmin/routes/local",
    "/ADMIN/routes/local",
    "/admin/routes/local/../local",
    "//admin//routes//local",
    `/admin/routes/local?authorization=Bearer%20${TOKEN}`,
    `/admin/routes/local/${TOKEN}`,
    `http://evil.example/admin/routes/local`,
    `http://${TOKEN}@x.example/admin/routes/local`,
    "/admin\\routes\\local",
    "/admin/routes/__proto__",
    "/admin/routes/local%00",
  ]) {
    trying(`GET ${target.replace(TOKEN, "TOKEN")}`, async () => {
      const { status, body } = await raw(t.url, request(`GET ${target}`));
      assert.ok(status >= 400, `${status}`);
      assert.ok(!body.includes('"endpoints"'), body);
    });
  }

  for (const path of [
    ...["/__proto__", "/constructor", "/toString", "/hasOwnProperty", "/status/__proto__"],
    ...[
      "/local/x/y",
      "/0x7a69",
      "/+31337",
      "/31337.0",
      "/%00",
      "/local%2f",

      "/%2e%2e/local",
    ],
    ...["/pay/settle/..%2fverify", "/pay/discovery/../settle", "/pay/x/y/settle"],
  ]) {
    trying(`POST ${path}`, async () => {
      const before = asked().length;
      const { status } = await raw(
        t.url,
        request(`POST ${path}`, [], JSON.stringify(call("eth_call"))),
      );
      assert.ok(status >= 400 && status < 500, `${status}`);
      assert.equal(asked().length, before, "nothing goes upstream");
    });
  }

  for (const target of [
    "/local%0d%0aset-cookie:%20x=1",
    "/?%0d%0aset-cookie:%20x=1",
    "/status?x=<script>",
  ]) {
    trying(`GET ${target}`, async () => {
      const { head, body } = await raw(t.url, request(`GET ${target}`));
      assert.ok(!/set-cookie/i.test(head) && !body.includes("<script>"), head);
    });
  }
});

describe("a header", () => {
  const body = JSON.stringify(call("eth_getCode", ["0x1"]));
  const flood = Array.from({ length: 100 }, (_, nth) => `x-flood-${nth}: ${"y".repeat(500)}`);

  for (const [name, headers] of [
    ["100 headers of 500 bytes", flood],
    ["another host", ["host: evil.example"]],
    ["no such host", ["host: 169.254.169.254"]],
    [
      "X-Forwarded-Host and its kin",
      [
        "x-forwarded-host: evil",
        "forwarded: host=evil",
        "x-original-url: /admin",
        "x-rewrite-url: /admin",
      ],
    ],
    ["an origin with markup", ['origin: https://x"><script>']],
    ["an origin of null", ["origin: null"]],
    ["cookies", ["cookie: a=b"]],
    ["an address that is none", ["cf-connecting-ip: ../../etc/passwd"]],
    ["a key of 8,000 bytes", [`x-api-key: ${"k".repeat(8_000)}`]],
    ["a bearer without a token", ["authorization: Bearer "]],
    ["bytes beyond ASCII", ["x-odd: \xff\xfe"]],
    ["a method override", ["x-http-method-override: DELETE"]],
  ]) {
    trying(`${name} changes nothing`, async () => {
      const { status, head, body: text } = await raw(t.url, request("POST /", headers, body));
      assert.equal(status, 200, head);
      assert.match(text, /"result":"0x1"/);
      const sent = JSON.stringify(asked().at(-1).headers);
      assert.ok(!/evil|flood|cookie|etc.passwd|script|169\.254|kkkk/.test(sent), sent);
    });
  }

  for (const [name, text] of [
    [
      "two lengths",
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    ],
    [
      "a length beside chunks",
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n0\r\n\r\nGET /admin/routes/local HTTP/1.1\r\nhost: x\r\n\r\n`,
    ],
    [
      "a length that is none",
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -5\r\nconnection: close\r\n\r\n${body}`,
    ],
    [
      "a line break in a header",
      `POST / HTTP/1.1\r\nhost: x\r\norigin: a\rb\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    ],
    [
      "a header of 300 KB",
      `GET /health HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(300_000)}\r\nconnection: close\r\n\r\n`,
    ],
    ["no HTTP", "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"],
    ["HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ]) {
    trying(`${name} opens nothing`, async () => {
      const { head, body: got } = await raw(t.url, Buffer.from(text, "latin1"));
      assert.ok(!got.includes('"endpoints"') && !/set-cookie/i.test(head), got);
    });
  }
});

describe("many at once", () => {
  trying("200 callers with the same id get each their own", async () => {
    const own = (nth) => `0x${nth.toString(16).padStart(4, "0")}`;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, nth) => t.rpc("eth_getCode", [own(nth)], { id: 1 })),
    );
    answers.forEach(({ result, body }, nth) => {
      assert.deepEqual([body.id, result], [1, own(nth)]);
    });
  });

  trying("50 batches with ids that look alike get each their own", async () => {
    const ids = [1, "1", "1.0", 0, "0", null, "a"];
    const batch = (nth) => ids.map((id, at) => call("eth_getCode", [`0x${nth}${at}`], id));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => t.post("/", batch(nth))),
    );
    answers.forEach(({ body }, nth) => {
      const own = ids.map((id, at) => [id, `0x${nth}${at}`]);
      assert.deepEqual(
        body.map(({ id, result }) => [id, result]),
        own,
      );
    });
  });

  trying("200 clients that leave in the middle of an answer", async () => {
    const body = JSON.stringify(call("eth_getBlockReceipts", ["0x1"]));
    const leave = async () => {
      const socket = dial(t.url);
      socket.write(request("POST /", [], body));
      await once(socket, "data");
      socket.resetAndDestroy();
    };
    for (let nth = 0; nth < 20; nth += 1) await Promise.all(Array.from({ length: 10 }, leave));
  });
});

describe("a filter id", () => {
  for (const id of [
    ...["0x1", "0x60000000", "0x600000001", "0xf0".padEnd(40, "0"), `0x6${"f".repeat(60)}`],
    ...["http://evil.example/", "../a", "", "0x", "0xzz", "a".repeat(100_000)],
  ]) {
    trying(`${id.slice(0, 24) || "empty"} of ${id.length} characters leads nowhere`, async () => {
      const before = asked().length;
      const { status, error } = await t.rpc("eth_getFilterChanges", [id]);
      assert.deepEqual([status, error.code], [200, -32000]);
      assert.equal(asked().length, before, "nothing goes upstream");
    });
  }
});

describe("the operator's token", () => {
  trying("500 guesses of it, long and short", async () => {
    const guess = (nth) => `${TOKEN.slice(0, nth % (TOKEN.length + 1))}${nth}`;
    for (let round = 0; round < 10; round += 1) {
      const guesses = Array.from({ length: 50 }, (_, nth) => guess(round * 50 + nth));
      const answers = await Promise.all(
        guesses.map((token) =>
          t.post("/admin/routes/local/endpoints/a/disable", "", {
            authorization: `Bearer ${token}`,
          }),
        ),
      );
      assert.ok(answers.every(({ status }) => status === 401));
    }
  });

  trying("the token where it does not belong", async () => {
    for (const headers of [
      { "x-api-key": TOKEN },
      { authorization: TOKEN },
      { authorization: `Basic ${TOKEN}` },
      { authorization: `Basic ${Buffer.from(`:${TOKEN}`).toString("base64")}` },
      { cookie: `token=${TOKEN}` },
      { authorization: "Bearer cl13nt-k3y-1" },
    ]) {
      const { status } = await t.get("/admin/routes/local", headers);
      assert.equal(status, 401, JSON.stringify(Object.keys(headers)));
    }
  });
});
