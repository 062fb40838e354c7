/**
 * What a play must come to: whose answer the client gets, who is asked, and what is held against
 * the first endpoint.
 */
import assert from "node:assert/strict";
import { parse, stringify } from "../../../local/lossless.mjs";
import { decided, effect, hasLost, isAboutFilter } from "./lines.mjs";
import { goesOn, replyTo } from "./plays.mjs";
import { textOf, well } from "./stage.mjs";
import { wireOf } from "./wire.mjs";

/**
 * @typedef {import("./plays.mjs").Play} Play
 * @typedef {import("./plays.mjs").Scene} Scene
 * @typedef {import("../answer.mjs").Answer} Answer
 */

/** HTTP status and code of our own errors; for a send whose outcome is unknown by its effect. */
const OWN = {
  rate_limited: [429, -32005],
  unavailable: [503, -32002],
  unknown: [504, -32002],
  unknown_once: [200, -32002],
  no_filter: [200, -32000],
};
const ACCOUNT_S = 300;
const SLACK_S = 4;

/** What the client hears of one call: `first`, `second`, `hash`, or a key of `OWN`. */
function word({ line, everybody }, { method }, action) {
  const [base] = action.split("+");
  if (isAboutFilter(line) && line.class === "stateful_filter") return "no_filter";
  if (base === "stop") return decided(line, "exhausted");
  if (base === "return") return "first";
  if (base === "accepted") return "hash";
  if (base === "unknown") return "unknown_once";
  if (!everybody) return "second";
  const last = decided(line, "exhausted");
  if (last === "pass_on") return "first";
  return base === "resend" && effect(method) === "send" ? "unknown" : last;
}

/** @param {Play} play @param {Scene} scene @param {Answer} answer */
export function checkAnswer(play, scene, answer) {
  const due = scene.calls.map((call, i) => ({ call, i })).filter(({ call }) => call.id !== null);
  const batch = play.line.method === "batch";
  const replies = batch ? parse(answer.text) : [parse(answer.text)];
  assert.equal(replies.length, due.length, answer.text);
  const words = due.map(({ call, i }) => word(play, call, scene.actions[i]));
  for (const [n, { call, i }] of due.entries()) {
    assert.equal(stringify(replies[n].id), stringify(parse(call.id)), "the caller's id");
    checkReply(replies[n], words[n], { text: textOf(play.line, scene.hashes), call, i });
  }
  assert.equal(answer.endpoint, whose(words));
  if (batch) return assert.equal(answer.status, 200);
  checkSingle(answer, words[0], scene);
  if (words[0] === "first") checkBytes(answer.text.trim(), play.line, scene);
}

function checkSingle({ status, headers, text }, said, { calls: [{ id }] }) {
  assert.equal(status, OWN[said]?.[0] ?? 200);
  assert.equal(headers.has("retry-after"), status === 429 || status === 503, "Retry-After");
  assert.ok(text.includes(`"id":${id}`), "the caller's id, byte for byte");
}

function whose(words) {
  const names = { first: "a", hash: "a", second: "b" };
  const found = new Set(words.map((word) => names[word]).filter(Boolean));
  return [...found].sort().join(",") || null;
}

function checkReply(reply, said, { text, call, i }) {
  if (said === "hash") return assert.equal(reply.result, call.hash);
  if (said === "second") return checkSecond(reply, call);
  if (said === "first") return checkPayload(reply, replyTo(text, call, i));
  assert.equal(reply.error.code, OWN[said][1], stringify(reply));
  const outcome = said.startsWith("unknown") ? "unknown" : undefined;
  assert.equal(reply.error.data?.outcome, outcome);
}

function checkSecond({ result }, { method, params }) {
  // A new filter's id becomes one of our own.
  if (/^eth_new/.test(method)) return assert.match(result, /^0x6/);
  assert.deepEqual(result, well(method, params));
}

/** An error that a client could not read is put into form, anything else is as it came. */
function checkPayload(reply, theirs) {
  if (!theirs.error) return assert.deepEqual(reply.result, theirs.result);
  if (inForm(theirs.error)) return assert.deepEqual(reply.error, theirs.error);
  assert.ok(inForm(reply.error), stringify(reply));
}

