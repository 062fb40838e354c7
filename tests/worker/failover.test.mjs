/**
 * Every way in which an endpoint fails a read: the next one answers, the first is left for the right
 * reason, and what is held against it is what it did. And the answers that are final.
 * `PRINT_TABLE=1` prints them.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, hex, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { printTable } from "../support/table.mjs";

const ATTEMPT_MS = 1000;
const http = (status, body = "", headers = {}) => ({ mode: "status", status, body, headers });
const error = (code, message, more = {}) => ({ mode: "rpc_error", code, message, ...more });

/** What is held against the endpoint: a failure, a rest of so many seconds, a gap, or nothing. */
const FAILURE = { failures: 1 };
const NOTHING = {};
const rest = (s) => ({ rest: s });
const ACCOUNT = rest(300);
const GAP = { gap: "eth_call" };

/** @type {[string, any, string, object][]} what it does, the fault, the reason, what is held */
const LEFT = [
  ["refuses the connection", "refuse", "network", FAILURE],
  ["resets the connection", "reset", "network", FAILURE],
  ["resets after the request", { mode: "reset", when: "after" }, "network", FAILURE],
  ["never answers", "hang", "timeout", FAILURE],
  ["answers too late", { mode: "slow", ms: 3 * ATTEMPT_MS }, "timeout", FAILURE],
  ["drips too slowly", { mode: "drip", pieces: 8, pause_ms: ATTEMPT_MS / 4 }, "timeout", FAILURE],
  ["stops half way", "stall", "timeout", FAILURE],
  ["stops half way, chunked", { mode: "stall", chunked: true }, "timeout", FAILURE],
  ["breaks off", "cut", "truncated", FAILURE],
  ["breaks off, chunked", { mode: "cut", chunked: true }, "truncated", FAILURE],
  ["sends half a JSON text", "bad_json", "truncated", FAILURE],
  ["sends nothing", "empty", "empty_body", FAILURE],
  ["sends a page", "html", "html_error_page", FAILURE],
  ["sends words", http(200, "hello"), "malformed_json", FAILURE],
  ["sends another API's JSON", http(200, '{"ok":true}'), "not_jsonrpc", FAILURE],
  ["answers another id", "wrong_id", "wrong_id", FAILURE],
  ["answers no hex", http(200, '{"jsonrpc":"2.0","id":1,"result":{}}'), "wrong_result", FAILURE],
  ["500", http(500), "server_error", FAILURE],
  ["502 with a page", { mode: "html", status: 502 }, "server_error", FAILURE],
  ["503 with an error", error(-32000, "busy?", { status: 503 }), "server_error", FAILURE],
  ["521 of Cloudflare", http(521, "<html>"), "cf_52x", FAILURE],
  ["404 with a page", { mode: "html", status: 404 }, "not_jsonrpc", FAILURE],
  ["-32603", error(-32603, "Internal error"), "internal", FAILURE],
  ["429", http(429), "rate_limited", rest(1)],
  ["429 with Retry-After", { mode: "rate_limit", retry_after: 30 }, "rate_limited", rest(30)],
  ["429 with a date", http(429, "", { "retry-after": inSeconds(100) }), "rate_limited", rest(100)],
  [
    "429, Retry-After of a day",
    http(429, "", { "retry-after": "86400" }),
    "rate_limited",
    rest(300),
  ],
  ["429, Retry-After 0", http(429, "", { "retry-after": "0" }), "rate_limited", rest(1)],
  ["429, Retry-After -5", http(429, "", { "retry-after": "-5" }), "rate_limited", rest(1)],
  ["429, Retry-After soon", http(429, "", { "retry-after": "soon" }), "rate_limited", rest(1)],
  ["a rate limit in a 200", error(-32005, "rate limit exceeded"), "rate_limited", rest(1)],
  ["a rate limit in words", http(200, "Too many connections"), "rate_limited", rest(1)],
  ["401", http(401), "unauthorized", ACCOUNT],
  ["402", http(402), "quota", ACCOUNT],
  ["403", http(403), "unauthorized", ACCOUNT],
  ["the day's quota", error(-32005, "daily request count exceeded"), "quota", ACCOUNT],
  ["301", { mode: "redirect", status: 301 }, "redirect", ACCOUNT],
  ["302", { mode: "redirect", status: 302 }, "redirect", ACCOUNT],
  ["307", { mode: "redirect", status: 307 }, "redirect", ACCOUNT],
  ["308", { mode: "redirect", status: 308 }, "redirect", ACCOUNT],
  ["-32601", error(-32601, "the method does not exist"), "method_unsupported", GAP],
  ["pruned history", error(-32000, "missing trie node"), "missing_data_pruned", GAP],
  ["too wide a range", error(-32005, "block range is too wide"), "range_too_large", GAP],
  ["is behind", error(-32000, "header not found"), "behind", NOTHING],
  ["an error nobody knows", error(1234, "strange"), "unknown", NOTHING],
  ["400 without an answer", http(400), "client_error", NOTHING],
  ["413 without an answer", http(413), "client_error", NOTHING],
];

