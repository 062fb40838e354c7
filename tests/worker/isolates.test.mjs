/**
 * Several isolates and one object: what one learns the others know, one alone is not believed, and
 * a deploy in the middle of an outage forgets nothing.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { scripted } from "../support/calls.mjs";
import { cut } from "../support/cut.mjs";
import { harness } from "../support/harness.mjs";
import { printTable } from "../support/table.mjs";

const DOWN = { mode: "status", status: 500 };
const ISOLATES = ["a", "b", "c"];
const LONG = {
  trip_after: 2,
  cooldown_ms: 60_000,
  cooldown_max_ms: 60_000,
  attempt_timeout_ms: 20_000,
  total_timeout_ms: 60_000,
};

/** Two endpoints `first` and `second` behind some isolates. */
const start = (options = {}) =>
  harness({
    chain: false,
    endpoints: [scripted("first"), scripted("second")],
    isolates: 3,
    ...options,
    route: { ...LONG, ...options.route },
  });

/** Ways to ask through isolate `isolate`. */
const through = (t, isolate) => ({
  ask: (method = "eth_call", how = {}) => t.rpc(method, [{}, "latest"], { isolate, ...how }),
  status: () => t.status("local", { isolate }),
  until: (holds) => t.until(async () => holds(await t.status("local", { isolate }))),
});

/** Opens the first endpoint's breaker in one isolate. */
async function trip(t, isolate) {
  for (let i = 0; i < LONG.trip_after; i++) await through(t, isolate).ask();
}

/** Waits until so many failed calls have been handed in. */
const handedIn = (each, failures) => each.until((s) => s.endpoint.first.failures >= failures && s);

