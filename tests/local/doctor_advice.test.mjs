/**
 * What the doctor makes of findings: which key, with which figure, and when it says nothing.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { advise } from "../../scripts/doctor/advice/index.mjs";
import { judged, took, well } from "../support/findings.mjs";

const QUIET = /^(poll_ms|.*p99 of eth_call is)/;

/** Advice without the notes that are always there: `level who: why [write]`. */
function said(findings, keys) {
  return advise(...judged(findings, keys))
    .filter(({ level, why }) => level !== "note" || !QUIET.test(why))
    .map(({ level, endpoints, why, write }) => {
      return `${level} ${endpoints.join(",") || "-"}: ${why}${write ? ` [${write}]` : ""}`;
    });
}

const expect = (findings, keys, patterns) => {
  const lines = said(findings, keys);
  assert.equal(lines.length, patterns.length, lines.join("\n"));
  for (const [i, pattern] of patterns.entries()) assert.match(lines[i], pattern);
};
const [b, c] = [well("b"), well("c")];
const a = (more) => well("a", more);

test("endpoints that are well: nothing to do", () => {
  expect([a(), b, c], {}, []);
});

test("who cannot be asked", () => {
  const unfit = (name, state, more) => ({ ...well(name), latency: {}, state, ...more });
  expect(
    [
      a(),
      b,
      unfit("d", "wrong_chain", { chain_id: 56 }),
      unfit("e", "unreachable", { trouble: "ECONNREFUSED" }),
      unfit("f", "no_secret", { missing_secrets: ["F_KEY"] }),
      unfit("g", "refused", { trouble: "HTTP 403" }),
    ],
    {},
    [
      /^problem d: chain id is wrong: it serves 56, the route is 1\. Remove it$/,
      /^problem e: does not answer eth_chainId \(ECONNREFUSED\)/,
      /^problem f: left out: F_KEY is neither .* \[npx wrangler secret put F_KEY\]$/,
      /^problem g: refuses its key or plan \(HTTP 403\)/,
    ],
  );
  expect([a()], {}, [/^problem -: only a is fit of 1: there is nothing to fail over to$/]);
  expect([a({ given_up: "3 requests got no answer", requests: 40 }), b], {}, [
    /^problem a: was not asked to the end: after 40 requests, 3 requests got no answer$/,
  ]);
});

