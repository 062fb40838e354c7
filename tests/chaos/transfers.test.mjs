/**
 * What a run says of its transfers: one that is lost or made twice is found.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Record } from "../../chaos/record.mjs";
import { Transfers } from "../../chaos/transfers.mjs";

/** A chain with these transfers: values by hash. */
const chainOf = (mined) => ({
  rpc: (method) => {
    if (method === "eth_blockNumber") return "0x0";
    const all = Object.entries(mined);
    if (method === "eth_getBalance")
      return `0x${all.reduce((sum, [, n]) => sum + n, 0).toString(16)}`;
    const transactions = all.map(([hash, n]) => ({
      hash,
      from: "0xA",
      to: "0xB",
      value: `0x${n}`,
    }));
    return { transactions };
  },
});

async function violations(told, mined) {
  const transfers = new Transfers("0xa", "0xb");
  for (const [hash, word] of Object.entries(told)) {
    const one = transfers.next();
    one.hashes.add(hash);
    one.told = word;
  }
  const record = new Record();
  await transfers.check({ chain: chainOf(mined), record });
  return [...record.violations.keys()];
}

test("each transfer once, and each success there", async () => {
  assert.deepEqual(await violations({ "0x1": "success" }, { "0x1": 1 }), []);
  assert.deepEqual(await violations({ "0x1": "unknown" }, {}), []);
  assert.deepEqual(await violations({ "0x1": "success" }, {}), ["a lost transfer"]);
  assert.deepEqual(await violations({ "0x1": "failure" }, { "0x1": 1 }), ["told of no success"]);
  const twice = await violations({ "0x1": "success" }, { "0x1": 1, "0x2": 1 });
  assert.deepEqual(twice, ["a transfer made twice", "a stranger's"]);
});
