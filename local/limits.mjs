/**
 * What an endpoint does not do although it is well: old state, wide ranges of logs, large batches.
 */
import { errorReply } from "./exchange.mjs";
import { stringify } from "./lossless.mjs";
import { BLOCK_PARAM } from "./stale.mjs";

/**
 * @typedef {import("./exchange.mjs").Exchange} Exchange
 * @typedef {import("./exchange.mjs").Reply} Reply
 */

/** Methods that need the state of a block, not only the block. */
const OF_STATE = new Set([
  "eth_call",
  "eth_estimateGas",
  "eth_getBalance",
  "eth_getCode",
  "eth_getProof",
  "eth_getStorageAt",
  "eth_getTransactionCount",
]);

const head = async (x) => Number((await x.ask({ id: 1, method: "eth_blockNumber" })).result);
const isNumber = (block) => typeof block === "string" && /^0x[\da-f]+$/i.test(block);

/**
 * Keeps the state of the last `blocks` blocks, in geth's words.
 *
 * @param {Exchange} x @param {{ blocks?: number }} fault @returns {Promise<Reply>}
 */
export async function pruned(x, { blocks = 128 }) {
  const oldest = (await head(x)) - blocks;
  return x.wrap(
    await x.replies(async (call) => {
      const asked = OF_STATE.has(call.method) && call.params?.[BLOCK_PARAM[call.method]];
      if (!isNumber(asked) || Number(asked) > oldest) return x.ask(call);
      const message = `missing trie node ${"ab".repeat(32)} (path ) state is not available`;
      return errorReply(call, { code: -32000, message });
    }),
  );
}

/**
 * Takes `max` blocks in one `eth_getLogs`.
 *
 * @param {Exchange} x @param {{ max?: number, code?: number, message?: string }} fault
 * @returns {Promise<Reply>}
 */
export async function rangeLimit(x, { max = 1000, code = -32005, message }) {
  const at = await head(x);
  const number = (block) => (isNumber(block) ? Number(block) : at);
  const tooWide = ({ method, params }) => {
    if (method !== "eth_getLogs" || params?.[0]?.blockHash) return false;
    const { fromBlock, toBlock } = params?.[0] ?? {};
    return number(toBlock) - number(fromBlock) + 1 > max;
  };
  const error = { code, message: message ?? `eth_getLogs is limited to a ${max} blocks range` };
  return x.wrap(await x.replies((call) => (tooWide(call) ? errorReply(call, error) : undefined)));
}

/**
 * Takes `max` calls in one batch; more are refused by one error object, or one for `each` item.
 *
 * @param {Exchange} x
 * @param {{ max?: number, each?: boolean, code?: number, message?: string }} fault
 * @returns {Reply | Promise<Reply>}
 */
export function batchLimit(x, { max = 3, each = false, code = -32600, message }) {
  if (!x.batch || x.calls.length <= max) return x.answer();
  const error = { code, message: message ?? "batch too large" };
  if (each) return x.wrap(x.calls.map((call) => errorReply(call, error)));
  const headers = { "content-type": "application/json" };
  return { headers, body: stringify(errorReply({ id: null }, error)) };
}
