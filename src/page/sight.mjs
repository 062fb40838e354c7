/**
 * What the status JSON means to somebody who looks: how each endpoint and each route is, and why.
 */
import { classWords, face, list, some, span } from "./words.mjs";

/** How bad it is, from good to bad. */
export const LEVELS = ["ok", "warn", "bad"];

/**
 * @typedef {object} Standing
 * @property {"serves" | "fit" | "test" | "rest" | "out" | "off"} mark
 * @property {string} word
 * @property {"ok" | "idle" | "warn" | "bad"} tone
 * @property {string} [why]
 * @property {number} [since] ms since 1970
 */

/** @param {any} route @param {any} endpoint @param {number} now @returns {Standing} */
export function standing(route, endpoint, now) {
  const { state, chain_id: chain, throttled_until_ms: rest } = endpoint;
  if (state === "disabled") return { mark: "off", word: "Switched off", tone: "idle", why: off };
  const since = outSince(route, endpoint);
  if (chain === "wrong") {
    return { mark: "out", word: "Wrong chain", tone: "bad", why: wrongChain, since };
  }
  if (state === "open") {
    return { mark: "out", word: "Out", tone: "bad", why: whyOut(route, endpoint, now), since };
  }
  if (state === "half_open") {
    const passed = `${endpoint.probe_successes} of ${some(route.config.close_after, "good test")}`;
    const why = `${whyOpened(route, endpoint)}; ${passed} so far`;
    return { mark: "test", word: "Being tested", tone: "warn", why, since };
  }
  if (rest != null && rest > now) {
    const why = `it asked for rest, ${span(rest - now)} more`;
    return { mark: "rest", word: "Resting", tone: "warn", why };
  }
  const serves = route.serving === endpoint.name;
  return serves
    ? { mark: "serves", word: "Serves now", tone: "ok" }
    : { mark: "fit", word: "Fit, waiting", tone: "ok" };
}

const off = "by the operator, or a secret of it is missing";
const wrongChain = "it answers for another chain; it is asked for nothing but its chain id";

const moves = (route, endpoint) =>
  route.transitions.filter((moved) => moved.endpoint === endpoint.name);

/** The move that began what is not over yet; undefined when the log does not reach back to it. */
const opened = (route, endpoint) => moves(route, endpoint).find(({ from }) => from === "closed");

const outSince = (route, endpoint) => opened(route, endpoint)?.at_ms ?? endpoint.since_ms;

function whyOpened(route, endpoint) {
  const reason = opened(route, endpoint)?.reason ?? endpoint.last_failure?.class;
  return reason ? classWords(reason) : "reason unknown";
}

function whyOut(route, endpoint, now) {
  const next = endpoint.retry_at_ms;
  const test = next != null && next > now ? `in ${span(next - now)}` : "due";
  return `${whyOpened(route, endpoint)}; next test ${test}`;
}

/**
 * @param {any} route @param {number} now
 * @returns {{ level: "ok" | "warn" | "bad", headline: string }} in one sentence
 */
export function overall(route, now) {
  const told = route.endpoints.map((endpoint) => ({
    name: endpoint.name,
    drilled: endpoint.fault != null && endpoint.fault.until_ms > now,
    ...standing(route, endpoint, now),
  }));
  const bad = told.filter(({ tone }) => tone === "bad" || tone === "warn");
  const because = bad.map((e) => `${e.name} is ${lower(e.word)}${since(e, now)} (${cause(e.why)})`);
  if (route.serving == null) {
    return {
      level: "bad",
      headline: `Nobody is fit to serve: ${because.join(", ") || "all are switched off"}.`,
    };
  }
  const who = route.mode === "ordered" ? `${route.serving} serves` : `${fit(told)} can serve`;
  if (bad.length > 0) return { level: "warn", headline: `${who}; ${because.join(", ")}.` };
  const drilled = told.filter((e) => e.drilled).map((e) => e.name);
  if (drilled.length > 0) return { level: "warn", headline: `${who}; drill at ${list(drilled)}.` };
  return { level: "ok", headline: `${who}; ${others(told)}.` };
}

const lower = (word) => word[0].toLowerCase() + word.slice(1);
const since = ({ since: at }, now) => (at == null ? "" : ` since ${face(at, now)}`);
/** Without what changes every second. */
const cause = (why) => why.split("; ")[0].replace(/, \d+ \w+ more$/, "");
const fit = (told) => list(told.filter(({ tone }) => tone === "ok").map(({ name }) => name));

function others(told) {
  const waiting = told.filter(({ mark }) => mark === "fit").length;
  if (waiting === 0) return "no other endpoint is behind it";
  return waiting === 1 ? "the other one is fit too" : `the other ${waiting} are fit too`;
}

/** @param {{ level: string }[]} told @returns {"ok" | "warn" | "bad"} the worst */
export const worst = (told) =>
  LEVELS[Math.max(0, ...told.map(({ level }) => LEVELS.indexOf(level)))];

/** @param {[number, number][]} minutes @returns {{ requests: number, failures: number }} all together */
export function sums(minutes) {
  const sum = (i) => minutes.reduce((total, minute) => total + minute[i], 0);
  return { requests: sum(0), failures: sum(1) };
}
