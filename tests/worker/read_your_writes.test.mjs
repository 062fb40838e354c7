/**
 * Who has sent a transaction finds it again: questions about it go to the endpoint that accepted it.
 * The chain mines only when told, so transactions wait in its pool.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { harness } from "../support/harness.mjs";
import { Signer } from "../support/signing.mjs";

const RAW = "eth_sendRawTransaction";
const BY_HASH = "eth_getTransactionByHash";
const COUNT = "eth_getTransactionCount";
const RECEIPT = "eth_getTransactionReceipt";
const FULL = { mode: "rpc_error", method: RAW, code: -32000, message: "txpool is full" };
const from = (address) => ({ headers: { "cf-connecting-ip": address } });
const ME = from("203.0.113.7");

let t;
let accounts = 0;
const signer = () => new Signer(t.chain, accounts++);

before(async () => {
  const base = { protocol: "evm", chain_id: 31337, attempt_timeout_ms: 2000, trip_after: 1000 };
  t = await harness({
    chain: { blockTimeS: 3600, accounts: 20 },
    endpoints: ["a", "b", "c"],
    isolates: 2,
    route: base,
  });
});

after(() => t?.stop());
afterEach(async () => {
  await t.heal();
  await t.worker.restart();
});

/** A transaction that `b` has taken. */
async function sent(how = ME) {
  const wallet = signer();
  await t.endpoint.a.set(FULL);
  const tx = await wallet.sign();
  const answer = await t.rpc(RAW, [tx.raw], how);
  assert.deepEqual([answer.result, answer.endpoint], [tx.hash, "b"], answer.text);
  return { wallet, ...tx };
}

const asked = async (method, params, how) => (await t.rpc(method, params, how)).endpoint;

describe("after a send", () => {
  test("questions about its hash go to the endpoint that took it", async () => {
    const { hash } = await sent();
    for (const method of [BY_HASH, RECEIPT]) {
      assert.equal(await asked(method, [hash]), "b", method);
    }
    assert.equal(await asked(BY_HASH, [`0x${"1".repeat(64)}`]), "a");
    assert.equal(await asked("eth_blockNumber", []), "a");
  });

  test("the next nonce of the same caller does too, and nobody else's", async () => {
    const { wallet } = await sent();
    const pending = [wallet.address, "pending"];
    assert.equal(await asked(COUNT, pending, ME), "b");
    assert.equal(await asked(COUNT, pending, from("203.0.113.8")), "a");
    assert.equal(await asked(COUNT, pending), "a");
    assert.equal(await asked(COUNT, [wallet.address, "latest"], ME), "a");
  });

  test("by IPv6 the same /64 is the same caller", async () => {
    const { wallet } = await sent(from("2001:db8:1:2::7"));
    const pending = [wallet.address, "pending"];
    assert.equal(await asked(COUNT, pending, from("2001:db8:1:2:ffff::1")), "b");
    assert.equal(await asked(COUNT, pending, from("2001:db8:1:3::7")), "a");
  });

  test("another isolate hears of it, and the caller's address is nowhere", async () => {
    await t.rpc("eth_blockNumber", [], { isolate: "b" });
    const { hash, wallet } = await sent();
    const other = { ...ME, isolate: "b" };
    await t.until(async () => {
      await t.status("local", { isolate: "b" });
      return (await asked(BY_HASH, [hash], other)) === "b";
    });
    assert.equal(await asked(COUNT, [wallet.address, "pending"], other), "b");
    assert.ok(!JSON.stringify([t.logs, await t.status()]).includes("203.0.113.7"));
  });

  test("with that endpoint gone, a null from another is not the last word", async () => {
    const { hash } = await sent();
    await t.endpoint.b.set("refuse");
    t.endpoint.a.script[BY_HASH] = null;
    try {
      const answer = await t.rpc(BY_HASH, [hash]);
      assert.deepEqual([answer.result?.hash, answer.endpoint], [hash, "c"], answer.text);
      assert.equal((await t.rpc(BY_HASH, [`0x${"2".repeat(64)}`])).result, null);
    } finally {
      delete t.endpoint.a.script[BY_HASH];
    }
  });
});

describe("a send that waits for its block", () => {
  const SYNC = "eth_sendRawTransactionSync";
  const known = { mode: "rpc_error", method: SYNC, code: -32000, message: "already known" };

  test("that is known already, in no block: told so with its hash", async () => {
    const { raw, hash } = await signer().sign();
    await t.chain.rpc(RAW, [raw]);
    await t.endpoint.a.set(known);
    const { status, error } = await t.rpc(SYNC, [raw]);
    assert.deepEqual([status, error?.code, error?.data], [200, 4, hash]);
    assert.deepEqual([t.endpoint.a.hits(SYNC), t.endpoint.a.hits(RECEIPT)], [1, 1]);
    assert.deepEqual([t.endpoint.b.hits(SYNC), t.endpoint.b.hits(RECEIPT)], [0, 0]);
  });

  test("that is known already, and mined: its receipt", async () => {
    const { raw, hash } = await signer().sign();
    await t.chain.rpc(RAW, [raw]);
    await t.chain.rpc("evm_mine");
    await t.endpoint.a.set({ mode: "hang", method: SYNC });
    await t.endpoint.b.set(known);
    const { result, endpoint } = await t.rpc(SYNC, [raw], { id: "mine" });
    assert.deepEqual([result?.transactionHash, endpoint], [hash, "b"]);
  });

  test("that was accepted and not mined in time: the endpoint's word, never sent again", async () => {
    const { raw, hash } = await signer().sign();
    const message = "The transaction was added to the transaction pool but wasn't processed in 2s";
    await t.endpoint.a.set({ mode: "rpc_error", method: SYNC, code: 4, message, data: hash });
    const { error, endpoint } = await t.rpc(SYNC, [raw]);
    assert.deepEqual([error, endpoint], [{ code: 4, message, data: hash }, "a"]);
    assert.equal(t.endpoint.b.hits(SYNC), 0);
    assert.equal(await asked(BY_HASH, [hash]), "a");
  });
});
