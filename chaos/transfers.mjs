/**
 * What one writer meant to send, what it was told, and whether the chain agrees in the end. Each
 * transfer has a value of its own, so that one made twice shows.
 */

/** What a writer was told of a transfer. */
export const TOLD = { success: "success", failure: "failure", unknown: "unknown" };

export class Transfers {
  /** @type {{ n: number, hashes: Set<string>, told: string | undefined, why?: string }[]} */
  all = [];

  /** @param {string} from the writer's address @param {string} to its own recipient */
  constructor(from, to) {
    Object.assign(this, { from, to });
  }

  next() {
    const transfer = { n: this.all.length + 1, hashes: new Set(), told: undefined };
    this.all.push(transfer);
    return transfer;
  }

  /**
   * Looks at every block of the chain.
   *
   * @param {import("./world.mjs").World} world
   */
  async check({ chain, record }) {
    const mined = await this.#mined(chain);
    let sum = 0n;
    for (const transfer of this.all) {
      const found = mined.get(BigInt(transfer.n)) ?? [];
      const story = `${this.from} number ${transfer.n}, told ${transfer.told} ${transfer.why ?? ""}, signed ${[...transfer.hashes]}, mined ${found}`;
      record.count(`transfers told: ${transfer.told}`);
      if (found.length > 1) record.violation("a transfer made twice", story);
      if (found.some((hash) => !transfer.hashes.has(hash))) record.violation("a stranger's", story);
      if (transfer.told === TOLD.success && found.length === 0)
        record.violation("a lost transfer", story);
      if (transfer.told === TOLD.failure && found.length > 0)
        record.violation("told of no success", story);
      sum += BigInt(transfer.n) * BigInt(found.length);
    }
    const balance = BigInt(await chain.rpc("eth_getBalance", [this.to, "latest"]));
    if (balance !== sum) record.violation("a balance", `${this.to}: ${balance}, not ${sum}`);
  }

  async #mined(chain) {
    const head = Number(await chain.rpc("eth_blockNumber"));
    const mined = new Map();
    for (let n = 0; n <= head; n += 1) {
      const block = await chain.rpc("eth_getBlockByNumber", [`0x${n.toString(16)}`, true]);
      for (const { hash, from, to, value } of block.transactions) {
        if (from.toLowerCase() !== this.from.toLowerCase()) continue;
        if (to?.toLowerCase() !== this.to.toLowerCase()) continue;
        mined.set(BigInt(value), [...(mined.get(BigInt(value)) ?? []), hash]);
      }
    }
    return mined;
  }
}
