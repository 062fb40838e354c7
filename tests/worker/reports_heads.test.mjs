/**
 * Reports from the field: endpoints that are not equally far.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { STRICT, teach } from "../support/heads.mjs";
import { error, scenes } from "../support/scenes.mjs";

const LOGS = [{ logIndex: "0x0" }, { logIndex: "0x1" }];

let t;
let scene;

before(async () => {
  ({ t, scene } = await scenes({ b57: STRICT, b58: {} }));
});

after(() => t?.stop());

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
