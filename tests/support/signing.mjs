/**
 * Transactions that are really signed, by the development accounts of the local chain.
 */
import { keccak256, parseGwei } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** A wallet of its own for each test, so that nonces do not meet. */
export class Signer {
  #account;
  #chain;

  /** @param {import("../../local/chain.mjs").Chain} chain @param {number} index of its accounts */
  constructor(chain, index) {
    this.#account = privateKeyToAccount(chain.privateKeys[index]);
    this.#chain = chain;
  }

  get address() {
    return this.#account.address;
  }

  /** @returns {Promise<number>} transactions of it that are in blocks */
  async mined() {
    return Number(await this.#chain.rpc("eth_getTransactionCount", [this.address, "latest"]));
  }

  /**
   * @param {{ nonce?: number, value?: bigint, data?: string, to?: string }} [more] default: a
   *   transfer of 1 wei with the next nonce
   * @returns {Promise<{ raw: string, hash: string }>}
   */
  async sign({ nonce, value = 1n, ...more } = {}) {
    const raw = await this.#account.signTransaction({
      type: "eip1559",
      chainId: this.#chain.chainId,
      nonce: nonce ?? (await this.mined()),
      to: "0x000000000000000000000000000000000000dEaD",
      gas: 100_000n,
      maxFeePerGas: parseGwei("20"),
      maxPriorityFeePerGas: parseGwei("1"),
      value,
      ...more,
    });
    return { raw, hash: keccak256(raw) };
  }
}
