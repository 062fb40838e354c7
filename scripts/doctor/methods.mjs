/**
 * What wallets, dApps and indexers ask for, with parameters that any node can answer.
 */

/** An address at which nothing happens. */
export const ADDRESS = "0x000000000000000000000000000000000000dEaD";
const NOTHING = `0x${"11".repeat(32)}`;

/**
 * @typedef {"yes" | "missing" | "refused" | "error" | "unknown" | "left_out"} Word `missing`: the
 *   method is not there; `refused`: it is, for others; `error`: answered, with an error;
 *   `unknown`: no answer to go by; `left_out`: not asked
 *
 * @typedef {object} Known what the parameters are made of
 * @property {string} [transaction] hash of one in a recent block
 */

/** @type {Record<string, (known: Known) => unknown[]>} parameters by method */
export const METHODS = {
  eth_blockNumber: () => [],
  eth_getBlockByNumber: () => ["latest", false],
  eth_getBalance: () => [ADDRESS, "latest"],
  eth_call: () => [{ to: ADDRESS }, "latest"],
  eth_estimateGas: () => [{ to: ADDRESS }],
  eth_gasPrice: () => [],
  eth_feeHistory: () => ["0x4", "latest", [50]],
  eth_maxPriorityFeePerGas: () => [],
  eth_blobBaseFee: () => [],
  eth_getCode: () => [ADDRESS, "latest"],
  eth_getStorageAt: () => [ADDRESS, "0x0", "latest"],
  eth_getTransactionCount: () => [ADDRESS, "latest"],
  eth_getTransactionByHash: ({ transaction = NOTHING }) => [transaction],
  eth_getTransactionReceipt: ({ transaction = NOTHING }) => [transaction],
  eth_getBlockReceipts: () => ["latest"],
  eth_getLogs: () => [{ fromBlock: "latest", toBlock: "latest", address: ADDRESS }],
  eth_newFilter: () => [{ address: ADDRESS }],
  eth_newBlockFilter: () => [],
  eth_createAccessList: () => [{ to: ADDRESS }, "latest"],
  eth_getProof: () => [ADDRESS, [], "latest"],
  eth_simulateV1: () => [{ blockStateCalls: [{ calls: [{ to: ADDRESS }] }] }, "latest"],
  eth_syncing: () => [],
  net_version: () => [],
  net_listening: () => [],
  web3_clientVersion: () => [],
  debug_traceTransaction: ({ transaction = NOTHING }) => [transaction, { tracer: "callTracer" }],
  trace_block: () => ["latest"],
};

/** @param {import("./outcome.mjs").Outcome} outcome @returns {Word} */
export function wordFor({ kind, said }) {
  if (kind === "result") return "yes";
  if (kind === "error" && said === "missing") return "missing";
  if (kind === "account" || (kind === "error" && said === "plan")) return "refused";
  if (kind === "error") return "error";
  return kind === "left_out" ? "left_out" : "unknown";
}
