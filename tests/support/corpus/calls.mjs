/**
 * What a client asks so that a line of the corpus can be the answer.
 */
import { transaction } from "../transaction.mjs";
import { effect } from "./lines.mjs";

/**
 * @typedef {object} Call
 * @property {string | null} id JSON text; null for a notification
 * @property {string} method
 * @property {unknown[]} params
 * @property {string} [hash] of the raw transaction
 *
 * @typedef {import("./lines.mjs").Line} Line
 */

/** Answered here without an endpoint; these have results of the same form. */
const STAND_INS = { eth_chainId: "eth_gasPrice", eth_accounts: "eth_syncing" };
const ADDRESS = "0x000000000000000000000000000000000000dEaD";
const HASH = `0x${"c0".repeat(32)}`;
const BLOCK = "0x1312d00";
const CALL = { to: ADDRESS, data: "0x18160ddd" };

/** A block below the head by number, so that pruned history is the same matter again. */
const PARAMS = {
  eth_blockNumber: [],
  eth_call: [CALL, BLOCK],
  eth_estimateGas: [CALL],
  eth_gasPrice: [],
  eth_getBalance: [ADDRESS, BLOCK],
  eth_getBlockByHash: [HASH, false],
  eth_getBlockByNumber: [BLOCK, false],
  eth_getLogs: [{ address: ADDRESS, fromBlock: "0x1312c00", toBlock: BLOCK }],
  eth_getTransactionByHash: [HASH],
  eth_getTransactionReceipt: [HASH],
  eth_syncing: [],
};

async function call(id, asked, about) {
  const method = STAND_INS[asked] ?? asked;
  const params = about ? [about] : (PARAMS[method] ?? []);
  if (effect(method) !== "send") return { id, method, params };
  const { raw, hash } = await transaction();
  return { id, method, params: [raw], hash };
}

/**
 * @param {Line} line
 * @param {"read" | "write" | "items"} part the line as the answer to a read, to a send, or to each
 *   item as it was asked
 * @param {string} [about] the transaction or filter that is asked about
 * @returns {Promise<Call[]>}
 */
export function calls(line, part, about) {
  const own = part === "items" || effect(line.method) === (part === "read" ? "read" : "send");
  const other = part === "read" ? "eth_call" : "eth_sendRawTransaction";
  if (line.method === "batch") {
    return Promise.all(
      line.asked.map(({ id, method }) => call(id, part === "items" ? method : other)),
    );
  }
  const once = part === "write" && effect(line.method) === "once";
  return Promise.all([call(line.asked_id ?? "1", own || once ? line.method : other, about)]);
}

/** @param {Line} line @param {Call[]} calls @returns {string} the client's body */
export function bodyOf(line, calls) {
  const texts = calls.map(({ id, method, params }) => {
    const rest = `"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`;
    return `{"jsonrpc":"2.0",${id === null ? "" : `"id":${id},`}${rest}}`;
  });
  return line.method === "batch" ? `[${texts.join(",")}]` : texts[0];
}
