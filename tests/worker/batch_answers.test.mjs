/**
 * Batches upstream: whatever shape an endpoint's answer has, each item gets its own.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { call, hex, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

let t;

before(async () => {
  t = await harness({
    chain: false,
    endpoints: [scripted("a"), scripted("b")],
    service: { state: "isolate" },
    route: { trip_after: 1000 },
  });
});

after(() => t?.stop());
afterEach(() => t.heal());

const reads = (n) => Array.from({ length: n }, (_, i) => call("eth_call", [{}, "latest"], i + 1));
const sizes = (name) => t.endpoint[name].requests.map(({ methods }) => methods.length);

describe("ids", () => {
  test("given twice are answered twice", async () => {
    const batch = [
      call("eth_call", [], 1),
      call("eth_blockNumber", [], 1),
      call("eth_getBalance", [], 1),
    ];
    const { body } = await t.post("/", batch);
    assert.deepEqual(
      body.map(({ id, result }) => [id, result]),
      [
        [1, hex("a")],
        [1, "0x64"],
        [1, "0x1"],
      ],
    );
  });

  test("that look alike are kept apart", async () => {
    const batch = `[${["1", '"1"', "1.0", "1e0", "null", '"null"'].map(
      (id, i) =>
        `{"jsonrpc":"2.0","id":${id},"method":"${i % 2 ? "eth_blockNumber" : "eth_call"}","params":[]}`,
    )}]`;
    const { text } = await t.post("/", batch);
    const result = (i) => (i % 2 ? '"0x64"' : `"${hex("a")}"`);
    const reply = (id, i) => `{"jsonrpc":"2.0","id":${id},"result":${result(i)}}`;
    assert.equal(text, `[${["1", '"1"', "1.0", "1e0", "null", '"null"'].map(reply)}]`);
  });
});

describe("upstream answers", () => {
  const mixed = [
    call("eth_call", [], 1),
    call("eth_blockNumber", [], 2),
    call("eth_getBalance", [], 3),
  ];
  const results = (body) => body.map(({ id, result }) => [id, result]);
  /** The results when `name` answered the first call. */
  const by = (name) => [hex(name), "0x64", "0x1"].map((result, i) => [i + 1, result]);

  for (const [fault, expected, second] of [
    ["reordered", by("a"), []],
    ["short", by("a"), [1]],
    // An id that came twice answers nobody: none can tell which of the two was meant.
    ["duplicate", by("b"), [2]],
    ["single", by("a"), [2]],
  ]) {
    test(`${fault}: matched by id, the rest goes on`, async () => {
      await t.endpoint.a.set(fault);
      const { body } = await t.post("/", mixed);
      assert.deepEqual(results(body), expected);
      assert.deepEqual(sizes("b"), second);
    });
  }

  test("with a null in place of one", async () => {
    const body = `[null,{"jsonrpc":"2.0","id":2,"result":"0x64"},{"jsonrpc":"2.0","id":3,"result":"0x1"}]`;
    await t.endpoint.a.set({ mode: "status", status: 200, body });
    assert.deepEqual(results((await t.post("/", mixed)).body), by("b"));
    assert.deepEqual(sizes("b"), [1]);
  });

  for (const each of [false, true]) {
    test(`that refuse its size, ${each ? "each item" : "in one object"}: the next is asked`, async () => {
      await t.endpoint.a.set({ mode: "batch_limit", max: 3, each });
      assert.ok((await t.post("/", reads(5))).body.every(({ result }) => result === hex("b")));
      const { endpoint } = await t.status();
      assert.deepEqual([endpoint.a.consecutive_failures, endpoint.a.throttled_until_ms], [0, null]);
      assert.equal((await t.rpc("eth_call")).endpoint, "a", "single calls still go there");
    });
  }
});