test("who is on a fork", () => {
  expect([a({ agrees: false }), b, c], {}, [
    /^problem a: an old block has another hash there than elsewhere/,
    /^advice -: a comes first and is not fit; .* \[# order: b, c\]$/,
  ]);
  expect([a({ agrees: null }), b, c], {}, []);
});

test("behind: by more than both limits of the route, never by one", () => {
  const behind = (blocks, seconds) => a({ lag: { blocks, seconds } });
  expect([behind(40, 480), b, c], {}, [
    /^problem a: its head is 40 blocks \(480 s\) behind: more than max_lag_blocks = 2 and max_lag_ms = 15000/,
    /^advice -: a comes first and is behind; b takes 50 ms .* \[# order: b, c, a\]$/,
  ]);
  expect([behind(40, 480), b], { route: { max_lag_blocks: 50 } }, []);
  expect([behind(40, 10), b], {}, []);
  expect([behind(40, 480), b], { route: { max_lag_ms: 0 } }, []);
  expect([a(), well("b", { advances: false })], {}, [
    /^problem b: its head stands at 1,000 while others show new blocks$/,
  ]);
});

test("finalized behind, where the head is not", () => {
  expect([a({ finalized_lag: 1_200 }), b], {}, [
    /^problem a: finalized is 1,200 behind the others'/,
  ]);
  expect([a({ finalized_lag: 60 }), b], {}, []);
  expect([a({ finalized: null }), b], {}, [/^note a: tells no finalized block/]);
});

test("timeouts: above the p99 with room, for the method or for all", () => {
  const slow = (ms, methods) =>
    a({
      latency: { ...a().latency, ...Object.fromEntries(methods.map((m) => [m, took(60, ms)])) },
    });
  expect([slow(3_000, ["eth_getLogs"]), b], {}, [
    /^advice a: eth_getLogs took up to 3000 ms \(p99 of 8\), an attempt has 3500 ms\. With total_timeout_ms = 9000 .* \[method_timeouts_ms = \{ eth_getLogs = 6000 \}\]$/,
  ]);
  expect(
    [slow(1_200, ["eth_getLogs", "eth_call"]), b],
    { endpoints: { a: { attempt_timeout_ms: 1000 } } },
    [
      /^problem a: eth_call and eth_getLogs took up to 1200 ms .* has 1000 ms \[attempt_timeout_ms = 2500\]$/,
    ],
  );
  expect(
    [slow(3_000, ["eth_getLogs"]), b],
    { route: { method_timeouts_ms: { eth_getLogs: 8000 } } },
    [],
  );
  expect([slow(2_000, ["eth_getLogs"]), b], {}, []);
});

test("order: who is clearly faster, and in ordered mode alone", () => {
  const at = (ms) => a({ latency: { eth_call: took(ms, ms * 1.2) } });
  expect([at(400), b, c], {}, [
    /^advice -: a comes first and takes 400 ms .*; b takes 50 ms .* \[# order: b, c, a\]$/,
  ]);
  expect([at(70), b, c], {}, []);
  expect([at(400), b, c], { route: { mode: "weighted" } }, []);
});

test("archive: said where others have none, and where the key is wrong", () => {
  const recent = { state_depth: { kind: "recent", blocks: 125 } };
  expect([a(), well("b", recent), c], {}, [
    /^advice a,c: the first block's state is there, while b goes back about 125 blocks: .* \[archive = true\]$/,
  ]);
  expect([a(), well("b", recent)], { endpoints: { a: { archive: true }, b: { archive: true } } }, [
    /^problem b: archive = true, but its state goes back about 125 blocks: remove the key$/,
  ]);
  expect([a(recent), well("b", recent)], {}, [
    /^note -: no endpoint has the first block's state, the deepest goes back about 125 blocks/,
  ]);
  expect([a({ state_depth: { kind: "unknown", blocks: null } }), b], {}, []);
});

test("batches", () => {
  const takes = (good, bad, sure = true) => a({ batch: { good, bad, sure } });
  expect([takes(3, 4), b], {}, [
    /^advice a: took batches of 3 and refused 4; callers may send 100 \[batch_max = 3\]$/,
  ]);
  expect([takes(0, 1), b], {}, [/^advice a: takes no batch and refused 1; .* \[batch_max = 1\]$/]);
  expect([takes(3, 4), b], { endpoints: { a: { batch_max: 10 } } }, [
    /^problem a: took batches of 3 and refused 4, but batch_max is 10 \[batch_max = 3\]$/,
  ]);
  expect([takes(3, 4), b], { endpoints: { a: { batch_max: 3 } } }, []);
  expect([takes(3, 4), b], { route: { batch_max: 3 } }, []);
  expect([takes(20, null, false), b], {}, []);
  expect([takes(100, null), b], { endpoints: { a: { batch_max: 3 } } }, [
    /^note a: took batches of 100: batch_max = 3 costs more requests than needed \[batch_max = 100\]$/,
  ]);
});

test("ranges of logs", () => {
  const narrow = (good) => ({ logs: { good, bad: good + 1, sure: true, all: false } });
  expect([a(narrow(500)), b], {}, [
    /^note a: eth_getLogs took 500 blocks and refused 501; wider ones move on \(b took 1,000\)$/,
  ]);
  expect([a(narrow(500)), well("b", narrow(500))], {}, [
    /^note a: .*; no endpoint here takes more/,
    /^note b: .*; no endpoint here takes more/,
  ]);
});

test("gaps: denied where others have it and callers may ask", () => {
  const lacks = (...methods) => ({
    methods: {
      ...a().methods,
      ...Object.fromEntries(methods.map((m) => [m, { word: "missing" }])),
    },
  });
  expect([a(lacks("eth_getProof", "trace_block")), b], {}, [
    /^advice a: does not do eth_getProof, .* \[methods = \{ deny = \["eth_getProof"\] \}\]$/,
  ]);
  expect([a(lacks("trace_block")), b], { route: { methods: { allow: ["trace_*"] } } }, [
    /\[methods = \{ deny = \["trace_block"\] \}\]$/,
  ]);
  const own = { a: { methods: { allow: ["eth_*"], deny: ["eth_getLogs"] } } };
  expect([a(lacks("eth_getProof")), b], { endpoints: own }, [
    /\[methods = \{ allow = \["eth_\*"\], deny = \["eth_getLogs", "eth_getProof"\] \}\]$/,
  ]);
  expect([a(lacks("eth_getProof")), well("b", lacks("eth_getProof"))], {}, [
    /^note -: no endpoint does eth_getProof/,
  ]);
});

test("throttles, one host, polls and hedging", () => {
  expect([a({ throttles: 4, requests: 100 }), b], {}, [/^advice a: throttled 4 of 100 requests/]);
  const url = "https://one.example.org/v2/s3cret";
  expect([a(), b], { endpoints: { a: { url }, b: { url } } }, [/^note -: a and b are on one host/]);
  const notes = advise(...judged([a(), b], { route: { poll_ms: 30_000 } }));
  assert.deepEqual(
    notes.map(({ write, why }) => write ?? why.split(" requests")[0]),
    ["hedge_after_ms = 100", "poll_ms = 30000 costs each endpoint at most 4,464"],
  );
});

test("facilitators", () => {
  const one = (name, kinds, more = {}) => ({
    ...well(name),
    ...{ kinds, versions: [2], latency: { supported: took(50, 80) } },
    ...more,
  });
  const pay = (findings, endpoints) =>
    said(findings, { route: { protocol: "x402", chain_id: undefined }, endpoints });
  assert.deepEqual(pay([one("a", ["exact@base"]), one("b", ["exact@base", "exact@solana"])]), [
    "advice b: is the only one for exact@solana: when it is out, such payments have nowhere to go",
  ]);
  const refused = { state: "refused", trouble: "HTTP 401", latency: {} };
  const three = [one("a", ["x@y"]), one("b", ["x@y"]), one("c", [], refused)];
  assert.match(pay(three)[0], /^problem c: gives no \/supported \(HTTP 401\)$/);
  assert.match(
    pay(three, { c: { forward_headers: ["authorization"] } })[0],
    /^note c: wants a token of the merchant's/,
  );
});
