/**
 * How a chain looks from an endpoint that is some blocks behind.
 */
import { errorReply, resultReply } from "./exchange.mjs";

/** @typedef {import("./exchange.mjs").Call} Call */

const NEWEST = new Set(["latest", "pending"]);
/** They trail the head: what the chain has is as far behind as the head is. */
const TRAILING = new Set(["safe", "finalized"]);
/** Index of the parameter that names a block, by method. */
export const BLOCK_PARAM = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBalance: 1,
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_getCode: 1,
  eth_getProof: 2,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
};
const hex = (n) => `0x${n.toString(16)}`;

/**
 * @param {import("./exchange.mjs").Exchange} exchange
 * @param {number} blocks how far behind
 * @returns {Promise<object[]>} replies as of that block: tags mean it, later blocks and what is in
 *   them are unknown
 */
export async function staleReplies(exchange, blocks) {
  const ask = async (method, params = []) => (await exchange.ask({ id: 1, method, params })).result;
  const head = Math.max(0, Number(await ask("eth_blockNumber")) - blocks);
  const trailing = async (tag) => {
    const block = await ask("eth_getBlockByNumber", [tag, false]);
    return block?.number ? Math.max(0, Number(block.number) - blocks) : head;
  };
  return exchange.replies((call) => staleReply(exchange, call, head, trailing));
}

async function staleReply(exchange, call, head, trailing) {
  if (call.method === "eth_blockNumber") return resultReply(call, hex(head));
  const at = BLOCK_PARAM[call.method];
  const asked = call.params?.[at];
  if (NEWEST.has(asked) || TRAILING.has(asked)) {
    const block = NEWEST.has(asked) ? head : await trailing(asked);
    return exchange.ask({ ...call, params: call.params.with(at, hex(block)) });
  }
  if (Number(asked) > head) return unknownBlock(call);
  const reply = await exchange.ask(call);
  return Number(reply.result?.blockNumber) > head ? resultReply(call, null) : reply;
}

/** In geth's words: blocks are `null`, state is an error. */
function unknownBlock(call) {
  if (call.method.startsWith("eth_getBlock")) return resultReply(call, null);
  return errorReply(call, { code: -32000, message: "header not found" });
}
