/**
 * An endpoint of another chain: out for everybody until it serves the right one, told once.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { hex, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const COOLDOWN_MS = 300;
const WRONG = { mode: "wrong_chain", chain_id: 1 };

const start = (names, options = {}) =>
  harness({
    chain: false,
    endpoints: names.map((name) => scripted(name)),
    isolates: 3,
    ...options,
    route: { cooldown_ms: COOLDOWN_MS, cooldown_max_ms: COOLDOWN_MS, ...options.route },
  });

const ask = (t, isolate) => t.rpc("eth_call", [{}, "latest"], { isolate });

/** What each isolate's status says of an endpoint, once all know. */
const known = (t, name, chain_id) =>
  t.until(async () => {
    for (const isolate of ["a", "b", "c"]) {
      await ask(t, isolate);
      const { endpoint } = await t.status("local", { isolate });
      if (endpoint[name].chain_id !== chain_id) return false;
    }
    return (await t.status()).endpoint[name];
  });

describe("an endpoint of another chain", { concurrency: 1 }, () => {
  let t;
  before(async () => {
    t = await start(["first", "second"]);
    await t.endpoint.first.set(WRONG);
  });
  after(() => t?.stop());

  test("is out for all isolates, with a reason and one alert", async () => {
    const { state } = await known(t, "first", "wrong");
    assert.notEqual(state, "closed");
    for (const isolate of ["a", "b", "c"]) {
      await t.until(async () => (await ask(t, isolate)).endpoint === "second");
    }
    const { transitions, serving } = await t.status();
    assert.equal(transitions.at(-1).reason, "wrong_chain");
    assert.equal(serving, "second");
    const alerts = t.events("alert").map(({ route, endpoint }) => [route, endpoint]);
    assert.deepEqual(alerts, [["local", "first"]]);
  });

  test("never answers while it is, not even when nobody else does", async () => {
    await t.endpoint.second.set("refuse");
    const asked = t.endpoint.first.hits("eth_call");
    for (let i = 0; i < 10; i++) {
      for (const isolate of ["a", "b", "c"]) {
        const { status, error } = await ask(t, isolate);
        assert.deepEqual([status, error?.code], [503, -32002]);
      }
      await sleep(COOLDOWN_MS / 3);
    }
    assert.equal(t.endpoint.first.hits("eth_call"), asked);
    await t.endpoint.second.set("answer");
    await t.until(async () => (await ask(t, "a")).endpoint === "second");
  });

  test("stays out over a restart", async () => {
    await t.worker.restart();
    const { chain_id, state } = (await t.status()).endpoint.first;
    assert.deepEqual([chain_id, state === "closed"], ["wrong", false]);
  });

  test("is asked for its chain id alone, and comes back when that is right", async () => {
    const { first } = t.endpoint;
    first.clear();
    await t.until(() => first.hits("eth_chainId") >= 3);
    assert.equal(first.hits("eth_blockNumber"), 0);
    await first.set("answer");
    await known(t, "first", "ok");
    await t.until(async () => (await ask(t, "b")).endpoint === "first");
    assert.equal((await ask(t, "b")).result, hex("first"));
    assert.equal(t.events("alert").length, 1, "no alert since the first");
  });
});

describe("chain ids that are not told", { concurrency: 1 }, () => {
  let t;
  before(async () => {
    t = await start(["odd", "dead", "good"], { isolates: 1, route: { trip_after: 1000 } });
    await t.endpoint.odd.set({ mode: "rpc_error", method: "eth_chainId", code: -32601 });
    await t.endpoint.dead.set("refuse");
  });
  after(() => t?.stop());

  test("are unknown and never wrong", async () => {
    await ask(t, "a");
    await t.until(async () => (await t.status()).endpoint.good.chain_id === "ok");
    const { odd, dead } = (await t.status()).endpoint;
    assert.deepEqual([odd.chain_id, odd.state], [null, "closed"]);
    assert.deepEqual([dead.chain_id, dead.state], [null, "closed"]);
    assert.equal((await ask(t, "a")).endpoint, "odd");
  });
});
