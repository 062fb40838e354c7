/**
 * Circuit breakers as clients and the status see them: when they open, who probes, when they close,
 * and what does not count. One isolate; each test has a route of its own.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const DOWN = { mode: "status", status: 500 };
const COOLDOWN_MS = 400;
/** More than a few calls take on a machine that is busy. */
const LONG_MS = 3000;

/** Routes by name: what differs from `trip_after` 2 and a cooldown of 400 ms. */
const ROUTES = {
  trips: { cooldown_ms: LONG_MS, cooldown_max_ms: LONG_MS },
  doubles: { cooldown_max_ms: 1000 },
  forgives: {},
  ratio: { trip_after: 1000, trip_min: 6 },
  first: { trip_after: 0, cooldown_ms: 60_000, cooldown_max_ms: 60_000 },
  rests: {},
  account: {},
  gap: {},
  throttled: {},
  try: { cooldown_ms: 60_000, cooldown_max_ms: 60_000 },
  fail: { cooldown_ms: 60_000, cooldown_max_ms: 60_000, when_all_open: "fail" },
};

let t;

before(async () => {
  const names = Object.keys(ROUTES).flatMap((name) => [`${name}-a`, `${name}-b`]);
  const base = {
    protocol: "evm",
    chain_id: 31337,
    trip_after: 2,
    cooldown_ms: COOLDOWN_MS,
    cooldown_max_ms: 2000,
  };
  const routes = Object.entries(ROUTES).map(([name, more]) => [
    `ROUTE_${name.toUpperCase()}`,
    { ...base, endpoints: [`${name}-a`, `${name}-b`], ...more },
  ]);
  t = await harness({
    chain: false,
    endpoints: names.map((name) => scripted(name)),
    route: { endpoints: ["trips-a"] },
    routes: Object.fromEntries(routes),
  });
});

after(() => t?.stop());

/** A route's endpoints and ways to ask it. */
function open(name) {
  const [a, b] = ["a", "b"].map((letter) => t.endpoint[`${name}-${letter}`]);
  const status = async () => {
    const { endpoint, ...rest } = await t.status(name);
    return { a: endpoint[a.name], b: endpoint[b.name], ...rest };
  };
  const ask = (method = "eth_call") => t.rpc(method, [{}, "latest"], { path: `/${name}` });
  return { a, b, ask, status, until: (holds) => t.until(async () => holds(await status())) };
}

/** Oldest first: who moved, from where to where, and why. */
const story = ({ transitions }) =>
  transitions
    .toReversed()
    .map(({ endpoint, from, to, reason }) => [endpoint.at(-1), from, to, reason]);