const inForm = ({ code, message }) => Number.isInteger(code) && typeof message === "string";

/** The very bytes under the caller's id, where the line has just the members that a reply has. */
function checkBytes(text, line, { calls: [{ id }], hashes }) {
  const own = textOf(line, hashes).trim();
  const [, member, payload] = own.match(/^\{"jsonrpc":"2\.0","id":[^,]+,"(\w+)":(.*)\}$/s) ?? [];
  const theirs = replyTo(own, { id }, 0);
  if (!payload || Object.keys(theirs).length > 3 || (theirs.error && !inForm(theirs.error))) return;
  assert.equal(text, `{"jsonrpc":"2.0","id":${id},"${member}":${payload}}`);
}

/** Who was asked what. @param {Play} play @param {Scene} scene @param {Answer} answer @param {any} seen */
export function checkAttempts({ line, part, everybody }, scene, answer, seen) {
  const left = scene.calls.filter((call, i) => call.id !== null && goesOn(scene.actions[i]));
  const lost = hasLost(line) ? 1 : 0;
  const reached = seen("a").length;
  assert.equal(reached, wireOf(line).origin ? 0 : 1, "requests to the first endpoint");
  const second = left.length > 0 ? [left.map(({ method }) => method)] : [];
  assert.deepEqual(seen("b"), second, "requests to the second endpoint");
  assert.equal(answer.attempts, 1 + lost + second.length);
  checkReason(line, part, answer, { left: left.length > 0, lost, everybody });
}

function checkReason(line, part, { reason, endpoint }, { left, lost, everybody }) {
  const reasons = Object.fromEntries((reason ?? "").split(",").map((pair) => pair.split("=")));
  if (lost) assert.equal(reasons.lost, "network");
  if (!left) return;
  if (endpoint !== "a") assert.equal(reasons.a, REASONS[line.id] ?? line.class, `reason, ${part}`);
  if (everybody && endpoint === null) assert.ok(reasons.b, reason);
}

/** Where workerd shows another fault than the line's: it hands on an encoding it does not know. */
const REASONS = { "bad-zstd": "malformed_json" };

/** Weight of what several items of one answer say about their endpoint. */
const WEIGHTS = ["account", "throttled", "good", "failure"];

/** @param {Play} play @param {Scene} scene @param {any} status of the first endpoint */
export function checkHealth({ line }, { calls, actions }, { endpoint, now_ms }) {
  const { consecutive_failures, throttled_until_ms, gaps, state } = endpoint;
  const said = calls.map((call, i) => (call.id === null ? "" : sign(actions[i])));
  const heaviest = WEIGHTS.find((weight) => said.includes(weight));
  assert.equal(state, "closed");
  assert.equal(consecutive_failures, heaviest === "failure" ? 1 : 0, "failures");
  const gap = calls.filter((_, i) => said[i].startsWith("gap")).map(({ method }) => method);
  // What must not be repeated is handed back; that the method is missing is remembered all the same.
  const kept = gaps.filter((method) => effect(method) !== "once");
  assert.deepEqual(kept.sort(), [...new Set(gap)].sort(), "gaps");
  checkRest(heaviest, line, throttled_until_ms && (throttled_until_ms - now_ms) / 1000);
}

function checkRest(heaviest, { retry_after }, seconds) {
  const wanted = { account: ACCOUNT_S, throttled: restOf(retry_after) }[heaviest];
  if (wanted === undefined) return assert.equal(seconds, null, "no rest");
  assert.ok(seconds > wanted - SLACK_S && seconds <= wanted, `rests ${seconds} of ${wanted} s`);
}

/** Seconds. */
function restOf(retryAfter = "") {
  const s = Number(retryAfter);
  const asked = Number.isFinite(s) ? s : (Date.parse(retryAfter) - Date.now()) / 1000;
  return asked > 0 ? Math.min(asked, ACCOUNT_S) : 1;
}

const sign = (action) => action.split("+")[1] ?? (/return|accepted/.test(action) ? "good" : "");
