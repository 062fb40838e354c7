/**
 * Clients that mean harm, by what stands before a body: paths that would climb, hosts that are others',
 * headers without end. The last line of the output lists what was tried.
 */
import assert from "node:assert/strict";
import { describe } from "node:test";
import { TOKEN } from "../support/admin.mjs";
import { call } from "../support/calls.mjs";
import { raw, request } from "../support/raw.mjs";
import { victim } from "../support/victim.mjs";

const own = victim();

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
    own.trying(`GET ${target.replace(TOKEN, "TOKEN")}`, async () => {
      const { status, body } = await raw(own.t.url, request(`GET ${target}`));
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
    own.trying(`POST ${path}`, async () => {
      const before = own.asked().length;
      const { status } = await raw(
        own.t.url,
        request(`POST ${path}`, [], JSON.stringify(call("eth_call"))),
      );
      assert.ok(status >= 400 && status < 500, `${status}`);
      assert.equal(own.asked().length, before, "nothing goes upstream");
    });
  }

  for (const target of [
    "/local%0d%0aset-cookie:%20x=1",
    "/?%0d%0aset-cookie:%20x=1",
    "/status?x=<script>",
  ]) {
    own.trying(`GET ${target}`, async () => {
      const { head, body } = await raw(own.t.url, request(`GET ${target}`));
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
    own.trying(`${name} changes nothing`, async () => {
      const { status, head, body: text } = await raw(own.t.url, request("POST /", headers, body));
      assert.equal(status, 200, head);
      assert.match(text, /"result":"0x1"/);
      const sent = JSON.stringify(own.asked().at(-1).headers);
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
    own.trying(`${name} opens nothing`, async () => {
      const { head, body: got } = await raw(own.t.url, Buffer.from(text, "latin1"));
      assert.ok(!got.includes('"endpoints"') && !/set-cookie/i.test(head), got);
    });
  }
});
