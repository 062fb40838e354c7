/**
 * ethers through an outage: it batches by itself, and must not see one error.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ContractFactory, JsonRpcProvider, Wallet } from "ethers";
import { ABI, BYTECODE, REASON } from "../support/contract.mjs";
import { startOutage, throughOutage } from "../support/outage.mjs";

const nobody = "0x000000000000000000000000000000000000dEaD";

async function work(provider, wallet, contract, id) {
  assert.equal((await provider.getNetwork()).chainId, BigInt(id));
  const [balance, code, fees, nonce, answer] = await Promise.all([
    provider.getBalance(nobody),
    provider.getCode(contract.target),
    provider.getFeeData(),
    provider.getTransactionCount(wallet.address),
    contract.answer(),
  ]);
  assert.deepEqual(
    [typeof balance, code.length > 100, fees.gasPrice > 0n, nonce > 0, answer],
    [...["bigint", true, true, true, 42n]],
  );
  await assert.rejects(contract.fail(), { code: "CALL_EXCEPTION", reason: REASON });
  const sent = await wallet.sendTransaction({ to: nobody, value: 1n });
  const receipt = await sent.wait(1, 10_000);
  assert.equal(receipt.status, 1);
}

describe("ethers while the first endpoint", { concurrency: true }, () => {
  for (const fault of ["refuse", { mode: "html", status: 502 }]) {
    test(`does this: ${fault.mode ?? fault}`, async (context) => {
      const t = await startOutage();
      context.after(() => t.stop());
      const provider = new JsonRpcProvider(t.url, undefined, {
        cacheTimeout: -1,
        pollingInterval: 50,
      });
      context.after(() => provider.destroy());
      const wallet = new Wallet(t.chain.privateKeys[0], provider);
      const factory = new ContractFactory(ABI, BYTECODE, wallet);
      const contract = await factory.deploy();
      await contract.waitForDeployment();
      await throughOutage(t, "ethers", fault, {
        read: () => provider.getBalance(nobody),
        work: () => work(provider, wallet, contract, t.chain.chainId),
      });
      const count = await provider.getTransactionCount(wallet.address);
      assert.equal(count, 5, "the deployment and one transfer for each piece of work");
      assert.ok(
        t.endpoint.second.requests.some(({ methods }) => methods.length > 1),
        "in batches",
      );
    });
  }
});
