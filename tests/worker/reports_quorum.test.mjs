/**
 * Reports from the field: comparing answers.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { quantity } from "../support/heads.mjs";
import { scenes } from "../support/scenes.mjs";

const SLOW_MS = 60;
const methods = ["eth_blockNumber", "eth_getBalance", "eth_call", "eth_getTransactionReceipt"];
const route = {
  count: 3,
  mode: "quorum",
  quorum: { threshold: 2, of: 3, methods },
  attempt_timeout_ms: 2000,
};

let t;
let scene;

before(async () => {
  ({ t, scene } = await scenes({ b61: route, b62: route, b63: route }));
});

after(() => t?.stop());

test("B61 heads of healthy nodes differ by a block, and values at latest agree all the same", async () => {
  const s = scene("b61");
  [s.a, s.b, s.c].forEach((one, i) => {
    one.script.eth_blockNumber = quantity(100 + i);
    one.script.eth_getBalance = ([, tag]) => (tag === quantity(101) ? "0x65" : "0x0");
  });
  assert.equal((await s.rpc("eth_blockNumber")).result, quantity(101));
  assert.equal((await s.rpc("eth_getBalance", ["0x01", "latest"])).result, "0x65");
});

test("B62 one revert in three wordings is one answer", async () => {
  const s = scene("b62");
  [s.a, s.b, s.c].forEach((one, i) => {
    one.script.eth_call = () => {
      throw { code: 3, message: `execution reverted: request ${i}`, data: "0x08c379a0" };
    };
  });
  const { error, headers } = await s.rpc("eth_call", [{}, "0x10"]);
  assert.deepEqual([error.code, error.data], [3, "0x08c379a0"]);
  assert.equal(headers.get("x-breakwater-quorum"), "met");
});

test("B63 a quick null does not win against values, and one voice is no quorum", async () => {
  const s = scene("b63");
  const receipt = { transactionHash: "0x01", blockHash: "0x02", status: "0x1", logs: [] };
  const late = async () => {
    await sleep(SLOW_MS);
    return receipt;
  };
  s.a.script.eth_getTransactionReceipt = null;
  s.b.script.eth_getTransactionReceipt = late;
  s.c.script.eth_getTransactionReceipt = late;
  assert.deepEqual((await s.rpc("eth_getTransactionReceipt", ["0x01"])).result, receipt);
  for (const one of [s.a, s.b]) await one.set("hang");
  const { error, result } = await s.rpc("eth_getTransactionReceipt", ["0x01"]);
  assert.deepEqual([error?.code, result], [-32098, undefined]);
});
