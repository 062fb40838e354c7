/**
 * What is played of a line: as the answer to a read, to a send, or to each item of a batch; with
 * the next endpoint well, or with every endpoint answering alike.
 */
import { transaction } from "../transaction.mjs";
import { bodyOf, calls } from "./calls.mjs";
import {
  BY_FACILITATORS,
  BY_HEADS,
  BY_LIMIT,
  decided,
  hasLost,
  isAboutFilter,
  lines,
} from "./lines.mjs";
import { wireOf } from "./wire.mjs";

/**
 * @typedef {object} Play
 * @property {import("./lines.mjs").Line} line
 * @property {"read" | "write" | "items"} part
 * @property {boolean} everybody whether all endpoints answer like the line
 * @property {string} route its own route's name
 *
 * @typedef {object} Scene a play about to be played
 * @property {import("./calls.mjs").Call[]} calls
 * @property {string[]} actions what the line means for each of them
 * @property {string} body the client's
 * @property {Record<string, string>} hashes
 */

/** Of an attempt that ends by it. */
const SILENT_MS = 300;
/** The hash in the corpus of what was sent. */
const SENT = "0xadf410a055277cfc14b688a32b18c04267c2a8a117f0897fff8bdad7fbf72e82";
const EVERYBODY = ["advance", "advance_if_behind", "resend"];

/** @param {string} action @returns {boolean} whether another endpoint is asked */
export const goesOn = (action) => EVERYBODY.includes(action.split("+")[0]);

/** @type {Play[]} */
export const plays = lines
  .filter((line) => ![BY_FACILITATORS, BY_HEADS, BY_LIMIT].flat().includes(line))
  .flatMap(playsOf);

function playsOf(line) {
  const index = lines.indexOf(line);
  const parts = ["read", "write", "items"].filter((part) => line[part]);
  return parts.flatMap((part) => {
    const actions = part === "items" ? line.items : [decided(line, part)];
    const scenes = line.exhausted && actions.some(goesOn) ? [false, true] : [false];
    return scenes.map((everybody) => {
      return { line, part, everybody, route: `${part}-${index}${everybody ? "-all" : ""}` };
    });
  });
}

/** @param {Play} play @param {number} stage port @param {number} closed port @returns {object} */
export function routeOf({ line, route }, stage, closed) {
  const { silent, origin } = wireOf(line);
  const at = (name) => ({ name, url: `http://127.0.0.1:${stage}/${route}/${name}` });
  const first = origin ? { name: "a", url: origin(stage, closed) } : at("a");
  const endpoints = [first, at("b")];
  return {
    protocol: "evm",
    chain_id: 31337,
    endpoints: hasLost(line) ? [at("lost"), ...endpoints] : endpoints,
    ...(silent && { attempt_timeout_ms: SILENT_MS }),
    methods: { allow: ["debug_*", "trace_*", "erigon_*", "eth_sendTransaction"] },
  };
}

/**
 * What goes before the play, with all endpoints well: the first takes the transaction, or makes the
 * filter, that is asked about.
 *
 * @param {Play} play
 * @returns {Promise<{ method: string, params: unknown[] } | undefined>}
 */
export async function prelude({ line }) {
  if (isAboutFilter(line)) return { method: "eth_newFilter", params: [{}] };
  if (!line.known?.accepted_elsewhere) return undefined;
  return { method: "eth_sendRawTransaction", params: [(await transaction()).raw] };
}

/**
 * @param {Play} play
 * @param {string} [about] what came of the prelude
 * @returns {Promise<Scene>}
 */
export async function prepare({ line, part }, about) {
  const asked = await calls(line, part, about);
  const actions = asked.map((call, i) => actionOf(line, part, call, i));
  return {
    calls: asked,
    actions,
    body: bodyOf(line, asked),
    hashes: hashesOf(line, asked, actions),
  };
}

function actionOf(line, part, call, i) {
  if (part === "items") return line.items[i];
  const good = line.method === "batch" && replyTo(line.body, call, i)?.result !== undefined;
  return good ? "return" : decided(line, part);
}

/** What stands for a transaction's hash in the line, and the hash of what is sent in its place. */
function hashesOf(line, asked, actions) {
  const pairs = asked.flatMap((call, i) => {
    if (call.hash === undefined) return [];
    const { result } = replyTo(line.body, call, i) ?? {};
    const own = [SENT, call.hash];
    if (actions[i] !== "return" || typeof result !== "string") return [own];
    return [own, [`"result":"${result}"`, `"result":"${call.hash}"`]];
  });
  return Object.fromEntries(pairs);
}

/**
 * @param {string} [text] an upstream's body
 * @param {import("./calls.mjs").Call} call
 * @param {number} i its place in the request
 * @returns {any} the reply to this call, if one can be read
 */
export function replyTo(text, { id }, i) {
  try {
    const value = JSON.parse(text.trim());
    if (!Array.isArray(value)) return value;
    const own = value.filter((reply) => JSON.stringify(reply?.id) === id);
    return own.includes(value[i]) ? value[i] : own[0];
  } catch {
    return undefined;
  }
}

/** @param {Play} play @param {Scene} scene @returns {Record<string, object>} a script by endpoint */
export function scripts({ line, everybody }, { hashes }) {
  const like = { line, hashes };
  return { lost: { lost: true }, a: like, b: everybody ? like : {} };
}
