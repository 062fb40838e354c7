/**
 * How much an endpoint takes at once, and how far back it goes.
 */
import { ADDRESS } from "./methods.mjs";
import { largest } from "./search.mjs";

/**
 * @typedef {import("./asker.mjs").Asker} Asker
 * @typedef {import("./search.mjs").Found} Found
 */

const BATCHES = [1, 2, 5, 10, 20, 50, 100];
const RANGES = [1, 100, 500, 1_000, 2_000, 5_000, 10_000];
const LONG_RANGES = [...RANGES, 20_000, 50_000, 100_000, 500_000];
const DEPTHS = [1, 16, 64, 128, 1_000, 10_000, 90_000, 1_000_000, 10_000_000];
/** Depths and ranges are told to a sixteenth. */
const SHARE = 1 / 16;
const hex = (n) => `0x${n.toString(16)}`;

/** @param {Asker} asker @returns {Promise<Found>} the largest batch of cheap calls */
export function batches(asker) {
  return largest(BATCHES, async (size) => {
    const { kind, replies } = await asker.batch(size, "eth_blockNumber");
    if (kind === "result") {
      const good = (replies ?? []).filter((reply) => reply && "result" in reply);
      return good.length === size;
    }
    return ["error", "http", "odd", "throttled"].includes(kind) ? false : undefined;
  });
}

/**
 * Logs of an address that has none: what is measured is the range, not the answer.
 *
 * @param {Asker} asker @param {number} head @param {boolean} long also ranges that cost much
 * @returns {Promise<Found>} the largest range of `eth_getLogs`, in blocks
 */
export function ranges(asker, head, long) {
  const ask = async (blocks) => {
    const [fromBlock, toBlock] = [hex(head - blocks + 1), hex(head)];
    const { kind } = await asker.call("eth_getLogs", [{ fromBlock, toBlock, address: ADDRESS }]);
    if (kind === "result") return true;
    return ["error", "http", "account", "timeout"].includes(kind) ? false : undefined;
  };
  const ladder = long ? LONG_RANGES : RANGES;
  return largest(ladder, ask, { most: Math.min(head, ladder.at(-1)), share: SHARE });
}

/**
 * @typedef {object} Depth
 * @property {"archive" | "recent" | "none" | "unknown"} kind `archive`: state of the first block
 * @property {number | null} blocks how many blocks below the head it goes, to a sixteenth
 */

/** @param {Asker} asker @param {number} head @returns {Promise<Depth>} how far state goes back */
export async function depth(asker, head) {
  const ask = async (below) => {
    const { kind } = await asker.call("eth_getBalance", [ADDRESS, hex(head - below)]);
    if (kind === "result") return true;
    return ["error", "account"].includes(kind) ? false : undefined;
  };
  // Not block 0: the first state is kept by nodes that have pruned all others.
  const all = head - 1;
  const whole = await ask(all);
  if (whole) return { kind: "archive", blocks: all };
  if (whole === undefined) return { kind: "unknown", blocks: null };
  const ladder = DEPTHS.filter((n) => n < all);
  const { good, sure } = await largest(ladder, ask, { refused: all, share: SHARE });
  if (!sure) return { kind: "unknown", blocks: good || null };
  return { kind: good > 0 ? "recent" : "none", blocks: good };
}