describe("breakers", { concurrency: true }, () => {
  test("open after trip_after failures, are probed without traffic, close, and give way again", async () => {
    const { a, b, ask, status, until } = open("trips");
    assert.equal((await ask()).endpoint, a.name);
    assert.equal((await status()).serving, a.name);
    await a.set(DOWN);
    assert.deepEqual([(await ask()).attempts, (await ask()).attempts], [2, 2]);
    const asked = a.hits("eth_call");
    for (let i = 0; i < 5; i++)
      assert.deepEqual([(await ask()).attempts, b.hits("eth_call")], [1, 3 + i]);
    assert.equal(a.hits("eth_call"), asked);

    await until(({ transitions }) => transitions.length > 0);
    await t.until(() => a.hits("eth_blockNumber") > 0);
    await a.set("answer");
    const healthy = b.hits();
    await t.until(() => a.hits("eth_blockNumber") >= 3);
    assert.equal(b.hits(), healthy, "nobody asked anything meanwhile");

    const now = await until((s) => s.a.state === "closed" && s.a.local_state === "closed" && s);
    const moves = story(now);
    assert.deepEqual(moves[0], ["a", "closed", "open", "server_error"]);
    assert.deepEqual(moves[1], ["a", "open", "half_open", "cooldown_over"]);
    assert.deepEqual(moves[2], ["a", "half_open", "open", "server_error"]);
    assert.deepEqual(moves.at(-1), ["a", "half_open", "closed", "recovered"]);
    const times = now.transitions.map(({ at_ms }) => at_ms);
    assert.deepEqual(
      times,
      times.toSorted((x, y) => y - x),
    );
    assert.deepEqual([now.serving, now.a.trips_total], [a.name, 1]);
    assert.equal((await ask()).endpoint, a.name);
  });

  test("wait longer after each failed probe, up to cooldown_max_ms", async () => {
    const { a, ask, status, until } = open("doubles");
    await a.set(DOWN);
    await ask();
    await ask();
    await until((s) => s.a.state === "open");
    await t.until(() => a.hits("eth_blockNumber") >= 4);
    const { transitions } = await status();
    const opened = transitions.toReversed().filter(({ to }) => to === "open");
    const half = transitions.toReversed().filter(({ to }) => to === "half_open");
    const waits = half.slice(0, 4).map(({ at_ms }, i) => at_ms - opened[i].at_ms);
    for (const [i, wanted] of [COOLDOWN_MS, 2 * COOLDOWN_MS, 1000, 1000].entries()) {
      assert.ok(waits[i] >= 0.9 * wanted && waits[i] < 1.1 * wanted + 1500, `waited ${waits}`);
    }
  });

  test("do not open for failures with good answers between them", async () => {
    const { a, ask, status } = open("forgives");
    for (let i = 0; i < 4; i++) {
      await a.set(i % 2 ? "answer" : DOWN);
      await ask();
    }
    const now = await status();
    assert.deepEqual([now.a.state, now.a.local_state, now.transitions], ["closed", "closed", []]);
  });

  test("open for a share of failures too", async () => {
    const { a, ask, until } = open("ratio");
    for (let i = 0; i < 8; i++) {
      await a.set(i % 2 ? DOWN : "answer");
      await ask();
    }
    const now = await until((s) => s.transitions.length > 0 && s);
    assert.deepEqual(story(now)[0], ["a", "closed", "open", "server_error"]);
  });

  test("with trip_after 0 open at the first failure", async () => {
    const { a, b, ask, until } = open("first");
    await a.set(DOWN);
    assert.equal((await ask()).attempts, 2);
    assert.deepEqual([(await ask()).endpoint, a.hits("eth_call")], [b.name, 1]);
    const now = await until((s) => s.a.state === "open" && s);
    assert.equal(now.serving, b.name);
    assert.equal(now.a.last_failure.class, "server_error");
    assert.equal(now.a.last_failure.status, 500);
    assert.equal(now.a.last_failure.method, "eth_call");
    const wait = now.a.retry_at_ms - now.a.since_ms;
    assert.ok(wait >= 54_000 && wait <= 66_000, `${wait} ms to the next probe`);
  });

  test("a rate limit is a rest, as long as Retry-After says, and no failure", async () => {
    const { a, b, ask, status, until } = open("rests");
    await a.set({ mode: "rate_limit", retry_after: 3, times: 1 });
    const began = Date.now();
    assert.equal((await ask()).reason, `${a.name}=rate_limited`);
    assert.deepEqual([(await ask()).endpoint, a.hits("eth_call")], [b.name, 1]);
    await until(({ serving }) => serving === b.name);
    await t.until(async () => (await ask()).endpoint === a.name);
    assert.ok(Date.now() - began >= 2990, "it came back before its time");
    const now = await status();
    assert.deepEqual([now.a.state, now.a.consecutive_failures, now.transitions], ["closed", 0, []]);
  });

  test("account trouble is a long rest and an alert", async () => {
    const { a, b, ask, until } = open("account");
    await a.set({ mode: "status", status: 401 });
    await ask();
    await a.set("answer");
    assert.deepEqual([(await ask()).endpoint, a.hits("eth_call")], [b.name, 1]);
    const now = await until((s) => s.a.throttled_until_ms && s);
    assert.ok(now.a.throttled_until_ms - now.now_ms > 200_000);
    assert.deepEqual([now.a.state, now.serving], ["closed", b.name]);
    const alerts = t.events("alert").filter(({ route }) => route === "account");
    assert.deepEqual(
      alerts.map(({ endpoint }) => endpoint),
      [a.name],
    );
  });

  test("a method that is not there is asked elsewhere from then on, and nothing else is", async () => {
    const { a, b, ask, status } = open("gap");
    await a.set({ mode: "rpc_error", method: "eth_call", code: -32601, message: "no such method" });
    assert.equal((await ask()).reason, `${a.name}=method_unsupported`);
    assert.deepEqual([(await ask()).endpoint, (await ask()).attempts], [b.name, 1]);
    assert.equal((await ask("eth_getBalance")).endpoint, a.name);
    const now = await status();
    assert.deepEqual(
      [now.a.gaps, now.a.consecutive_failures, now.a.state],
      [["eth_call"], 0, "closed"],
    );
    await b.set("refuse");
    assert.equal(
      (await ask()).error.message,
      "no such method",
      "it is asked again as the last one",
    );
  });

  test("a rate limit in half-open opens again at once", async () => {
    const { a, ask, until } = open("throttled");
    await a.set(DOWN);
    await ask();
    await ask();
    await until((s) => s.a.state !== "closed");
    await a.set({ mode: "rate_limit", retry_after: 1 });
    const now = await until(
      (s) => story(s).some(([, , , reason]) => reason === "rate_limited") && s,
    );
    const move = story(now).find(([, , , reason]) => reason === "rate_limited");
    assert.deepEqual(move, ["a", "half_open", "open", "rate_limited"]);
  });

  test("all open, when_all_open = try: the one due first is asked first, each once", async () => {
    const { a, b, ask, until } = open("try");
    await a.set(DOWN);
    await ask();
    await ask();
    await until((s) => s.a.state === "open");
    await b.set(DOWN);
    await ask();
    await ask();
    await until((s) => s.b.state === "open");
    const { error, status } = await ask();
    const asked = error.data.attempts.map(({ endpoint }) => endpoint);
    assert.deepEqual([status, asked.toSorted()], [503, [a.name, b.name]]);
    const now = await until((s) => s);
    const first = now.a.retry_at_ms <= now.b.retry_at_ms ? a : b;
    assert.equal(asked[0], first.name);
    await b.set("answer");
    assert.equal((await ask()).endpoint, b.name);
    assert.equal(now.serving, null);
  });

  test("all open, when_all_open = fail: nobody is asked", async () => {
    const { a, b, ask, until } = open("fail");
    await Promise.all([a.set(DOWN), b.set(DOWN)]);
    await ask();
    await ask();
    await until((s) => s.a.state === "open" && s.b.state === "open");
    const hits = a.hits() + b.hits();
    const answer = await ask();
    assert.deepEqual([answer.status, answer.attempts, answer.error.code], [503, 0, -32002]);
    assert.deepEqual(answer.error.data, { attempts: [] });
    const retry = Number(answer.headers.get("retry-after"));
    assert.ok(retry > 40 && retry <= 66, `Retry-After ${retry}`);
    assert.equal(a.hits() + b.hits(), hits);
    assert.equal((await t.get("/ready/fail")).status, 503);
    assert.equal((await t.get("/ready/trips")).status, 200);
  });
});
