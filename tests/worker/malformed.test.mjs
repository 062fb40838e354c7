/**
 * Bodies that are no JSON-RPC, one after the other: each gets its clear error, none reaches an
 * endpoint, and the Worker goes on. `PRINT_TABLE=1` prints them.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, hex, isPoll, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { printTable } from "../support/table.mjs";

const PARSE = -32700;
const INVALID = -32600;
const deep = (n) => "[".repeat(n) + "]".repeat(n);

/** @type {[string, string | Buffer, number, (string | null)?][]} what it is, body, code, id (null) */
const BODIES = [
  ["nothing", "", PARSE],
  ["blanks", " \n\t ", PARSE],
  ["a BOM alone", "\ufeff", PARSE],
  ["a NUL", "\0", PARSE],
  ["bytes that are no UTF-8", Buffer.from([0xc3, 0x28]), PARSE],
  ["UTF-16", Buffer.from('{"jsonrpc":"2.0"}', "utf16le"), PARSE],
  ["gzip", Buffer.from("1f8b0800000000000003", "hex"), PARSE],
  ["a form", "jsonrpc=2.0&id=1&method=eth_call", PARSE],
  ["a page", "<html></html>", PARSE],
  ["an object cut short", '{"jsonrpc":"2.0","id":1,"method":"eth_ca', PARSE],
  ["an array cut short", '[{"jsonrpc":"2.0","id":1,"method":"eth_call"}', PARSE],
  ["single quotes", "{'jsonrpc':'2.0','id':1,'method':'eth_call'}", PARSE],
  ["a comma too many", '{"jsonrpc":"2.0","id":1,"method":"eth_call",}', PARSE],
  ["a comment", '{"jsonrpc":"2.0",/**/"id":1,"method":"eth_call"}', PARSE],
  ["two objects", '{"jsonrpc":"2.0","id":1,"method":"eth_call"}{}', PARSE],
  ["a leading zero in the id", '{"jsonrpc":"2.0","id":01,"method":"eth_call"}', PARSE],
  ["NaN for an id", '{"jsonrpc":"2.0","id":NaN,"method":"eth_call"}', PARSE],
  ["a raw line feed in a string", '{"jsonrpc":"2.0","id":"\n","method":"eth_call"}', PARSE],
  ["half an escape", '{"jsonrpc":"2.0","id":"\\u00","method":"eth_call"}', PARSE],
  ["100,000 brackets", "[".repeat(100_000), PARSE],
  ["null", "null", INVALID],
  ["true", "true", INVALID],
  ["a number", "42", INVALID],
  ["a string", '"eth_call"', INVALID],
  ["{}", "{}", INVALID],
  ["[]", "[]", INVALID],
  ["no jsonrpc", '{"id":7,"method":"eth_call"}', INVALID, "7"],
  ["jsonrpc 1.0", '{"jsonrpc":"1.0","id":7,"method":"eth_call"}', INVALID, "7"],
  ["jsonrpc as a number", '{"jsonrpc":2.0,"id":7,"method":"eth_call"}', INVALID, "7"],
  ["no method", '{"jsonrpc":"2.0","id":"x"}', INVALID, '"x"'],
  ["a method that is null", '{"jsonrpc":"2.0","id":7,"method":null}', INVALID, "7"],
  ["a method that is a number", '{"jsonrpc":"2.0","id":7,"method":7}', INVALID, "7"],
  [
    "params that are a string",
    '{"jsonrpc":"2.0","id":7,"method":"eth_call","params":"x"}',
    INVALID,
    "7",
  ],
  [
    "params that are a number",
    '{"jsonrpc":"2.0","id":7,"method":"eth_call","params":1}',
    INVALID,
    "7",
  ],
  ["an id that is an array", '{"jsonrpc":"2.0","id":[1],"method":"eth_call"}', INVALID],
  ["an id that is an object", '{"jsonrpc":"2.0","id":{"a":1},"method":"eth_call"}', INVALID],
  ["an id that is true", '{"jsonrpc":"2.0","id":true,"method":"eth_call"}', INVALID],
  ["two ids", '{"jsonrpc":"2.0","id":1,"id":2,"method":"eth_call"}', INVALID],
  ["two methods", '{"jsonrpc":"2.0","id":1,"method":"eth_call","method":"eth_x"}', INVALID],
  ["an answer", '{"jsonrpc":"2.0","id":1,"result":"0x1"}', INVALID, "1"],
];

let t;
const seen = [];

before(async () => {
  t = await harness({ chain: false, endpoints: [scripted("a")] });
});

after(async () => {
  printTable("Malformed bodies", ["Body", "HTTP", "Answer"], seen);
  await t?.stop();
});

for (const [what, body, code, id = "null"] of BODIES) {
  test(what, async () => {
    const { status, text, error } = await t.post("/", body);
    seen.push([what, status, text]);
    assert.equal(status, 200);
    assert.equal(error.code, code);
    assert.match(error.message, code === PARSE ? /JSON/ : /JSON-RPC/);
    assert.ok(text.startsWith(`{"jsonrpc":"2.0","id":${id},"error":`), text);
  });
}

test("a batch of them: an error for each", async () => {
  const items = BODIES.filter(([, , code]) => code === INVALID).map(([, body]) => body);
  const { body } = await t.post("/", `[${items},${JSON.stringify(call("eth_call", [], 9))}]`);
  assert.equal(body.length, items.length + 1);
  assert.ok(body.slice(0, -1).every(({ error }) => error.code === INVALID));
  assert.deepEqual(body.at(-1), { jsonrpc: "2.0", id: 9, result: hex("a") });
});

test("deep nesting that is valid goes to the endpoint", async () => {
  const { result } = await t.post(
    "/",
    `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${deep(2000)}}`,
  );
  assert.equal(result, hex("a"));
});

test("afterwards the Worker answers, and only good calls went out", async () => {
  const { result } = await t.rpc("eth_call");
  assert.equal(result, hex("a"));
  assert.equal(t.endpoint.a.requests.filter((request) => !isPoll(request)).length, 3);
  assert.deepEqual(t.worker.logs.runtime, []);
});
