/**
 * Raw transactions for endpoints without a chain: really signed, each another one.
 */
import { keccak256, parseGwei } from "viem";
import { privateKeyToAccount } from "viem/accounts";

const account = privateKeyToAccount(`0x${"07".repeat(32)}`);
let nonce = 0;

/** @returns {Promise<{ raw: `0x${string}`, hash: string }>} */
export async function transaction() {
  const raw = await account.signTransaction({
    type: "eip1559",
    chainId: 31337,
    nonce: nonce++,
    to: "0x000000000000000000000000000000000000dEaD",
    gas: 21_000n,
    maxFeePerGas: parseGwei("20"),
    maxPriorityFeePerGas: parseGwei("1"),
    value: 1n,
  });
  return { raw, hash: keccak256(raw) };
}
