/**
 * A gentle stream of reads through a route, and what came of each.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { keyHeaders } from "../console/deployment.mjs";

/**
 * @typedef {object} Read
 * @property {number} at_ms when it was sent
 * @property {number} ms until the whole answer was there
 * @property {string | null} endpoint who answered
 * @property {string | null} reason why others were left
 * @property {string | null} error what a client would call one: `HTTP 503 -32002`; null: none
 */

const TIMEOUT_MS = 30_000;
/** Reads under way at once: more are not begun, so that slowness makes no crowd. */
const MOST_AT_ONCE = 24;
const CALLS = [
  { method: "eth_blockNumber", params: [] },
  { method: "eth_getBlockByNumber", params: ["latest", false] },
];

export class Reads {
  /** @type {Read[]} in the order in which they ended */
  done = [];
  #ask;
  #everyMs;
  #count = 0;
  #under_way = new Set();
  #running;
  #on = false;

  /**
   * @param {import("../console/deployment.mjs").Deployment} at with its route
   * @param {{ protocol: "evm" | "x402", rate: number }} how
   */
  constructor(at, { protocol, rate }) {
    this.#ask = protocol === "x402" ? () => supported(at) : () => block(at, this.#count++);
    this.#everyMs = 1000 / rate;
  }

  start() {
    this.#on = true;
    this.#running = this.#run();
  }

  /** Begins no more, and waits for those under way. */
  async stop() {
    this.#on = false;
    await this.#running;
    await Promise.all(this.#under_way);
  }

  /** @returns {Promise<string | null>} who answers one read now */
  async who() {
    return (await this.#ask().catch(() => undefined))?.endpoint ?? null;
  }

  async #run() {
    while (this.#on) {
      if (this.#under_way.size < MOST_AT_ONCE) this.#begin();
      await sleep(this.#everyMs);
    }
  }

  #begin() {
    const at_ms = Date.now();
    const one = this.#ask()
      .then(
        (answer) => answer,
        (error) => ({ endpoint: null, reason: null, error: error.cause?.code ?? error.name }),
      )
      .then((answer) => {
        this.done.push({ at_ms, ms: Date.now() - at_ms, ...answer });
        this.#under_way.delete(one);
      });
    this.#under_way.add(one);
  }
}

async function block(at, count) {
  const { method, params } = CALLS[count % CALLS.length];
  const body = JSON.stringify({ jsonrpc: "2.0", id: count, method, params });
  const headers = { "content-type": "application/json", ...keyHeaders(at) };
  const init = { method: "POST", headers, body };
  const response = await fetch(`${at.origin}/${at.route}`, { ...init, ...bounds() });
  const answer = await response.json().catch(() => undefined);
  const good = response.status === 200 && answer?.result;
  const code = answer?.error?.code === undefined ? "" : ` ${answer.error.code}`;
  return { ...seen(response), error: good ? null : `HTTP ${response.status}${code}` };
}

async function supported(at) {
  const response = await fetch(`${at.origin}/${at.route}/supported`, {
    headers: keyHeaders(at),
    ...bounds(),
  });
  await response.arrayBuffer();
  return { ...seen(response), error: response.status === 200 ? null : `HTTP ${response.status}` };
}

const bounds = () => ({ redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });

function seen({ headers }) {
  const header = (name) => headers.get(`x-breakwater-${name}`);
  return { endpoint: header("endpoint"), reason: header("reason") };
}
