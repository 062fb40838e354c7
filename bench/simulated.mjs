/**
 * Three simulated endpoints of one chain, the first of which can be broken in seven ways, and calls
 * whose answers can be told right from wrong.
 */
import { setTimeout as sleep } from "node:timers/promises";

export const NAMES = ["alpha", "beta", "gamma"];
/** How long an endpoint takes. */
export const USUAL_MS = 20;
export const SLOW_MS = 700;
/** A block a second; a finalized block every few, so many behind. */
const FINALIZED_STEP = 8;
const FINALIZED_BEHIND = 32;
/** Blocks by which an answer may be behind the moment in which it is judged. */
const TOLERANCE = 3;
const START = Math.floor(Date.now() / 1000) - 10_000;
const PRUNED_BELOW = 128;

export const head = () => Math.floor(Date.now() / 1000) - START;
export const finalized = () =>
  Math.floor((head() - FINALIZED_BEHIND) / FINALIZED_STEP) * FINALIZED_STEP;
export const hex = (n) => `0x${n.toString(16)}`;
const word = (n) => `0x${n.toString(16).padStart(64, "0")}`;
const ADDRESS = `0x${"0a".repeat(20)}`;

const block = (n) => ({
  number: hex(n),
  hash: word(n + 1),
  parentHash: word(n),
  timestamp: hex(START + n),
  nonce: "0x0000000000000000",
  difficulty: "0x0",
  gasLimit: "0x1c9c380",
  gasUsed: "0x0",
  miner: ADDRESS,
  extraData: "0x",
  baseFeePerGas: "0x1",
  transactions: [],
});
const log = (n) => ({
  address: ADDRESS,
  topics: [word(7)],
  data: "0x",
  blockNumber: hex(n),
  blockHash: word(n + 1),
  transactionHash: word(n + 2),
  transactionIndex: "0x0",
  logIndex: "0x0",
  removed: false,
});

/** @param {string} name @returns {import("../tests/support/harness.mjs").EndpointOptions} */
export function simulated(name) {
  const is = { ms: USUAL_MS, behind: 0, finalizedBehind: 0, pruned: false, missing: false };
  const own = () => head() - is.behind;
  const number = (tag) => {
    if (tag === undefined || tag === "latest") return own();
    if (tag === "finalized") return finalized() - is.finalizedBehind;
    return Number(tag);
  };
  const late =
    (answer) =>
    async (...params) => {
      await sleep(is.ms);
      return answer(...params);
    };
  const script = {
    is,
    eth_chainId: "0x7a69",
    net_version: "31337",
    net_listening: late(() => true),
    eth_blockNumber: late(() => hex(own())),
    eth_getBlockByNumber: late(([tag]) => {
      const n = number(tag);
      if (n > own() || (is.pruned && n < own() - PRUNED_BELOW)) return null;
      return block(n);
    }),
    eth_getLogs: late(([{ fromBlock, toBlock }]) => {
      const [from, to] = [number(fromBlock), number(toBlock)];
      const all = Array.from({ length: to - from + 1 }, (_, i) => log(from + i));
      return is.missing ? all.filter((_, i) => i % 3 !== 0) : all;
    }),
    // What it gives is the block it was asked at.
    eth_call: late(([, tag]) => {
      if (number(tag) > own()) throw { code: -32000, message: "header not found" };
      return word(number(tag));
    }),
  };
  return { name, script };
}

/** @type {Record<string, (endpoint: import("../local/endpoint.mjs").Endpoint) => unknown>} */
export const faults = {
  killed: (one) => one.set("refuse"),
  slow: (one) => change(one, { ms: SLOW_MS }),
  "stale head": (one) => change(one, { behind: 100 }),
  "stale finalized": (one) => change(one, { finalizedBehind: 1_200 }),
  "pruned null": (one) => change(one, { pruned: true }),
  "missing logs": (one) => change(one, { missing: true }),
};
const change = (one, how) => Object.assign(one.script.is, how);

const OLD = 1_000;
const RANGE = 9;

/**
 * Reads by name: what is asked, and whether a result is right. Everything is compared by what a client
 * sees: numbers and lengths.
 */
export const reads = {
  head: {
    method: "eth_blockNumber",
    params: () => [],
    right: (result) => head() - Number(result) <= TOLERANCE,
  },
  finalized: {
    method: "eth_getBlockByNumber",
    params: () => ["finalized", false],
    right: (result) => finalized() - Number(result?.number ?? 0) <= FINALIZED_STEP + TOLERANCE,
  },
  "old block": {
    method: "eth_getBlockByNumber",
    params: () => [hex(OLD), false],
    right: (result) => Number(result?.number ?? 0) === OLD,
  },
  logs: {
    method: "eth_getLogs",
    params: () => [{ fromBlock: hex(OLD), toBlock: hex(OLD + RANGE) }],
    right: (result) => result?.length === RANGE + 1,
  },
  call: {
    method: "eth_call",
    params: () => [{ to: ADDRESS }, "latest"],
    right: (result) => head() - Number(result) <= TOLERANCE + 1,
  },
};

/** Keys of a route in each mode. */
export const MODES = {
  ordered: { mode: "ordered" },
  weighted: { mode: "weighted" },
  quorum: {
    mode: "quorum",
    quorum: {
      threshold: 2,
      of: 3,
      methods: ["eth_blockNumber", "eth_getBlockByNumber", "eth_getLogs", "eth_call"],
    },
  },
};

/** Quick to notice, as far as configuration decides. */
export const ROUTE = {
  attempt_timeout_ms: 2_000,
  trip_after: 3,
  cooldown_ms: 2_000,
  poll_ms: 1_000,
  max_lag_blocks: 2,
  max_lag_ms: 2_000,
};

/**
 * Reads of all kinds for so long, one after the other, from callers at different addresses.
 *
 * @param {(read: { method: string, params: unknown[] }, n: number, name: string) => Promise<unknown>} ask
 *   throws for an error
 * @param {number} ms
 */
export async function readFor(ask, ms) {
  const seen = { right: 0, wrong: 0, errors: 0, ms: [], wrongBy: {} };
  const end = Date.now() + ms;
  for (let n = 0; Date.now() < end; n += 1) {
    const names = Object.keys(reads);
    const name = names[n % names.length];
    const began = performance.now();
    const params = reads[name].params();
    try {
      const result = await ask({ method: reads[name].method, params }, n, name);
      const right = reads[name].right(result);
      seen[right ? "right" : "wrong"] += 1;
      if (!right) seen.wrongBy[name] = (seen.wrongBy[name] ?? 0) + 1;
    } catch {
      seen.errors += 1;
    }
    seen.ms.push(performance.now() - began);
  }
  return {
    ...seen,
    all: seen.right + seen.wrong + seen.errors,
    p50: quantile(seen.ms, 0.5),
    p99: quantile(seen.ms, 0.99),
  };
}

function quantile(all, share) {
  const sorted = all.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
}

/** Reads through Breakwater. @param {import("../tests/support/harness.mjs").Harness} t */
export const through =
  (t) =>
  async ({ method, params }, n) => {
    const headers = { "cf-connecting-ip": `198.51.100.${n % 200}` };
    const { result, error, status } = await t.rpc(method, params, { headers });
    if (error || status !== 200) throw new Error(error?.message ?? `HTTP ${status}`);
    return result;
  };
