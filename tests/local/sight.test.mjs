/**
 * What the status page makes of a status: how endpoints and routes are, and why.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { overall, standing, sums, worst } from "../../src/page/sight.mjs";
import { atMost, count, face, list, share, span } from "../../src/page/words.mjs";

const NOW = Date.UTC(2026, 10, 30, 12);

const endpoint = (name, more = {}) => ({
  ...{ name, state: "closed", since_ms: NOW - 60_000, probe_successes: 0, retry_at_ms: null },
  ...{ throttled_until_ms: null, chain_id: "ok", fault: null, last_failure: null },
  ...more,
});

const route = (endpoints, more = {}) => ({
  ...{ mode: "ordered", serving: endpoints[0].name, config: { close_after: 2 } },
  ...{ transitions: [], endpoints },
  ...more,
});

const moved = (name, from, to, reason, ago) => ({
  ...{ endpoint: name, from, to, reason },
  at_ms: NOW - ago,
});

describe("an endpoint", () => {
  const of = (more, rest) => standing(route([endpoint("a", more)], rest), endpoint("a", more), NOW);

  test("serves, or could", () => {
    assert.deepEqual(of({}), { mark: "serves", word: "Serves now", tone: "ok" });
    assert.deepEqual(of({}, { serving: "b" }), { mark: "fit", word: "Fit, waiting", tone: "ok" });
  });

  test("is out since the breaker left closed, for the reason that it had then", () => {
    const transitions = [
      moved("a", "half_open", "open", "timeout", 1000),
      moved("b", "closed", "open", "server_error", 2000),
      moved("a", "open", "half_open", "cooldown_over", 3000),
      moved("a", "closed", "open", "network", 4000),
      moved("a", "closed", "open", "drill", 9000),
    ];
    const told = of({ state: "open", retry_at_ms: NOW + 4000 }, { transitions });
    assert.deepEqual([told.mark, told.tone, told.since], ["out", "bad", NOW - 4000]);
    assert.equal(told.why, "no connection; next test in 4 s");
    const tested = of({ state: "half_open", probe_successes: 1 }, { transitions });
    assert.equal(tested.why, "no connection; 1 of 2 good tests so far");
  });

  test("is out for a reason that the log no longer has", () => {
    const last_failure = { class: "odd_new_class" };
    const told = of({ state: "open", retry_at_ms: NOW - 1, last_failure });
    assert.deepEqual([told.why, told.since], ["odd new class; next test due", NOW - 60_000]);
    assert.match(of({ state: "open" }).why, /^reason unknown; next test due$/);
  });

  test("rests, is on another chain, or is switched off", () => {
    assert.equal(of({ throttled_until_ms: NOW + 30_000 }).why, "it asked for rest, 30 s more");
    assert.equal(of({ throttled_until_ms: NOW - 1 }).mark, "serves");
    assert.equal(of({ state: "open", chain_id: "wrong" }).word, "Wrong chain");
    assert.equal(of({ state: "disabled", chain_id: "wrong" }).word, "Switched off");
  });

  test("has a shape of its own for every state", () => {
    const all = [
      ...[of({}), of({}, { serving: null }), of({ state: "half_open" }), of({ state: "open" })],
      ...[of({ state: "disabled" }), of({ throttled_until_ms: NOW + 1000 })],
    ];
    assert.equal(new Set(all.map(({ mark }) => mark)).size, all.length);
  });
});

describe("a route", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => endpoint(name));
  const out = endpoint("a", { state: "open", last_failure: { class: "timeout" } });

  for (const [what, told, level, sentence] of [
    ["with one endpoint", route([a]), "ok", /^a serves; no other endpoint is behind it\.$/],
    ["with two", route([a, b]), "ok", /^a serves; the other one is fit too\.$/],
    ["with three", route([a, b, c]), "ok", /^a serves; the other 2 are fit too\.$/],
    [
      "served by the next",
      route([out, b], { serving: "b" }),
      "warn",
      /^b serves; a is out since .+ \(took too long\)\.$/,
    ],
    [
      "with nobody",
      route([out], { serving: null }),
      "bad",
      /^Nobody is fit to serve: a is out since .+ \(took too long\)\.$/,
    ],
    [
      "with a drill",
      route([a, endpoint("b", { fault: { until_ms: NOW + 1 } })]),
      "warn",
      /^a serves; drill at b\.$/,
    ],
    [
      "with a drill that is over",
      route([a, endpoint("b", { fault: { until_ms: NOW } })]),
      "ok",
      /fit too/,
    ],
    [
      "all switched off",
      route([endpoint("a", { state: "disabled" })], { serving: null }),
      "bad",
      /all are switched off\.$/,
    ],
    [
      "resting",
      route([endpoint("a", { throttled_until_ms: NOW + 9000 }), b], { serving: "b" }),
      "warn",
      /^b serves; a is resting \(it asked for rest\)\.$/,
    ],
    ["not in order", route([a, b], { mode: "weighted" }), "ok", /^a and b can serve/],
  ]) {
    test(what, () => {
      const { level: found, headline } = overall(told, NOW);
      assert.equal(found, level);
      assert.match(headline, sentence);
    });
  }

  test("the worst counts", () => {
    assert.equal(worst([]), "ok");
    assert.equal(worst([{ level: "warn" }, { level: "bad" }, { level: "ok" }]), "bad");
  });
});

test("numbers are said as people say them, and unknown is unknown", () => {
  assert.deepEqual([null, 0, 1234567].map(count), ["unknown", "0", "1,234,567"]);
  const bounds = [null, 0, 700, 1500, 10_000, 65_535].map(atMost);
  assert.deepEqual(bounds, ["unknown", "≤ 0 ms", "≤ 700 ms", "≤ 1.5 s", "≤ 10 s", "over 10 s"]);
  const spans = [-5, 0, 89_000, 90_000, 5_399_000, 7_200_000, 200_000_000].map(span);
  assert.deepEqual(spans, ["0 s", "0 s", "89 s", "2 min", "90 min", "2 h", "2 days"]);
  const shares = [
    [0, 9],
    [1, 9999],
    [9998, 9999],
    [9, 9],
    [1, 3],
  ].map(([n, of]) => share(n, of));
  assert.deepEqual(shares, ["0 %", "under 0.1 %", "99.9 %", "100 %", "33.3 %"]);
  assert.deepEqual([["a"], ["a", "b"], ["a", "b", "c"], []].map(list), [
    "a",
    "a and b",
    "a, b and c",
    "",
  ]);
  assert.deepEqual(
    sums([
      [3, 1],
      [0, 0],
      [4, 4],
    ]),
    { requests: 7, failures: 5 },
  );
  assert.ok(face(NOW - 2 * 86_400_000, NOW).length > face(NOW - 1000, NOW).length);
});
