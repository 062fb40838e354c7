/**
 * Reports from the field: endpoints that are not equally far.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { quantity, STRICT, teach } from "../support/heads.mjs";
import { error, scenes } from "../support/scenes.mjs";

const LOGS = [{ logIndex: "0x0" }, { logIndex: "0x1" }];

let t;
let scene;

before(async () => {
  ({ t, scene } = await scenes({ b56: {}, b57: STRICT, b58: {} }));
});

after(() => t?.stop());

test("B56 heads of unlike nodes do not go back and forth, and the newest block is found", async () => {
  const s = scene("b56");
  const block = { number: quantity(103) };
  Object.assign(s.a.script, { eth_blockNumber: quantity(100), eth_getBlockByNumber: null });
  Object.assign(s.b.script, { eth_blockNumber: quantity(103), eth_getBlockByNumber: block });
  const told = [];
  for (let i = 0; i < 10; i++) {
    const fault = { mode: "status", status: 400, method: "eth_blockNumber", times: 1 };
    if (i % 2) await s.a.set(fault);
    told.push(Number((await s.rpc("eth_blockNumber")).result));
    await sleep(200);
  }
  assert.deepEqual(
    told,
    told.toSorted((x, y) => x - y),
  );
  assert.equal(told.at(-1), 103);
  const { result } = await s.rpc("eth_getBlockByNumber", [quantity(103), false]);
  assert.deepEqual(result, block);
});

test("B57 no logs from an endpoint that has not got the block are not the answer", async () => {
  const s = scene("b57");
  s.a.script.eth_getLogs = [];
  s.b.script.eth_getLogs = LOGS;
  await teach(s, { known: 103, own: 100 });
  const { by, result } = await s.rpc("eth_getLogs", [{ fromBlock: "0x67", toBlock: "0x67" }]);
  assert.deepEqual([by, result], ["b", LOGS]);
});

test("B58 a call at a block that the endpoint lacks is asked elsewhere, a revert is not", async () => {
  const s = scene("b58");
  await s.a.set(error(-32000, "header not found"));
  assert.equal((await s.rpc("eth_call", [{}, "0x67"])).by, "b");
  await s.a.set(error(3, "execution reverted", { data: "0x" }));
  assert.deepEqual([(await s.read()).by, s.b.hits()], ["a", 1]);
});
