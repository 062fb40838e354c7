/**
 * What may befall an endpoint. Each kind makes settings for `endpoint.set`, or `script`: answers by
 * method that are put in the place of the true ones.
 */
import { between, pick } from "./dice.mjs";

const PAGE = "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>";
const HTML = { "content-type": "text/html" };

/** Errors in a 200 by which a node declines to serve. */
const DECLINED = [
  { code: -32603, message: "Internal error" },
  { code: -32000, message: "header not found" },
  { code: -32005, message: "limit exceeded" },
  { code: -32000, message: "request timed out" },
  { code: -32002, message: "resource unavailable" },
];

/** @typedef {import("../local/endpoint.mjs").Fault | string} Fault */

/** @type {Record<string, (roll: import("./dice.mjs").Roll) => Fault | { script: Record<string, unknown> }>} */
export const faults = {
  refuses: () => "refuse",
  hangs: () => "hang",
  "hangs, having carried it out": () => ({ mode: "hang", forward: true }),
  "resets connections": () => ({ mode: "reset" }),
  "resets after the request": () => ({ mode: "reset", when: "after" }),
  "resets, having carried it out": () => ({ mode: "reset", when: "after", forward: true }),
  "cuts its answers": () => ({ mode: "cut" }),
  "cuts its answers, chunked": () => ({ mode: "cut", chunked: true }),
  "stalls in its answers": (roll) => ({ mode: "stall", chunked: roll() < 0.5 }),
  "drips its answers": () => ({ mode: "drip", pieces: 4, pause_ms: 60 }),
  "is slow": (roll) => ({ mode: "slow", ms: between(roll, 200, 1500) }),
  "is too late": () => ({ mode: "slow", ms: 6_500 }),
  "429 with Retry-After": (roll) => ({ mode: "rate_limit", retry_after: between(roll, 1, 2) }),
  "429 without Retry-After": () => ({ mode: "rate_limit", retry_after: null }),
  500: () => ({ mode: "status", status: 500 }),
  "502 with a page": () => ({ mode: "status", status: 502, body: PAGE, headers: HTML }),
  "502, having carried it out": () => ({ mode: "status", status: 502, forward: true }),
  503: () => ({ mode: "status", status: 503 }),
  "a page with 200": () => ({ mode: "html" }),
  "empty answers": () => ({ mode: "empty" }),
  "broken JSON": () => ({ mode: "bad_json" }),
  "declines in a 200": (roll) => ({ mode: "rpc_error", ...pick(roll, DECLINED) }),
  "declines, having carried it out": () => ({ mode: "rpc_error", ...DECLINED[0], forward: true }),
  "wrong ids": () => ({ mode: "wrong_id" }),
  "wrong chain": () => ({ mode: "wrong_chain" }),
  "is behind": (roll) => ({ mode: "stale", blocks: between(roll, 3, 30) }),
  "has no receipts yet": () => ({ script: { eth_getTransactionReceipt: null } }),
  "batches without their last": () => ({ mode: "short" }),
  "batches with one twice": () => ({ mode: "duplicate" }),
  "batches by their first": () => ({ mode: "single" }),
  "batches reversed": () => ({ mode: "reordered" }),
  "no large batches": (roll) => ({ mode: "batch_limit", each: roll() < 0.5 }),
};

/** Of these all endpoints may have one at once, in a blackout: none asks for a rest afterwards. */
export const OUT = ["refuses", "hangs", "resets connections", "500", "503", "502 with a page"];

/** @param {import("../local/endpoint.mjs").Endpoint} endpoint @param {Fault | { script: object }} fault */
export async function begin(endpoint, fault) {
  if (fault.script) Object.assign(endpoint.script, fault.script);
  else await endpoint.set(fault);
}

/** @param {import("../local/endpoint.mjs").Endpoint} endpoint */
export async function mend(endpoint) {
  for (const method of Object.keys(endpoint.script)) delete endpoint.script[method];
  await endpoint.set("answer");
}