/** @type {[string, any][]} answers of the chain, or about the caller's own mistake */
const FINAL = [
  ["a revert", error(3, "execution reverted: no", { data: "0x08c379a0" })],
  ["a revert that speaks of rate limits", error(3, "execution reverted: 429 too many requests")],
  ["a revert under -32603", error(-32603, "VM execution error: revert", { data: "0x08c379a0" })],
  ["a revert under -32000", error(-32000, "execution reverted")],
  ["out of gas", error(-32000, "out of gas")],
  ["invalid parameters", error(-32602, "invalid argument 0: hex string without 0x prefix")],
  ["insufficient funds", error(-32000, "insufficient funds for gas * price + value")],
  ["nonce too low", error(-32000, "nonce too low: next nonce 5, tx nonce 4")],
];

const told = ({ failures, rest, gap }) =>
  (failures && "a failure") ??
  (rest && `nothing; rests ${rest} s`) ??
  (gap && `nothing; not asked for ${gap} again`) ??
  "nothing";

/** A date in the form of HTTP. */
function inSeconds(s) {
  return new Date(Date.now() + s * 1000).toUTCString();
}

let t;
const rows = [...LEFT, ...FINAL];

before(async () => {
  const pair = (_, i) => [`a${i}`, `b${i}`];
  const names = rows.map(pair);
  const base = { protocol: "evm", chain_id: 31337, attempt_timeout_ms: ATTEMPT_MS };
  t = await harness({
    chain: false,
    endpoints: names.flat().map((name) => scripted(name)),
    service: { state: "isolate" },
    route: { endpoints: ["a0"] },
    routes: Object.fromEntries(
      names.map((endpoints, i) => [`ROUTE_CASE_${i}`, { ...base, endpoints }]),
    ),
  });
  for (const [i, [, fault]] of rows.entries()) await t.endpoint[`a${i}`].set(fault);
});

after(() => t?.stop());

/** Asks route `i`: its answer, and what is held against its first endpoint then. */
async function ask(i) {
  const path = `/case-${i}`;
  const answer = await t.rpc("eth_call", [{ to: "0x00" }, "0x1"], { path });
  const { endpoint, now_ms } = await t.status(path.slice(1));
  const { consecutive_failures, throttled_until_ms, gaps, state } = endpoint[`a${i}`];
  const resting = throttled_until_ms && (throttled_until_ms - now_ms) / 1000;
  return { answer, failures: consecutive_failures, rest: resting, gaps, state };
}

describe("the next endpoint answers when the first", { concurrency: 8 }, () => {
  const seen = [];
  const columns = ["The first endpoint", "x-breakwater-reason", "held against it"];
  after(() => printTable("Failover", columns, seen));

  for (const [i, [what, , reason, held]] of LEFT.entries()) {
    test(what, async () => {
      const { answer, ...now } = await ask(i);
      seen[i] = [what, answer.reason, told(held)];
      assert.deepEqual([answer.status, answer.result], [200, hex(`b${i}`)]);
      assert.deepEqual([answer.endpoint, answer.attempts], [`b${i}`, 2]);
      assert.equal(answer.reason, `a${i}=${reason}`);
      assert.equal(now.state, "closed");
      assert.equal(now.failures, held.failures ?? 0);
      assert.deepEqual(now.gaps, held.gap ? [held.gap] : []);
      near(now.rest, held.rest);
      assert.ok(t.endpoint[`a${i}`].requests.every(({ path }) => path === "/"));
    });
  }

  function near(seconds, wanted) {
    if (wanted === undefined) assert.equal(seconds, null);
    else assert.ok(seconds > wanted / 2 && seconds <= wanted, `rests ${seconds} of ${wanted} s`);
  }
});

describe("the first endpoint's answer is final when it is", () => {
  for (const [n, [what, { code, message, data }]] of FINAL.entries()) {
    test(what, async () => {
      const i = LEFT.length + n;
      const { answer, ...now } = await ask(i);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.error, { code, message, ...(data && { data }) });
      assert.deepEqual([answer.endpoint, answer.attempts, answer.reason], [`a${i}`, 1, null]);
      assert.equal(t.endpoint[`b${i}`].hits(), 0);
      assert.deepEqual(now, { failures: 0, rest: null, gaps: [], state: "closed" });
    });
  }
});

test("a batch of failures counts once", async () => {
  const i = LEFT.findIndex(([what]) => what === "500");
  const { failures } = await ask(i);
  await t.post(
    `/case-${i}`,
    [1, 2, 3, 4].map((id) => call("eth_call", [], id)),
  );
  assert.equal((await t.status(`case-${i}`)).endpoint[`a${i}`].consecutive_failures, failures + 1);
});

test("a good answer ends the count of failures in a row", async () => {
  const i = LEFT.findIndex(([what]) => what === "502 with a page");
  assert.ok((await ask(i)).failures > 0);
  await t.endpoint[`a${i}`].set("answer");
  assert.equal((await ask(i)).failures, 0);
});

test("a hundred callers at once are all answered, and the breaker opens once", async () => {
  const i = LEFT.findIndex(([what]) => what === "sends nothing");
  const path = `/case-${i}`;
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => t.rpc("eth_call", [], { path })),
  );
  assert.ok(answers.every(({ result }) => result === hex(`b${i}`)));
  const { endpoint, transitions } = await t.status(path.slice(1));
  assert.deepEqual([endpoint[`a${i}`].state, transitions.length], ["open", 1]);
  const asked = t.endpoint[`a${i}`].hits();
  assert.equal((await t.rpc("eth_call", [], { path })).attempts, 1);
  assert.equal(t.endpoint[`a${i}`].hits(), asked);
});
