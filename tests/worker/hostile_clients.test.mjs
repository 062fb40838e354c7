/**
 * Clients that mean harm: what they send costs them their own answer and nobody else's. The last
 * line of the output lists everything that was tried; `hostile_requests.test.mjs` has paths and
 * headers.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { describe } from "node:test";
import { TOKEN } from "../support/admin.mjs";
import { call } from "../support/calls.mjs";
import { dial, raw, request } from "../support/raw.mjs";
import { victim } from "../support/victim.mjs";

const MB = 1024 * 1024;
const own = victim();

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
    own.trying(name, async () => {
      const before = own.asked().length;
      const { status, error, body, headers } = await own.t.post("/", sent);
      const said = error ?? body[0].error;
      assert.deepEqual([status, said.code], [200, code]);
      assert.equal(headers.get("access-control-allow-origin"), "*");
      assert.equal(own.asked().length, before, "nothing goes upstream");
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
    own.trying(name, async () => {
      const { status, text, headers } = await own.t.post("/", single(id));
      assert.equal(status, 200);
      assert.equal(text, `{"jsonrpc":"2.0","id":${id},"result":"0x1"}`);
      assert.equal(headers.get("set-cookie"), null);
    });
  }

  own.trying("params 20,000 deep", async () => {
    const params = "[".repeat(20_000) + "]".repeat(20_000);
    assert.equal((await own.t.post("/", single(1, "eth_call", params))).status, 200);
  });

  own.trying("params with __proto__ and constructor in them", async () => {
    const odd = '{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}';
    const { text } = await own.t.post("/", single(1, "eth_call", `[${odd}]`));
    assert.match(text, /"result":/);
    assert.ok(own.asked().at(-1).body.includes(odd));
  });

  own.trying("a batch of 1,000 over the limit", async () => {
    const { body } = await own.t.post("/", `[${Array(1_000).fill(single(1)).join(",")}]`);
    assert.equal(body.filter(({ error }) => error.code === -32600).length, 1_000);
  });

  /** Who still sends when the answer is there may find the connection closed: then it is 0. */
  const refused = async (headers, body) => {
    const before = own.asked().length;
    const { status } = await raw(
      own.t.url,
      `POST / HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n${body}`,
    );
    assert.ok(status === 413 || status === 0, `${status}`);
    assert.equal(own.asked().length, before);
  };

  own.trying("6 MB", () => refused(`content-length: ${6 * MB}`, " ".repeat(6 * MB)));

  own.trying("6 MB of unknown length", () => {
    const chunk = `${(6 * MB).toString(16)}\r\n${" ".repeat(6 * MB)}\r\n0\r\n\r\n`;
    return refused("transfer-encoding: chunked", chunk);
  });

  own.trying("50 bodies that never end", async () => {
    const sockets = Array.from({ length: 50 }, () => dial(own.t.url));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    for (const socket of sockets) {
      socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"jsonrpc":"2.0",');
    }
    for (let nth = 0; nth < 20; nth += 1) await own.works();
    for (const socket of sockets) socket.destroy();
  });
});

describe("many at once", () => {
  own.trying("200 callers with the same id get each their own", async () => {
    const code = (nth) => `0x${nth.toString(16).padStart(4, "0")}`;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, nth) => own.t.rpc("eth_getCode", [code(nth)], { id: 1 })),
    );
    answers.forEach(({ result, body }, nth) => {
      assert.deepEqual([body.id, result], [1, code(nth)]);
    });
  });

  own.trying("50 batches with ids that look alike get each their own", async () => {
    const ids = [1, "1", "1.0", 0, "0", null, "a"];
    const batch = (nth) => ids.map((id, at) => call("eth_getCode", [`0x${nth}${at}`], id));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => own.t.post("/", batch(nth))),
    );
    answers.forEach(({ body }, nth) => {
      const each = ids.map((id, at) => [id, `0x${nth}${at}`]);
      assert.deepEqual(
        body.map(({ id, result }) => [id, result]),
        each,
      );
    });
  });

  own.trying("200 clients that leave in the middle of an answer", async () => {
    const body = JSON.stringify(call("eth_getBlockReceipts", ["0x1"]));
    const leave = async () => {
      const socket = dial(own.t.url);
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
    own.trying(
      `${id.slice(0, 24) || "empty"} of ${id.length} characters leads nowhere`,
      async () => {
        const before = own.asked().length;
        const { status, error } = await own.t.rpc("eth_getFilterChanges", [id]);
        assert.deepEqual([status, error.code], [200, -32000]);
        assert.equal(own.asked().length, before, "nothing goes upstream");
      },
    );
  }
});

describe("the operator's token", () => {
  own.trying("500 guesses of it, long and short", async () => {
    const guess = (nth) => `${TOKEN.slice(0, nth % (TOKEN.length + 1))}${nth}`;
    for (let round = 0; round < 10; round += 1) {
      const guesses = Array.from({ length: 50 }, (_, nth) => guess(round * 50 + nth));
      const answers = await Promise.all(
        guesses.map((token) =>
          own.t.post("/admin/routes/local/endpoints/a/disable", "", {
            authorization: `Bearer ${token}`,
          }),
        ),
      );
      assert.ok(answers.every(({ status }) => status === 401));
    }
  });

  own.trying("the token where it does not belong", async () => {
    for (const headers of [
      { "x-api-key": TOKEN },
      { authorization: TOKEN },
      { authorization: `Basic ${TOKEN}` },
      { authorization: `Basic ${Buffer.from(`:${TOKEN}`).toString("base64")}` },
      { cookie: `token=${TOKEN}` },
      { authorization: "Bearer cl13nt-k3y-1" },
    ]) {
      const { status } = await own.t.get("/admin/routes/local", headers);
      assert.equal(status, 401, JSON.stringify(Object.keys(headers)));
    }
  });
});
