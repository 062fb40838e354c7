/**
 * Teaching the Worker heads, by the answers that pass by.
 */
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Route keys by which one block too few is too far behind at once, and nothing else is: what clients
 * were told does not count.
 */
export const STRICT = { max_lag_blocks: 1, max_lag_ms: 1, monotonic_head: false };

/** @param {number} n @returns {string} */
export const quantity = (n) => `0x${n.toString(16)}`;

/**
 * @param {import("./scenes.mjs").Scene} s
 * @param {{ known: number, own?: number }} heads the chain's, by the second endpoint's word, and the
 *   first endpoint's
 */
export async function teach(s, { known, own }) {
  s.b.script.eth_blockNumber = quantity(known);
  await s.a.set({ mode: "status", status: 400, method: "eth_blockNumber", times: 1 });
  await s.rpc("eth_blockNumber");
  await sleep(5 * STRICT.max_lag_ms);
  if (own !== undefined) {
    s.a.script.eth_blockNumber = quantity(own);
    await s.rpc("eth_blockNumber");
  }
  for (const endpoint of [s.a, s.b]) endpoint.clear();
}
