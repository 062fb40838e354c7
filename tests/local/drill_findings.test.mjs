/**
 * What a drill showed, from reads and looks; and whether it may be played.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { amiss, backAt, find, returnOf } from "../../scripts/drill/findings.mjs";
import { readOptions } from "../../scripts/drill/options.mjs";
import { makePlan } from "../../scripts/drill/plan.mjs";
import { report, resultOf } from "../../scripts/drill/report.mjs";

const read = (at_ms, endpoint, more = {}) => ({
  ...{ at_ms, ms: 10, endpoint, reason: null, error: null },
  ...more,
});
const look = (at_ms, state, local_state = "closed") => ({ at_ms, state, local_state });
const DOWN = { kind: "down", value: 0, for_ms: 1_000, must_move: true };
const PLAYED = { endpoint: "a", mode: "ordered", began_ms: 1_000, ended_ms: 2_000 };
const left = { reason: "a=drill" };
const READS = [
  read(400, "a"),
  read(900, "a"),
  read(1_100, "a"),
  read(1_200, "b", { ...left, ms: 300 }),
  read(1_300, "b", left),
  read(1_990, "b"),
  read(2_100, "b"),
  ...[2_200, 2_300, 2_400].map((at) => read(at, "a")),
];

describe("findings", () => {
  test("who took over, when, and when the endpoint was back", () => {
    const looks = [look(1_100, "closed"), look(1_400, "closed", "open"), look(2_050, "open")];
    const found = find(DOWN, PLAYED, READS, looks);
    assert.deepEqual(found, {
      ...DOWN,
      before: "a",
      took_over: ["b"],
      moved_ms: 310,
      opened_ms: 400,
      back_ms: 210,
      reads: 8,
      by_endpoint: 1,
      reasons: { drill: 2 },
      errors: {},
      p99_ms: { before: 10, during: 300 },
    });
    assert.deepEqual(amiss(found), []);
  });

  test("errors, no take-over and no return are told", () => {
    const error = "HTTP 503 -32002";
    const reads = [
      read(900, "a"),
      read(1_100, null, { error }),
      read(2_500, null, { error }),
      read(2_600, "a"),
    ];
    const found = find(DOWN, PLAYED, reads, []);
    assert.deepEqual([found.moved_ms, found.opened_ms, found.back_ms], [null, null, null]);
    assert.deepEqual(found.errors, { [error]: 2 });
    assert.deepEqual(amiss(found), [
      "down: clients saw 2 errors",
      "down: no other endpoint took over",
      "down: the endpoint did not come back in the time given",
    ]);
    const late = { ...DOWN, kind: "slow", must_move: false };
    assert.ok(!amiss(find(late, PLAYED, reads, [])).some((said) => /took over/.test(said)));
  });

  test("a return is three answers in a row, begun after the end", () => {
    const names = (list) => list.map((name, i) => read(2_000 + i, name));
    assert.equal(returnOf("a", names(["a", "a", "b", "a", "a"]), 2_000), undefined);
    assert.equal(returnOf("a", names(["a", "b", "a", "a", "a"]), 2_000).at_ms, 2_002);
    assert.equal(returnOf("a", names(["a", "a", "a", "b"]), 2_001), undefined);
  });

  test("one that did not answer before is back when its breaker is closed", () => {
    const reads = [read(900, "b"), read(1_100, "b"), read(2_300, "b")];
    const closed = { ...look(2_400, "closed"), played: false };
    const looks = [look(1_500, "open"), { ...look(2_100, "open"), played: false }, closed];
    const found = find(DOWN, PLAYED, reads, looks);
    assert.deepEqual([found.took_over, found.moved_ms, found.must_move], [[], null, false]);
    assert.deepEqual([found.opened_ms, found.back_ms, amiss(found)], [500, 400, []]);
    const text = report(resultOf({ route: "r", mode: "ordered" }, "a", 2, [found]));
    assert.match(text, /^down: b answered before, so callers noticed nothing$/m);
    assert.equal(backAt(PLAYED, reads, looks.slice(0, 2)), undefined);
    assert.equal(backAt(PLAYED, reads, [{ ...closed, played: true }]), undefined);
  });

  test("where calls are shared, too", () => {
    const played = { ...PLAYED, mode: "weighted" };
    const reads = [read(900, "a"), read(1_100, "b"), read(2_300, "b")];
    const looks = [{ ...look(2_100, "closed"), played: false }];
    const found = find(DOWN, played, reads, looks);
    assert.deepEqual([found.took_over, found.back_ms, amiss(found)], [["b"], 100, []]);
  });

  test("as a table", () => {
    const found = find(DOWN, PLAYED, READS, [look(1_400, "open")]);
    const text = report(resultOf({ route: "r", mode: "ordered" }, "a", 2, [found]));
    assert.match(text, /^r \(ordered\): drills of a, 2 reads a second$/m);
    assert.match(text, /^down +1\.0 s +b +0\.3 s +0\.4 s +0\.2 s +8 +0 +10 → 300$/m);
    assert.match(text, /^down: left for 2 × drill; 1 read still answered by it$/m);
    assert.match(text, /^No client saw an error; all went as it should\.$/m);
  });
});

describe("the plan", () => {
  const one = (name, more) => ({
    ...{ name, state: "closed", enabled: true, chain_id: "ok", throttled_until_ms: null },
    ...{ fault: null, ...more },
  });
  const status = (endpoints, more) => ({
    ...{ protocol: "evm", mode: "ordered", region: "weur", now_ms: 1_000, serving: "a" },
    ...{ config: { attempt_timeout_ms: null, cooldown_max_ms: 10_000 }, endpoints, ...more },
  });
  const TOKEN = { ADMIN_TOKEN: "t" };
  const asked = (...args) => readOptions(["https://b.example.org", ...args], TOKEN);
  const two = [one("a"), one("b")];

  test("all kinds on who serves, with values that show", () => {
    const { endpoint, faults, backMs } = makePlan(status(two), asked());
    assert.equal(endpoint, "a");
    assert.deepEqual(
      faults.map(({ kind, value, must_move }) => [kind, value, must_move]),
      [
        ["down", 0, true],
        ["slow", 4_000, true],
        ["stale", 100, true],
      ],
    );
    assert.equal(backMs, 57_000);
    const own = makePlan(
      status(two),
      asked("--endpoint", "b", "--kinds", "slow", "--slow-ms", "200"),
    );
    assert.deepEqual(
      [own.endpoint, own.faults],
      ["b", [{ kind: "slow", value: 200, for_ms: 30_000, must_move: false }]],
    );
    const pay = status(two, { protocol: "x402" });
    assert.deepEqual(
      makePlan(pay, asked()).faults.map(({ value }) => value),
      [0, 15_500],
    );
    assert.throws(() => makePlan(pay, asked("--kinds", "stale")), /no head/);
  });

  test("not where nothing is left, unless forced", () => {
    for (const other of [
      { state: "open" },
      { enabled: false, state: "disabled" },
      { chain_id: "wrong" },
      { throttled_until_ms: 2_000 },
    ]) {
      const alone = status([one("a"), one("b", other)]);
      assert.throws(() => makePlan(alone, asked()), /no other endpoint than a is fit/);
      assert.equal(makePlan(alone, asked("--force")).endpoint, "a");
    }
    assert.throws(() => makePlan(status([one("a")]), asked()), /no other/);
    assert.equal(
      makePlan(status([one("a"), one("b", { throttled_until_ms: 900 })]), asked()).endpoint,
      "a",
    );
  });

  test("not on what is not there, out, or played already; not without an object", () => {
    const refused = (endpoints, args, says, more) =>
      assert.throws(() => makePlan(status(endpoints, more), asked(...args)), says);
    refused(two, ["--endpoint", "c"], /no such endpoint; there are a, b/);
    refused([one("a", { state: "open" }), one("b")], [], /a is not fit now/);
    refused([one("a"), one("b", { fault: { kind: "slow" } })], [], /going on already \(b\)/);
    refused(two, [], /nobody serves/, { serving: null });
    refused(two, [], /SERVICE\.state is "isolate" .* HTTP 409/, { region: "isolate" });
  });

  test("the command line", () => {
    assert.throws(() => readOptions(["https://b.example.org"], {}), /ADMIN_TOKEN is not/);
    for (const [args, says] of [
      [["--kinds", "down,up"], /takes down, slow, stale, not "up"/],
      [["--for", "4"], /--for takes a whole number from 5 to 600/],
      [["--rate", "100"], /from 1 to 20/],
      [["--token", "t"], /Unknown option '--token'/],
      [["more"], /usage: ADMIN_TOKEN/],
    ])
      assert.throws(() => asked(...args), says);
  });
});
