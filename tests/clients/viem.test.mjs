/**
 * viem through an outage: reads, batches, a contract, transactions, and not one error.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPublicClient, createWalletClient, defineChain, http, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { ABI, BYTECODE, REASON } from "../support/contract.mjs";
import { startOutage, throughOutage } from "../support/outage.mjs";

const abi = parseAbi(ABI);
const nobody = "0x000000000000000000000000000000000000dEaD";

/** Clients that hide nothing: no repeats of their own. */
function clients(t) {
  const chain = defineChain({
    id: t.chain.chainId,
    name: "local",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [t.url] } },
  });
  const options = { chain, pollingInterval: 50, cacheTime: 0 };
  const transport = (more) => http(t.url, { retryCount: 0, timeout: 10_000, ...more });
  const account = privateKeyToAccount(t.chain.privateKeys[0]);
  return {
    single: createPublicClient({ ...options, transport: transport() }),
    batched: createPublicClient({ ...options, transport: transport({ batch: true }) }),
    wallet: createWalletClient({ ...options, account, transport: transport() }),
  };
}

async function work({ single, batched, wallet }, address, id) {
  assert.equal(await single.getChainId(), id);
  const [balance, code, gas, nonce, answer] = await Promise.all([
    batched.getBalance({ address: nobody }),
    batched.getCode({ address }),
    batched.getGasPrice(),
    batched.getTransactionCount({ address: wallet.account.address }),
    batched.readContract({ address, abi, functionName: "answer" }),
  ]);
  assert.deepEqual(
    [typeof balance, code.length > 100, gas > 0n, nonce > 0, answer],
    [...["bigint", true, true, true, 42n]],
  );
  const failing = single.readContract({ address, abi, functionName: "fail" });
  await assert.rejects(failing, (error) => error.shortMessage.includes(REASON));
  await assert.rejects(single.estimateGas({ to: address, data: "0xa9cc4718" }), /reverted/);
  const hash = await wallet.sendTransaction({ to: nobody, value: 1n });
  const receipt = await single.waitForTransactionReceipt({ hash });
  assert.equal(receipt.status, "success");
}

describe("viem while the first endpoint", { concurrency: true }, () => {
  /** The last one carries transactions out and loses its answers. */
  for (const fault of ["refuse", "hang", { mode: "reset", when: "after", forward: true }]) {
    test(`does this: ${fault.mode ?? fault}`, async (context) => {
      const t = await startOutage();
      context.after(() => t.stop());
      const all = clients(t);
      const hash = await all.wallet.deployContract({ abi, bytecode: BYTECODE });
      const { contractAddress } = await all.single.waitForTransactionReceipt({ hash });
      await throughOutage(t, "viem", fault, {
        read: () => all.single.getBalance({ address: nobody }),
        work: () => work(all, contractAddress, t.chain.chainId),
      });
      const sent = await all.single.getTransactionCount({ address: all.wallet.account.address });
      assert.equal(sent, 5, "the deployment and one transfer for each piece of work");
    });
  }
});
