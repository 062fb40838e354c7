/**
 * One request to an endpoint, and ways to answer it.
 */
import { parse, stringify } from "./lossless.mjs";

/**
 * @typedef {object} Call
 * @property {unknown} [id] absent in a notification
 * @property {string} method
 * @property {any} params
 *
 * @typedef {object} Reply what goes back over HTTP
 * @property {number} [status] default 200
 * @property {Record<string, string | string[]>} [headers]
 * @property {string} body
 *
 * @typedef {(params: any, call: Call) => unknown} Answerer result of a method; what it throws with a
 *   `code` becomes the JSON-RPC error
 */

/** What the modes see of a request. */
export class Exchange {
  /** @type {Call[]} in request order; empty when the body is not JSON-RPC */
  calls = [];
  batch = false;
  #body;
  #upstream;
  #script;

  /**
   * @param {string} body the request's
   * @param {string | undefined} upstream URL of the chain behind the endpoint
   * @param {Record<string, unknown>} script own answers by method, values or `Answerer`s
   */
  constructor(body, upstream, script) {
    this.#body = body;
    this.#upstream = upstream;
    this.#script = script;
    try {
      const value = parse(body);
      this.batch = Array.isArray(value);
      this.calls = [value].flat().filter((call) => typeof call?.method === "string");
    } catch {
      // Not JSON: the upstream's to judge.
    }
  }

  /** @returns {Promise<Reply>} the true answer; the upstream's own bytes when nothing is scripted */
  async answer() {
    if (!this.#upstream || this.calls.some(({ method }) => method in this.#script)) {
      return this.wrap(await this.replies());
    }
    return this.#forward(this.#body);
  }

  /**
   * @param {(call: Call) => object | undefined} [own] replies to give in place of the true ones
   * @returns {Promise<object[]>} JSON-RPC replies, one per call that has an id, in request order
   */
  async replies(own = () => undefined) {
    const all = await Promise.all(this.calls.map((call) => own(call) ?? this.ask(call)));
    return all.filter((_, i) => this.calls[i].id !== undefined);
  }

  /** @param {object[]} replies @returns {Reply} an array for a batch, else the one object */
  wrap(replies) {
    const value = this.batch ? replies : replies[0];
    const headers = { "content-type": "application/json" };
    return { headers, body: value === undefined ? "" : stringify(value) };
  }

  /** @param {Call} call @returns {Promise<object>} the true reply to one call */
  async ask(call) {
    if (call.method in this.#script) return scripted(this.#script[call.method], call);
    if (!this.#upstream) return noMethod(call);
    const text = stringify({ jsonrpc: "2.0", ...call, id: call.id ?? 0 });
    const reply = parse((await this.#forward(text)).body);
    return { ...reply, id: call.id };
  }

  async #forward(text) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(this.#upstream, { method: "POST", headers, body: text });
    return { status: response.status, headers, body: await response.text() };
  }
}

/** @param {Call} call @param {object} error @returns {object} an error reply */
export function errorReply(call, error) {
  return { jsonrpc: "2.0", id: call.id, error };
}

/** @param {Call} call @param {unknown} result @returns {object} */
export function resultReply(call, result) {
  return { jsonrpc: "2.0", id: call.id, result };
}

const noMethod = (call) =>
  errorReply(call, {
    code: -32601,
    message: `the method ${call.method} does not exist/is not available`,
  });

async function scripted(answer, call) {
  try {
    const result = typeof answer === "function" ? await answer(call.params ?? [], call) : answer;
    return resultReply(call, result);
  } catch (error) {
    if (error.code === undefined) throw error;
    return errorReply(call, { code: error.code, message: error.message, data: error.data });
  }
}
