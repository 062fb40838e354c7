/**
 * Objects that come back after a restart: one that its own alarm wakes before any request does, and
 * one whose route nobody has used for long.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { aged } from "../support/aged.mjs";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const POLL_MS = 300;

describe("an object that its alarm wakes", () => {
  let t;
  before(async () => {
    t = await harness({ chain: false, endpoints: [scripted("a")], route: { poll_ms: POLL_MS } });
  });
  after(() => t?.stop());

  const probes = () => t.endpoint.a.hits("eth_blockNumber");

  test("knows whose it is: it probes, and it answers the requests that follow", async () => {
    await t.rpc("eth_call", [{}, "latest"]);
    await t.until(() => probes() > 1);
    await t.worker.restart();
    t.endpoint.a.clear();
    await sleep(3 * POLL_MS);
    assert.ok(probes() > 0, "probes without a request");
    await t.rpc("eth_call", [{}, "latest"]);
    assert.equal((await t.status()).region, "weur");
  });
});

describe("an object whose route nobody has used for more than five minutes", () => {
  const COOLDOWN_MS = 500;
  let t;
  let old;
  before(async () => {
    old = aged();
    t = await harness({
      chain: false,
      endpoints: [scripted("a"), scripted("b")],
      route: {
        ...{ poll_ms: POLL_MS, trip_after: 1, close_after: 1 },
        ...{ cooldown_ms: COOLDOWN_MS, cooldown_max_ms: COOLDOWN_MS },
      },
      worker: { project: old.project },
    });
  });
  after(async () => {
    await t?.stop();
    old?.remove();
  });

  test("probes nothing, even with an endpoint out, until the first request, then at once", async () => {
    const { a, b } = t.endpoint;
    const ask = () => t.rpc("eth_call", [{}, "latest"]);
    await a.set({ mode: "status", status: 500 });
    await ask();
    await t.until(async () => (await t.status()).endpoint.a.state === "open");
    await a.set("answer");
    await t.worker.restart();
    // Reading a status loads the object and is no traffic.
    const { endpoint } = await t.status();
    assert.equal(endpoint.a.state, "open");
    for (const { rows } of t.events("aged")) assert.equal(rows, 1);
    assert.ok(t.events("aged").length > 0, "its stored end of probing was set back");
    for (const each of [a, b]) each.clear();
    await sleep(2 * COOLDOWN_MS + 2 * POLL_MS);
    assert.deepEqual([a.hits(), b.hits()], [0, 0]);

    assert.equal((await ask()).status, 200);
    await t.until(() => a.hits("eth_blockNumber") > 0);
    await t.until(async () => (await t.status()).endpoint.a.state === "closed");
    await t.until(async () => (await ask()).endpoint === "a");
  });
});
