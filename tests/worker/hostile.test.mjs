/**
 * Endpoints that send what no honest one does: bytes in headers, lengths that lie, letters cut in two.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { after, afterEach, before, describe, test } from "node:test";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const METHOD = "eth_getBlockReceipts";
const KB = 1024;

/**
 * Sends whatever bytes it is told to.
 *
 * @returns {Promise<{ url: string, reply: string | Buffer | ((socket: import("node:net").Socket) => void), stop: () => Promise<void> }>}
 */
async function rawServer() {
  const own = { url: "", reply: "", stop: async () => {} };
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let text = "";
    socket.on("data", (data) => {
      text += data.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (head < 0 || text.length < head + 4 + length) return;
      text = "";
      if (typeof own.reply === "function") own.reply(socket);
      else socket.end(own.reply);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  own.url = `http://127.0.0.1:${server.address().port}`;
  own.stop = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return own;
}

let raw;
let t;

before(async () => {
  raw = await rawServer();
  t = await harness({
    chain: false,
    endpoints: [{ name: "raw", url: raw.url }, scripted("b"), scripted("c")],
    service: { state: "isolate" },
    route: { attempt_timeout_ms: 5000, trip_after: 1000, trip_min: 1000 },
    routes: {
      ROUTE_VOTE: {
        chain_id: 31337,
        mode: "quorum",
        quorum: { threshold: 2, of: 2, methods: ["eth_getBalance"] },
        endpoints: ["b", "c"],
      },
      ROUTE_PAY: { protocol: "x402", endpoints: [{ name: "raw", url: raw.url }] },
    },
  });
  t.endpoint.b.script[METHOD] = "0xb";
});
after(async () => {
  await t?.stop();
  await raw?.stop();
});
afterEach(() => t.heal());

const head = (...lines) => `HTTP/1.1 200 OK\r\n${lines.join("\r\n")}\r\n\r\n`;

/** A reply with these headers and this body, both as latin-1. */
const reply = (body, ...lines) =>
  Buffer.from(
    `${head(...lines, `content-length: ${body.length}`, "connection: close")}${body}`,
    "latin1",
  );

describe("a large result under another form of the id", () => {
  for (let shift = 0; shift < 3; shift += 1) {
    test(`is whole although a letter is cut in two (${shift})`, async () => {
      const result = "x".repeat(shift) + "界".repeat(200 * KB);
      const body = `{"jsonrpc":"2.0","id":"7","result":${JSON.stringify(result)}}`;
      raw.reply = reply(Buffer.from(body).toString("latin1"), "content-type: application/json");
      const { body: got, endpoint } = await t.rpc(METHOD, ["0x1"], { id: 7 });
      assert.deepEqual([endpoint, got?.id], ["raw", 7]);
      assert.ok(got.result === result);
    });
  }
});

describe("bytes in a header", () => {
  for (const odd of ["\xe9", "\xf0\x9f\x98\x80", "\xff", "\t"]) {
    const type = `content-type: application/json; x=${odd}`;
    const name = JSON.stringify(odd);

    test(`${name} cost no answer`, async () => {
      raw.reply = reply(`{"jsonrpc":"2.0","id":1,"result":"0x1"}`, type);
      const { status, result, headers } = await t.rpc(METHOD, ["0x1"]);
      assert.deepEqual([status, result], [200, "0x1"]);
      assert.equal(headers.get("access-control-allow-origin"), "*");
    });

    test(`${name} cost no settle`, async () => {
      const extension = `extension-responses: ${odd}`;
      raw.reply = reply(`{"success":true,"transaction":"0xabc"}`, type, extension);
      const payment = { x402Version: 2, paymentPayload: { odd }, paymentRequirements: {} };
      const { status, body } = await t.post("/pay/settle", payment);
      assert.deepEqual([status, body?.success], [200, true]);
    });
  }
});

test("a length that lies beside chunks fills no memory", async () => {
  const most = 64 * KB * KB;
  const piece = `10000\r\n${"9".repeat(64 * KB)}\r\n`;
  let written = 0;
  raw.reply = (socket) => {
    socket.write(head("content-length: 20", "transfer-encoding: chunked"));
    const more = () => {
      while (!socket.destroyed && written < most) {
        written += piece.length;
        if (!socket.write(piece)) return socket.once("drain", more);
      }
      if (!socket.destroyed) socket.end("0\r\n\r\n");
    };
    more();
  };
  assert.equal((await t.rpc(METHOD, ["0x1"])).endpoint, "b");
  assert.ok(written < most / 4, `${written} bytes were taken`);
});

test("a caller that provokes a firewall puts no endpoint out", async () => {
  const forbidden = "<html><h1>403 Forbidden</h1></html>";
  raw.reply = Buffer.from(`HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n${forbidden}`);
  const odd = await t.rpc(METHOD, ["<script>alert(1)</script>"]);
  assert.deepEqual([odd.endpoint, odd.reason], ["b", "raw=html_error_page"]);
  const next = await t.rpc(METHOD, ["0x1"]);
  assert.deepEqual([next.endpoint, next.attempts], ["b", 2], "it is still asked");
  assert.deepEqual((await t.rpc(METHOD, ["0x1"])).attempts, 1, "who refuses a plain request rests");
});

describe("one answer for a whole batch", () => {
  const item = (id, method, params = []) => ({ jsonrpc: "2.0", id, method, params });

  test("is no vote on the other items, however many endpoints give it", async () => {
    for (const name of ["b", "c"]) {
      t.endpoint[name].script.eth_getBalance = ([address]) => address;
      await t.endpoint[name].set("single");
    }
    const calls = ["0x11", "0x22"].map((address, id) =>
      item(id, "eth_getBalance", [address, "0x1"]),
    );
    const { body } = await t.post("/vote", calls);
    assert.deepEqual(
      body.map(({ id, result }) => [id, result]),
      [
        [0, "0x11"],
        [1, undefined],
      ],
    );
  });

  test("shows no head of another item's", async () => {
    t.endpoint.b.script.eth_getCode = "0xffff";
    await t.endpoint.b.set("single");
    const calls = [item(1, "eth_getCode", ["0x1", "0x1"]), item(2, "eth_blockNumber")];
    const { body } = await t.post("/vote", calls);
    assert.deepEqual(
      body.map(({ result }) => result),
      ["0xffff", "0x64"],
    );
    const { head } = (await t.status("vote")).endpoint.b;
    assert.notEqual(head, 0xffff);
  });
});
