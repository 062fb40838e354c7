/**
 * How long the methods take that callers use most.
 */
import { ADDRESS } from "./methods.mjs";
import { percentile } from "./percentiles.mjs";

/**
 * @typedef {object} Latency
 * @property {number} samples answers that were measured
 * @property {number} failed requests without a result
 * @property {number | null} p50 ms
 * @property {number | null} p99 ms; of fewer than a hundred samples it is the slowest
 */

const LOG_BLOCKS = 10;

/** @type {Record<string, (head: number) => unknown[]>} */
export const MEASURED = {
  eth_blockNumber: () => [],
  eth_getBlockByNumber: () => ["latest", false],
  eth_getBalance: () => [ADDRESS, "latest"],
  eth_call: () => [{ to: ADDRESS }, "latest"],
  eth_getLogs: (head) => [
    { fromBlock: `0x${Math.max(0, head - LOG_BLOCKS + 1).toString(16)}`, address: ADDRESS },
  ],
};

/**
 * @param {(method: string) => Promise<import("./outcome.mjs").Outcome>} ask
 * @param {string} method
 * @param {number} samples
 * @returns {Promise<Latency>}
 */
export async function measure(ask, method, samples) {
  const times = [];
  let failed = 0;
  for (let n = 0; n < samples; n += 1) {
    const { kind, ms } = await ask(method);
    if (kind === "left_out") break;
    if (kind === "result") times.push(ms);
    else failed += 1;
  }
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(times, share));
  return { samples: times.length, failed, p50, p99 };
}
