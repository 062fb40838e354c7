/**
 * One HTTP server that is every endpoint of the corpus: the path tells which. An endpoint answers
 * like a line, or is well.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { keccak256 } from "viem";
import { parse, stringify } from "../../../local/lossless.mjs";
import { wireOf } from "./wire.mjs";

/**
 * @typedef {object} Script how one endpoint answers
 * @property {import("./lines.mjs").Line} [line] absent: it is well
 * @property {Record<string, string>} [hashes] what to put in the place of the line's hashes
 * @property {boolean} [lost] it resets each connection that has brought it a request
 */

const BLOCK = { number: "0x1312d00", hash: `0x${"b1".repeat(32)}` };
const WELL = {
  eth_getTransactionByHash: { blockNumber: null },
  eth_getBlockByHash: BLOCK,
  eth_getBlockByNumber: BLOCK,
  eth_getLogs: [{ logIndex: "0x0", data: "0x5e11" }],
  eth_getTransactionReceipt: { status: "0x1" },
};

/** @param {string} method @param {any[]} params @returns {unknown} what an endpoint that is well says */
export const well = (method, params) =>
  method.startsWith("eth_sendRaw") ? keccak256(params[0]) : (WELL[method] ?? "0x5e11");

export class Stage {
  #scripts = new Map();
  #seen = new Map();
  #server = createServer((req, res) => {
    this.#serve(req, res).catch((error) => res.destroy(error));
  });

  async open() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  async close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** @returns {number} */
  get port() {
    return this.#server.address().port;
  }

  /** @param {string} place `route/endpoint` @param {Script} script */
  script(place, script) {
    this.#scripts.set(place, script);
  }

  /** @param {string} place that has seen nothing from now on */
  forget(place) {
    this.#seen.delete(place);
  }

  /** @param {string} place @returns {string[][]} the methods of each request that came */
  seen(place) {
    return this.#seen.get(place) ?? [];
  }

  async #serve(req, res) {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    const asked = parse(Buffer.concat(chunks).toString());
    const calls = [asked].flat();
    const place = req.url.slice(1);
    this.#seen.set(place, [...this.seen(place), calls.map(({ method }) => method)]);
    const { line, hashes = {}, lost } = this.#scripts.get(place) ?? {};
    if (lost) return req.socket.resetAndDestroy();
    if (line) return wireOf(line).send(res, line, bytesOf(line, hashes, calls), headersOf(line));
    res.writeHead(200, { "content-type": "application/json" });
    res.end(stringify(Array.isArray(asked) ? calls.filter(hasId).map(reply) : reply(asked)));
  }
}

const hasId = ({ id }) => id !== undefined;
const reply = ({ id, method, params }) => ({ jsonrpc: "2.0", id, result: well(method, params) });

/**
 * @param {import("./lines.mjs").Line} line
 * @param {Record<string, string>} hashes
 * @returns {string} the line's body with the hashes of what was really sent
 */
export const textOf = ({ body = "" }, hashes) =>
  Object.entries(hashes).reduce((text, [old, own]) => text.replaceAll(old, own), body);

/** The line's body, as it would have come for these calls. */
function bytesOf(line, hashes, calls) {
  if (line.body_hex !== undefined) return Buffer.from(line.body_hex, "hex");
  const text = textOf(line, hashes);
  const ids = (line.asked ?? []).map(({ id }) => id);
  if (new Set(ids).size === ids.length) return Buffer.from(text);
  // A client's doubled ids go upstream as numbers of our own.
  const renamed = parse(text).map((reply, i) => ({ ...reply, id: calls[i].id }));
  return Buffer.from(stringify(renamed));
}

/** @param {import("./lines.mjs").Line} line @returns {Record<string, string>} */
export function headersOf({ id, status, body = "", retry_after }) {
  const start = body.trim()[0];
  const json = (start === "{" || start === "[") && id !== "bad-textplain-ok";
  return {
    "content-type": json ? "application/json" : start === "<" ? "text/html" : "text/plain",
    ...(retry_after !== undefined && { "retry-after": retry_after }),
    ...(status >= 300 && status < 400 && { location: "/elsewhere" }),
  };
}