describe("isolates", { concurrency: true }, () => {
  describe("three isolates", { concurrency: 1 }, () => {
    let t;
    before(async () => {
      t = await start();
    });
    after(() => t?.stop());

    test("what two have learnt the third knows", async () => {
      const [a, b, c] = ISOLATES.map((isolate) => through(t, isolate));
      for (const each of [a, b, c]) assert.equal((await each.ask()).endpoint, "first");
      for (const each of [a, b, c]) await each.until((s) => s.endpoint.first.requests > 0);
      await t.endpoint.first.set({ ...DOWN, method: "eth_call" });
      await trip(t, "a");
      await trip(t, "b");
      const { transitions } = await t.until(async () => {
        const read = [await a.status(), await b.status()];
        return read.find((s) => s.endpoint.first.state === "open");
      });
      assert.deepEqual(
        transitions.map(({ reason }) => reason),
        ["server_error"],
      );

      t.endpoint.first.clear();
      const seen = await c.until((s) => s.endpoint.first.state === "open" && s);
      assert.equal(seen.endpoint.first.local_state, "closed");
      await t.until(async () => (await c.ask()).attempts === 1);
      const asked = t.endpoint.first.hits("eth_call");
      const { endpoint, attempts } = await c.ask();
      assert.deepEqual([endpoint, attempts], ["second", 1]);
      assert.equal(t.endpoint.first.hits("eth_call"), asked);
    });

    test("a cold isolate leaves at once what the region calls open", async () => {
      await t.endpoint.first.set("hang");
      await t.worker.restart();
      t.endpoint.first.clear();
      for (const isolate of ISOLATES) {
        const { endpoint, reason } = await through(t, isolate).ask();
        assert.deepEqual([endpoint, reason], ["second", "first=breaker_open"]);
        assert.equal((await through(t, isolate).ask()).attempts, 1);
      }
      assert.ok(t.endpoint.first.hits("eth_call") <= ISOLATES.length);
    });

    test("a restart keeps breaker, times and log", async () => {
      const before = await through(t, "a").status();
      await t.worker.restart();
      const { endpoint, transitions, serving } = await through(t, "b").status();
      assert.deepEqual(transitions, before.transitions);
      assert.equal(serving, "second");
      const keys = ["state", "since_ms", "retry_at_ms", "trips_total"];
      const [then, now] = [before.endpoint.first, endpoint.first];
      const rows = keys.map((key) => [key, then[key], now[key]]);
      rows.push(["serving", before.serving, serving]);
      rows.push(["transitions", before.transitions.length, transitions.length]);
      printTable("A restart in an outage", ["first endpoint", "before", "after"], rows);
      for (const [key, was, is] of rows) assert.equal(is, was, key);
      assert.deepEqual([now.state, now.trips_total], ["open", 1], "the outage goes on");
    });
  });

  describe("one isolate alone", { concurrency: 1 }, () => {
    let t;
    before(async () => {
      t = await start({ isolates: 2 });
    });
    after(() => t?.stop());
    afterEach(() => t.heal());

    test("does not open the breaker for the others while probes succeed", async () => {
      const [a, b] = ["a", "b"].map((isolate) => through(t, isolate));
      for (const each of [a, b]) {
        await each.ask();
        await each.until((s) => s.endpoint.first.requests > 0);
      }
      await t.endpoint.first.set({ ...DOWN, method: "eth_call" });
      await trip(t, "a");
      await handedIn(a, 2);
      await t.until(() => t.endpoint.first.hits("eth_blockNumber") > 0);
      const { endpoint, transitions } = await b.status();
      assert.deepEqual([endpoint.first.state, transitions], ["closed", []]);
      assert.equal((await a.ask("eth_getBalance")).endpoint, "second");
      assert.equal((await b.ask("eth_getBalance")).endpoint, "first");
    });

    test("does so together with a failed probe", async () => {
      const [a, b] = ["a", "b"].map((isolate) => through(t, isolate));
      await t.endpoint.first.set(DOWN);
      const { endpoint } = await a.until((s) => s.endpoint.first.state === "open" && s);
      assert.equal(endpoint.first.trips_total, 1);
      await b.until((s) => s.endpoint.first.state === "open");
      await t.until(async () => (await b.ask()).attempts === 1);
    });
  });

  describe("one isolate cut off from an endpoint", { concurrency: 1 }, () => {
    // Long enough for the object to hear of it: news is handed in a second after the last hand-in.
    const COOLDOWN_MS = 1200;
    let t;
    before(async () => {
      t = await start({
        isolates: 2,
        endpoints: [scripted("first", { path: "/far" }), scripted("second")],
        route: { cooldown_ms: COOLDOWN_MS, cooldown_max_ms: COOLDOWN_MS, close_after: 1 },
        worker: cut({ isolate: "a", path: "/far", requests: 4 }),
      });
    });
    after(() => t?.stop());

    test("is served by the next, the others go on as ever, and it comes back by itself", async () => {
      const [a, b] = ["a", "b"].map((isolate) => through(t, isolate));
      const { first } = t.endpoint;
      await b.until(async () => (await b.ask()).endpoint === "first");
      const seen = [];
      const deadline = Date.now() + 10_000;
      for (;;) {
        const [cutOff, other] = await Promise.all([a.ask(), b.ask()]);
        assert.deepEqual([cutOff.status, other.status, other.endpoint], [200, 200, "first"]);
        seen.push(`${cutOff.reason ?? ""}>${cutOff.endpoint}`);
        if (cutOff.endpoint === "first") break;
        assert.ok(Date.now() < deadline, `never back: ${seen.slice(-3)}`);
      }
      const failed = seen.filter((each) => each === "first=network>second");
      assert.equal(failed.length, 4, `two failures, then one trial after each cooldown: ${failed}`);
      assert.ok(seen.includes(">second"), "meanwhile nobody there tries it");
      const { transitions, endpoint } = await b.status();
      assert.deepEqual([endpoint.first.state, transitions], ["closed", []], "the region's stays");
      // The object looks for itself once it has heard.
      await t.until(() => first.hits("eth_blockNumber") > 0);
    });
  });

  describe("state", { concurrency: true }, () => {
    test("isolate: nothing is shared, and a read tries the endpoint after its cooldown", async () => {
      const t = await start({
        isolates: 2,
        service: { state: "isolate" },
        route: { cooldown_ms: 4000, cooldown_max_ms: 4000 },
      });
      after(() => t.stop());
      const [a, b] = ["a", "b"].map((isolate) => through(t, isolate));
      await b.ask();
      await t.endpoint.first.set(DOWN);
      await trip(t, "a");
      const now = await a.status();
      assert.deepEqual([now.region, now.endpoint.first.state], ["isolate", "open"]);
      assert.equal((await a.ask()).attempts, 1);
      assert.equal((await b.status()).endpoint.first.state, "closed");
      const told = t
        .events("breaker")
        .map(({ endpoint, from, to, reason }) => [endpoint, from, to, reason]);
      assert.deepEqual(told, [["first", "closed", "open", "server_error"]]);

      await t.endpoint.first.set("answer");
      await t.until(async () => (await a.ask()).endpoint === "first");
      await a.ask();
      assert.equal((await a.status()).endpoint.first.state, "closed");
    });

    test("global: one view for every continent", async () => {
      const t = await start({ isolates: 2, service: { state: "global" } });
      after(() => t.stop());
      const [a, b] = ["a", "b"].map((isolate) => through(t, isolate));
      await b.ask("eth_call", { cf: { continent: "AS" } });
      await t.endpoint.first.set(DOWN);
      await trip(t, "a");
      const { region } = await a.until((s) => s.endpoint.first.state === "open" && s);
      assert.equal(region, "global");
      const seen = await b.until((s) => s.endpoint.first.state === "open" && s);
      assert.equal(seen.region, "global");
    });

    test("region: each continent has its own", async () => {
      const t = await start({ isolates: 2 });
      after(() => t.stop());
      const [a, b] = ["a", "b"].map((isolate) => through(t, isolate));
      await b.ask("eth_call", { cf: { continent: "AS" } });
      await a.ask("eth_call", { cf: { continent: "NA" } });
      await t.endpoint.first.set({ ...DOWN, method: "eth_call" });
      await trip(t, "a");
      const here = await a.until((s) => s.endpoint.first.state === "open" && s);
      const there = await b.until((s) => s.endpoint.first.requests > 0 && s);
      assert.deepEqual([here.region, there.region], ["enam", "apac"]);
      assert.deepEqual([there.endpoint.first.state, there.transitions], ["closed", []]);
      assert.deepEqual(
        here.transitions.map(({ region }) => region),
        ["enam"],
      );
    });
  });
});
