/**
 * What an endpoint can do to a request. `keys` are a mode's own settings; the common ones are told
 * in `endpoint.mjs`.
 */
import { errorReply, resultReply } from "./exchange.mjs";
import { batchLimit, pruned, rangeLimit } from "./limits.mjs";
import { stringify } from "./lossless.mjs";
import { sendCut, sendDrip, sendHalf, sendWhole } from "./sending.mjs";
import { staleReplies } from "./stale.mjs";

/**
 * @typedef {import("./exchange.mjs").Exchange} Exchange
 * @typedef {import("./exchange.mjs").Reply} Reply
 *
 * @typedef {object} Mode
 * @property {string[]} keys
 * @property {(exchange: Exchange, fault: Record<string, any>) => Reply | Promise<Reply>} [reply]
 *   absent: there is no reply
 * @property {(res: import("node:http").ServerResponse, reply: Reply, fault: Record<string, any>) =>
 *   void | Promise<void>} [send] default: the whole reply
 * @property {boolean} [connection] it concerns the port, not a request
 */

const answer = (exchange) => exchange.answer();
const json = { "content-type": "application/json" };

/** Replies with every true one put through `change`. */
const changed = (keys, change) => ({
  keys,
  reply: async (x, fault) => x.wrap((await x.replies()).map((reply, i) => change(reply, fault, i))),
});

/** For batches: the list of true replies put through `change`; a single reply stays as it is. */
const rearranged = (change) => ({
  keys: [],
  reply: async (x) => {
    const replies = await x.replies();
    return x.wrap(x.batch ? change(replies) : replies);
  },
});

/** @type {Record<string, Mode>} */
export const modes = {
  /** The true answer. */
  answer: { keys: [], reply: answer },
  /** The true answer, late: `ms`. */
  slow: { keys: [], reply: answer },
  /** The port is closed: connections are refused, open ones are dropped. */
  refuse: { keys: [], connection: true },
  /** RST `when` the client connects ("before", the default) or has sent its request ("after"). */
  reset: { keys: ["when"] },
  /** Takes the request and never answers. */
  hang: { keys: [] },
  /** Half the body with the full Content-Length, or half of it `chunked`; then it hangs up. */
  cut: { keys: ["chunked"], reply: answer, send: sendCut },
  /** The same half, then silence. */
  stall: { keys: ["chunked"], reply: answer, send: sendHalf },
  /** The whole body in `pieces` (10), `pause_ms` (100) apart. */
  drip: { keys: ["chunked", "pieces", "pause_ms"], reply: answer, send: sendDrip },

  /** An HTTP `status` (503) with any `body` ("") and `headers`. */
  status: {
    keys: ["status", "body"],
    reply: (_, { status = 503, body = "" }) => ({ status, body }),
  },
  /** 429 with `retry_after` (1; seconds, a date, or null for none) and an error object. */
  rate_limit: { keys: ["retry_after"], reply: rateLimit },
  /** A JSON-RPC error with `code`, `message`, `data`, `status` 200; for `method`'s calls alone. */
  rpc_error: { keys: ["code", "message", "data", "status"], reply: rpcError },
  /** A web page where JSON should be, `status` 200. */
  html: { keys: ["status"], reply: html },
  /** Nothing at all, with `status` 200. */
  empty: {
    keys: ["status"],
    reply: (_, { status = 200 }) => ({ status, headers: json, body: "" }),
  },
  /** JSON that breaks off although the HTTP body is complete. */
  bad_json: { keys: [], reply: badJson },
  /** `status` (302) to `location`, by default to a place on this endpoint that answers. */
  redirect: {
    keys: ["status", "location"],
    reply: (_, { status = 302, location = "/elsewhere" }) => ({
      status,
      headers: { location },
      body: "",
    }),
  },

  /** True results under ids that nobody asked for. */
  wrong_id: changed([], (reply, _, i) => ({ ...reply, id: `nobody-${i}` })),
  /** Says it is chain `chain_id` (999). */
  wrong_chain: { keys: ["chain_id"], reply: wrongChain },
  /** Results of `bytes` bytes. */
  big: changed(["bytes"], ({ jsonrpc, id }, { bytes = 1 << 20 }) => ({
    jsonrpc,
    id,
    result: `0x${"ab".repeat(Math.ceil((bytes - 2) / 2))}`,
  })),
  /** Sees the chain as it was `blocks` (5) ago. */
  stale: {
    keys: ["blocks"],
    reply: async (x, { blocks = 5 }) => x.wrap(await staleReplies(x, blocks)),
  },
  /** Has the state of the last `blocks` (128) alone. */
  pruned: { keys: ["blocks"], reply: pruned },
  /** `eth_getLogs` over more than `max` (1000) blocks is refused. */
  range_limit: { keys: ["max", "code", "message"], reply: rangeLimit },

  /** Batches in reverse order. */
  reordered: rearranged((replies) => replies.toReversed()),
  /** Batches without their last reply. */
  short: rearranged((replies) => replies.slice(0, -1)),
  /** Batches with the first reply twice, in place of the last one. */
  duplicate: rearranged((replies) => [...replies.slice(0, -1), replies[0]]),
  /** Batches answered by their first reply alone, not in an array. */
  single: {
    keys: [],
    reply: async (x) => ({ headers: json, body: stringify((await x.replies())[0]) }),
  },
  /** Batches of more than `max` (3) are refused, by one error object or one for `each` item. */
  batch_limit: { keys: ["max", "each", "code", "message"], reply: batchLimit },
};

/** @param {Mode} mode @returns {NonNullable<Mode["send"]>} */
export const sender = (mode) => mode.send ?? sendWhole;

function rateLimit(x, { retry_after = 1 }) {
  const headers = { ...json, ...(retry_after !== null && { "retry-after": String(retry_after) }) };
  const error = { code: -32005, message: "rate limit exceeded" };
  const { body } = x.wrap(x.calls.map((call) => errorReply(call, error)));
  return { status: 429, headers, body };
}

async function rpcError(x, { code = -32000, message = "scripted error", data, status, method }) {
  const meant = (call) => method === undefined || call.method === method;
  const own = (call) => (meant(call) ? errorReply(call, { code, message, data }) : undefined);
  return { ...x.wrap(await x.replies(own)), status };
}

function html(_, { status = 200 }) {
  const body = "<!DOCTYPE html><html><body><h1>Just a moment...</h1></body></html>";
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body };
}

async function badJson(x) {
  const { body } = await x.answer();
  return { headers: json, body: body.slice(0, -Math.ceil(body.length / 3)) };
}

async function wrongChain(x, { chain_id = 999 }) {
  const own = (call) => {
    if (call.method === "eth_chainId") return resultReply(call, `0x${chain_id.toString(16)}`);
    if (call.method === "net_version") return resultReply(call, String(chain_id));
    return undefined;
  };
  return x.wrap(await x.replies(own));
}
