/**
 * Reports from the field: batches and ids.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, hex } from "../support/calls.mjs";
import { error, http, scenes } from "../support/scenes.mjs";

let t;
let scene;

before(async () => {
  ({ t, scene } = await scenes({
    b47: {},
    "b47-alone": { count: 1 },
    b48: {},
    b50: {},
    b51: { count: 1 },
    b52: {},
    b54: {},
    b55: {},
  }));
});

after(() => t?.stop());

const reads = (ids) => ids.map((id) => call("eth_call", [{}, "latest"], id));
const pairs = (replies) => replies.map(({ id, result }) => [id, result]);

test("B47 one error object for a whole batch: all of it goes on", async () => {
  const s = scene("b47");
  await s.a.set({ mode: "batch_limit", max: 3 });
  const { body } = await s.post(reads([1, 2, 3, 4, 5]));
  assert.deepEqual(
    pairs(body),
    [1, 2, 3, 4, 5].map((id) => [id, hex("b47-b")]),
  );
});

test("B47 with nobody else to ask: an array, one entry for each", async () => {
  const s = scene("b47-alone");
  await s.a.set({ mode: "batch_limit", max: 3 });
  const { body } = await s.post(reads([1, 2, 3, 4, 5]));
  assert.deepEqual(
    body.map(({ id }) => id),
    [1, 2, 3, 4, 5],
  );
  assert.ok(body.every(({ result, error: told }) => result || told.message));
});

test("B48 missing and surplus items", async () => {
  const s = scene("b48");
  const items = [1, 3, 77].map((id) => ({ jsonrpc: "2.0", id, result: "0xaa" }));
  await s.a.set(http(200, JSON.stringify(items)));
  const { body } = await s.post(reads([1, 2, 3]));
  assert.deepEqual(pairs(body), [
    [1, "0xaa"],
    [2, hex("b48-b")],
    [3, "0xaa"],
  ]);
  assert.deepEqual(
    s.b.requests.map(({ methods }) => methods.length),
    [1],
  );
});

test("B50 an element that is no call is answered here, the others are asked", async () => {
  const s = scene("b50");
  const [first, last] = reads([1, 2]);
  const { body } = await s.post([first, 1, last]);
  assert.deepEqual(
    body.map(({ id, result, error: told }) => [id, result ?? told.code]),
    [
      [1, hex("b50-a")],
      [null, -32600],
      [2, hex("b50-a")],
    ],
  );
  assert.equal(JSON.parse(s.a.requests[0].body).length, 2);
});

test("B51 a plan's limit on batches: clean answers, and the endpoint is not benched", async () => {
  const s = scene("b51");
  const message = "Batch of more than 3 requests are not allowed on free tier";
  await s.a.set({ mode: "batch_limit", max: 3, each: true, code: 31, message });
  const { body } = await s.post(reads([1, 2, 3, 4]));
  assert.deepEqual(
    body.map(({ id }) => id),
    [1, 2, 3, 4],
  );
  assert.ok(body.every(({ result, error: told }) => result || told.code === 31));
  const { rest, failures, state } = await s.status();
  assert.deepEqual([rest, failures, state], [0, 0, "closed"]);
  assert.equal((await s.read()).by, "a");
});

test("B52 out of credits, said of each item, with ids that are strings", async () => {
  const s = scene("b52");
  await s.a.set(error(-32012, "credits limited to 6000/sec"));
  const ids = ["1", "2", "3", "4", "5"];
  assert.deepEqual(
    pairs((await s.post(reads(ids))).body),
    ids.map((id) => [id, hex("b52-b")]),
  );
  const { rest } = await s.status();
  assert.ok(rest > 0 && rest <= 1, "five items, one rest");
});

const IDS = ["9007199254740993", '"007"', "1.0", '""', "null", "-5"];

test("B54 large and odd ids come back as they were written", async () => {
  const s = scene("b54");
  const text = (id) => `{"jsonrpc":"2.0","id":${id},"method":"eth_call","params":[{},"latest"]}`;
  const reply = (id) => `{"jsonrpc":"2.0","id":${id},"result":"${hex("b54-a")}"}`;
  for (const id of IDS) assert.equal((await s.post(text(id))).text, reply(id));
  assert.equal((await s.post(`[${IDS.map(text)}]`)).text, `[${IDS.map(reply)}]`);
});

test("B55 an error without an id, or with null, is the caller's answer", async () => {
  const s = scene("b55");
  const revert = { code: 3, message: "execution reverted", data: "0x08c379a0" };
  for (const form of [{ error: revert }, { jsonrpc: "2.0", error: revert, id: null }]) {
    await s.a.set(http(200, JSON.stringify(form)));
    const { body } = await s.rpc("eth_call", [{}, "latest"], { id: 7 });
    assert.deepEqual(body, { jsonrpc: "2.0", id: 7, error: revert });
  }
});
