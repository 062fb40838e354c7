/**
 * Numbers, times and the status's words, as people say them. What is not known is "unknown".
 */

const UNKNOWN = "unknown";
const BEYOND_MS = 10_000;

/** What went wrong, by class; others are told by their name. */
const CLASSES = {
  network: "no connection",
  timeout: "took too long",
  truncated: "answer broken off",
  drill: "drill",
  server_error: "server error",
  cf_52x: "Cloudflare could not reach it",
  cf_1xxx: "refused by Cloudflare",
  empty_body: "empty answer",
  html_error_page: "a web page in place of an answer",
  not_jsonrpc: "not JSON-RPC",
  malformed_json: "broken JSON",
  wrong_id: "answer to another question",
  wrong_result: "impossible answer",
  wrong_chain: "another chain",
  batch_partial: "part of a batch missing",
  internal: "internal error",
  capacity: "overloaded",
  outvoted: "another answer than most",
  rate_limited: "too many requests",
  quota: "quota used up",
  unauthorized: "key or permission refused",
  endpoint_gone: "service switched off",
  redirect: "redirects elsewhere",
  cooldown_over: "time for a test",
  recovered: "recovered",
  reported: "reported by a Worker",
  operator: "operator's order",
};

const STATES = { closed: "fit", open: "out", half_open: "being tested", disabled: "switched off" };

/** @param {string} name a class or a transition's reason */
export const classWords = (name) => CLASSES[name] ?? String(name).replaceAll("_", " ");

/** @param {string} name a breaker's state */
export const stateWords = (name) => STATES[name] ?? String(name);

/** @param {number | null} n */
export const count = (n) => (n == null ? UNKNOWN : n.toLocaleString("en"));

/** @param {number} n @param {string} noun @returns {string} `1 block`, `2 blocks` */
export const some = (n, noun) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;

/** @param {number} ms exactly */
export const duration = (ms) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

/** @param {number | null} ms an upper bound */
export function atMost(ms) {
  if (ms == null) return UNKNOWN;
  return ms > BEYOND_MS ? "over 10 s" : `≤ ${duration(ms)}`;
}

/** @param {number} ms @returns {string} roughly: `4 s`, `3 min`, `5 h`, `2 days` */
export function span(ms) {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 90) return `${s} s`;
  if (s < 5400) return `${Math.round(s / 60)} min`;
  if (s < 129_600) return `${Math.round(s / 3600)} h`;
  return `${Math.round(s / 86_400)} days`;
}

const DAY_MS = 86_400_000;
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** @param {number} at ms since 1970 @returns {string} date and time on the reader's clock */
export const date = (at) => full.format(at);

/** @param {number} at @param {number} now @returns {string} the same, of today the time alone */
export const face = (at, now) => (now - at < DAY_MS ? clock.format(at) : full.format(at));

/** @param {number} part @param {number} all */
export function share(part, all) {
  const percent = (100 * part) / all;
  if (percent === 0 || percent === 100) return `${percent} %`;
  return percent < 0.1 ? "under 0.1 %" : `${Math.min(percent, 99.9).toFixed(1)} %`;
}

/** @param {string[]} names `a`, `a and b`, `a, b and c` */
export const list = (names) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
