/**
 * An object that its own alarm wakes after a restart, before any request does.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const POLL_MS = 300;

let t;

before(async () => {
  t = await harness({ chain: false, endpoints: [scripted("a")], route: { poll_ms: POLL_MS } });
});

after(() => t?.stop());

const probes = () => t.endpoint.a.hits("eth_blockNumber");

test("it knows whose it is: it probes, and it answers the requests that follow", async () => {
  await t.rpc("eth_call", [{}, "latest"]);
  await t.until(() => probes() > 1);
  await t.worker.restart();
  t.endpoint.a.clear();
  await sleep(3 * POLL_MS);
  assert.ok(probes() > 0, "probes without a request");
  await t.rpc("eth_call", [{}, "latest"]);
  assert.equal((await t.status()).region, "weur");
});
