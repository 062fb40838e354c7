/**
 * Asks one endpoint, politely: one request at a time, a pause after each, longer ones after a
 * throttle, and never more than a fixed number.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { answered, readOutcome, readPlain } from "./outcome.mjs";
import { serves } from "./permitted.mjs";

/** @typedef {import("./outcome.mjs").Outcome} Outcome */

const MAX_PAUSE_MS = 2_000;
/** Longest rest that is waited for; who asks for a longer one is left in peace. */
const MAX_WAIT_MS = 10_000;
/** Further tries at a request that was throttled. */
const TRIES = 3;
/** Throttles after which it is left in peace. */
const MAX_THROTTLES = 12;
/** Requests in a row without an answer after which it is given up. */
const MAX_SILENT = 3;

export class Asker {
  /** Requests made. */
  asked = 0;
  throttles = 0;
  /** @type {string | undefined} why no more is asked */
  gaveUp;
  #endpoint;
  #settings;
  #pauseMs;
  #silent = 0;

  /**
   * @param {{ name: string, url: string, headers?: Record<string, string>, methods?: object }} endpoint
   * @param {{ timeoutMs: number, pauseMs: number, most: number }} settings `most`: requests
   */
  constructor(endpoint, settings) {
    this.#endpoint = endpoint;
    this.#settings = settings;
    this.#pauseMs = settings.pauseMs;
  }

  /** @param {string} method @param {unknown[]} [params] @returns {Promise<Outcome>} */
  call(method, params = []) {
    return this.#allowed(method, { jsonrpc: "2.0", id: 1, method, params });
  }

  /** The same call `size` times in one request. @returns {Promise<Outcome>} */
  batch(size, method, params = []) {
    const call = (_, i) => ({ jsonrpc: "2.0", id: i + 1, method, params });
    return this.#allowed(method, Array.from({ length: size }, call));
  }

  /** What a facilitator supports. @returns {Promise<Outcome>} */
  supported() {
    return this.#patiently({ method: "GET" }, "/supported");
  }

  async #allowed(method, body) {
    if (!serves(this.#endpoint.methods, method)) return { kind: "left_out", ms: 0 };
    return this.#patiently({ method: "POST", body: JSON.stringify(body) });
  }

  async #patiently(request, path = "") {
    for (let tries = 0; ; tries += 1) {
      if (this.asked >= this.#settings.most) this.gaveUp ??= `${this.asked} requests were made`;
      if (this.gaveUp) return { kind: "left_out", ms: 0 };
      const outcome = await this.#once(request, path);
      this.#note(outcome);
      if (outcome.kind !== "throttled" || tries >= TRIES || this.gaveUp) {
        await sleep(this.#pauseMs);
        return outcome;
      }
      this.#pauseMs = Math.min(MAX_PAUSE_MS, Math.max(100, this.#pauseMs * 2));
      await sleep(outcome.retryAfterMs ?? 1000 * 2 ** tries);
    }
  }

  #note(outcome) {
    if (outcome.kind === "throttled") this.throttles += 1;
    this.#silent = answered(outcome) ? 0 : this.#silent + 1;
    if (this.#silent >= MAX_SILENT) this.gaveUp ??= `${this.#silent} requests got no answer`;
    if (outcome.retryAfterMs > MAX_WAIT_MS)
      this.gaveUp ??= `it asked for ${Math.round(outcome.retryAfterMs / 1000)} s of rest`;
    if (this.throttles >= MAX_THROTTLES) this.gaveUp ??= `it throttled ${this.throttles} times`;
  }

  async #once(request, path) {
    this.asked += 1;
    const { url, headers } = this.#endpoint;
    const began = performance.now();
    const ms = () => performance.now() - began;
    try {
      const response = await fetch(url + path, {
        ...request,
        headers: { ...(request.body && { "content-type": "application/json" }), ...headers },
        redirect: "manual",
        signal: AbortSignal.timeout(this.#settings.timeoutMs),
      });
      const text = await response.text();
      const retryAfter = response.headers.get("retry-after");
      const read = request.method === "GET" ? readPlain : readOutcome;
      return read({ status: response.status, retryAfter, text, ms: ms() });
    } catch (error) {
      if (error.name === "TimeoutError") return { kind: "timeout", ms: ms() };
      // A code of the system's, never the message: that may hold the host.
      return { kind: "network", why: error.cause?.code, ms: ms() };
    }
  }
}
