/**
 * An upstream endpoint on the loopback interface that can be made to fail in every way a real one
 * does. Faults are switched while it runs and happen on real sockets.
 *
 *     await alpha.set({ mode: "rate_limit", retry_after: 2 });
 *     await alpha.set({ mode: "rpc_error", code: -32000, method: "eth_call", times: 1 });
 *     await alpha.set("answer");
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Exchange } from "./exchange.mjs";
import { modes, sender } from "./modes.mjs";

/**
 * @typedef {object} CommonSettings
 * @property {string} mode a name in `modes`
 * @property {string} [method] only requests that carry this JSON-RPC method
 * @property {number} [times] only the next so many requests (for `reset` "before": connections),
 *   then true answers again
 * @property {number} [ms] wait so long before the reply
 * @property {boolean} [forward] let the upstream have the request although its answer is not used:
 *   a transaction is then sent, whatever the client is told
 * @property {Record<string, string | string[]>} [headers] added to the answer
 * @property {"gzip" | "br" | "deflate"} [encoding] of the answer's body
 *
 * @typedef {CommonSettings & Record<string, any>} Fault
 *
 * @typedef {object} Seen one request
 * @property {number} at ms since the epoch
 * @property {string} path
 * @property {string} httpMethod
 * @property {string[]} methods JSON-RPC methods, one per call
 * @property {string} body
 * @property {Record<string, string | string[] | undefined>} headers lower-case names
 * @property {string} mode how it was treated
 * @property {boolean} abandoned the client hung up before it had the whole answer
 */

const COMMON = ["mode", "method", "times", "ms", "forward", "headers", "encoding"];

export class Endpoint {
  /** @type {Seen[]} requests that were read to their end, oldest first */
  requests = [];
  /** TCP connections accepted so far. */
  connections = 0;
  /** @type {Record<string, unknown>} own answers by method: values, or functions of (params, call) */
  script;
  #upstream;
  /** @type {Fault} */
  #general = { mode: "answer" };
  /** @type {Map<string, Fault>} */
  #byMethod = new Map();
  #port = 0;
  #server = createServer((req, res) => this.#serve(req, res));

  /** @param {{ name: string, upstream?: string, script?: Record<string, unknown> }} options */
  constructor({ name, upstream, script = {} }) {
    this.name = name;
    this.#upstream = upstream;
    this.script = script;
    // A connection that the endpoint closes when idle would look like a fault nobody asked for.
    this.#server.keepAliveTimeout = 0;
    this.#server.on("connection", (socket) => this.#connected(socket));
  }

  /** @returns {string} its URL, the same through every fault */
  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** @returns {string} how it is treating requests, for people */
  get state() {
    const each = [...this.#byMethod].map(([method, { mode }]) => `${method}: ${mode}`);
    return [this.#general.mode, ...each].join(", ");
  }

  /**
   * How many requests came, or how many calls of one method (a batch can hold several).
   *
   * @param {string} [method]
   * @returns {number}
   */
  hits(method) {
    if (method === undefined) return this.requests.length;
    return this.requests.flatMap((seen) => seen.methods).filter((m) => m === method).length;
  }

  /** Forgets what was seen so far. */
  clear() {
    this.requests.length = 0;
    this.connections = 0;
  }

  /**
   * Changes how it treats requests from now on. A fault with a `method` stands beside the general
   * one; one without replaces everything.
   *
   * @param {Fault | string} fault settings, or just a mode's name
   * @throws {TypeError} when the mode or a setting is unknown: a slip must not pass for a fault
   */
  async set(fault) {
    const settings = typeof fault === "string" ? { mode: fault } : fault;
    check(settings);
    if (settings.method !== undefined) {
      this.#byMethod.set(settings.method, { ...settings });
      return;
    }
    this.#byMethod.clear();
    this.#general = { ...settings };
    if (settings.mode === "refuse") await this.#close();
    else if (!this.#server.listening) await this.listen(this.#port);
    else if (resetsOnConnect(settings)) this.#server.closeIdleConnections();
  }

  /** Opens the port. @param {number} [port] default any */
  async listen(port = 0) {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = this.#server.address().port;
  }

  /** Closes the port and every connection. */
  async stop() {
    await this.#close();
  }

  async #close() {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #connected(socket) {
    this.connections += 1;
    if (!resetsOnConnect(this.#general)) return;
    this.#count(this.#general);
    socket.resetAndDestroy();
  }

  async #serve(req, res) {
    try {
      await this.#answer(req, res, await text(req));
    } catch (error) {
      if (res.destroyed || req.destroyed) return;
      if (!res.headersSent) res.writeHead(500, { "content-type": "text/plain" });
      res.end(`endpoint ${this.name}: ${error.stack}`);
    }
  }

  async #answer(req, res, body) {
    const exchange = this.exchange(req, body);
    const methods = exchange.calls.map(({ method }) => method);
    const fault = req.url === "/elsewhere" ? { mode: "answer" } : this.#take(methods);
    this.#record(req, res, { body, methods, mode: fault.mode });
    const { reply, send } = { send: sender(modes[fault.mode]), ...modes[fault.mode] };
    if (fault.forward) await exchange.answer();
    if (fault.ms) await sleep(fault.ms);
    if (fault.mode === "reset") req.socket.resetAndDestroy();
    if (!reply || res.destroyed) return;
    await send(res, await reply(exchange, fault), fault);
  }

  /** What the modes see of a request: other protocols have their own. */
  exchange(_, body) {
    return new Exchange(body, this.#upstream, this.script);
  }

  #record(req, res, { body, methods, mode }) {
    const { url: path, method: httpMethod, headers } = req;
    const seen = { at: Date.now(), path, httpMethod, methods, body, headers, mode };
    this.requests.push({ ...seen, abandoned: false });
    const kept = this.requests.at(-1);
    res.once("close", () => {
      kept.abandoned = !res.writableFinished;
    });
  }

  /** The fault for a request with these methods. */
  #take(methods) {
    const special = methods.map((method) => this.#byMethod.get(method)).find(Boolean);
    const fault = special ?? this.#general;
    this.#count(fault);
    return fault;
  }

  /** Uses up one of a fault's `times`. */
  #count(fault) {
    if (fault.times === undefined || --fault.times > 0) return;
    if (fault.method === undefined) this.#general = { mode: "answer" };
    else this.#byMethod.delete(fault.method);
  }
}

const resetsOnConnect = ({ mode, when = "before" }) => mode === "reset" && when === "before";

function check({ mode, ...settings }) {
  const known = modes[mode];
  if (!known) throw new TypeError(`no mode ${mode}; there are ${Object.keys(modes).join(", ")}`);
  for (const key of Object.keys(settings)) {
    if (![...COMMON, ...known.keys].includes(key)) throw new TypeError(`${mode} takes no ${key}`);
  }
  const early = known.connection || resetsOnConnect({ mode, ...settings });
  if (early && settings.method) throw new TypeError(`${mode} comes before any method is known`);
  if (known.connection && settings.times) throw new TypeError(`${mode} cannot count requests`);
}

async function text(req) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/**
 * @param {ConstructorParameters<typeof Endpoint>[0]} options
 * @returns {Promise<Endpoint>} listening on a free port
 */
export async function startEndpoint(options) {
  const endpoint = new Endpoint(options);
  await endpoint.listen();
  return endpoint;
}
