/**
 * The corpus as it is played on the Worker: which lines, in which parts.
 */
import { readFileSync } from "node:fs";

/**
 * @typedef {object} Line one answer of `tests/corpus/answers.jsonl` or `found.jsonl`, told in
 *   CONTRIBUTING.md
 * @property {string} id
 * @property {string} method `batch` for a batch
 * @property {string} [protocol] `x402`; absent for JSON-RPC
 * @property {string} [fault] how it fails without an answer
 * @property {number} [status]
 * @property {string} [retry_after]
 * @property {string} [body]
 * @property {string} [body_hex]
 * @property {string} [asked_id] JSON text
 * @property {{ id: string | null, method: string }[]} [asked] a batch's items
 * @property {Record<string, unknown>} [known]
 * @property {string} class
 * @property {string} [read]
 * @property {string} [write]
 * @property {string[]} [items]
 * @property {string} [exhausted]
 */

const read = (name) =>
  readFileSync(new URL(`../../corpus/${name}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text));

/** @type {Line[]} */
export const lines = [...read("answers.jsonl"), ...read("found.jsonl")];

/** @type {{ id: string, column: string, ours: string, why: string }[]} */
const otherwise = read("otherwise.jsonl");

/** @param {Line} line @param {"read" | "write" | "exhausted"} column @returns {string | undefined} */
export function decided(line, column) {
  const row = otherwise.find((row) => row.id === line.id && row.column === column);
  return row?.ours ?? line[column];
}

/** @param {string} method @returns {"read" | "send" | "once"} what asking twice means */
export function effect(method) {
  if (method.startsWith("eth_sendRawTransaction")) return "send";
  return /^eth_send/.test(method) ? "once" : "read";
}

/** Lines that need known heads, played in a file of their own. */
export const BY_HEADS = lines.filter(({ known }) => known?.known_head ?? known?.endpoint_head);

/** Lines about the platform's limit, played in a file of their own on a Worker that runs into it. */
export const BY_LIMIT = lines.filter(({ fault }) => fault === "not_sent");

/** Facilitators' answers, played in a file of their own. */
export const BY_FACILITATORS = lines.filter(({ protocol }) => protocol === "x402");

/** @param {Line} line @returns {boolean} whether it is about a filter, which has to be made first */
export const isAboutFilter = ({ method }) => /^eth_getFilter/.test(method);

/** @param {Line} line @returns {boolean} whether an endpoint before the first one is lost */
export const hasLost = ({ known }) =>
  Boolean(known?.earlier_ambiguous ?? known?.accepted_elsewhere);

/** @param {Line} line @returns {string} where it is counted */
export function section({ protocol, method, fault, class: meaning }) {
  if (protocol) return protocol;
  if (method === "batch") return "batches";
  if (effect(method) !== "read") return "sends";
  if (fault) return "transport";
  return ["ok", "null_result", "empty_result", "stale_head"].includes(meaning)
    ? "results"
    : "errors";
}
