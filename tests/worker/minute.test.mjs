/**
 * What takes a minute to see: the pause between two alerts, and a snapshot that has grown too old.
 */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { operator, startWebhook, TOKEN } from "../support/admin.mjs";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const LONG = { trip_after: 2, cooldown_ms: 180_000, cooldown_max_ms: 180_000 };
const OLD_MS = 61_000;

/** A Worker with two isolates and a webhook of its own. */
async function start(options = {}) {
  const hook = await startWebhook();
  const t = await harness({
    chain: false,
    endpoints: [scripted("first"), scripted("second")],
    isolates: 2,
    route: LONG,
    secrets: { ADMIN_TOKEN: TOKEN, ALERT_WEBHOOK: hook.url },
    ...options,
  });
  after(async () => {
    hook.stop();
    await t.stop();
  });
  return { t, hook, admin: operator(t) };
}

const ask = (t, isolate = "a") => t.rpc("eth_call", [{}, "latest"], { isolate });
const kinds = (hook, kind) => hook.posts.filter(({ event }) => event === kind);

describe("a minute", { concurrency: true }, () => {
  test("one a minute of a kind and endpoint; what waits is kept over a restart", async () => {
    const { t, hook, admin } = await start({ service: { state: "global" } });
    await ask(t);
    for (let n = 0; n < 5; n++) {
      await admin.order("first", "open");
      await admin.order("first", "close");
    }
    await admin.order("second", "open");
    await t.until(() => kinds(hook, "breaker").length >= 2);
    await t.worker.restart();
    await admin.order("first", "open");
    await sleep(1500);
    assert.deepEqual(
      kinds(hook, "breaker").map(({ endpoint, to }) => [endpoint, to]),
      [
        ["first", "open"],
        ["second", "open"],
      ],
    );
    assert.equal(t.events("breaker").length, 12, "the log has them all");
    const [{ at_ms }] = kinds(hook, "breaker");
    const left = at_ms + 60_000 - Date.now();
    await t.until(() => kinds(hook, "breaker").length >= 3, left + 10_000);
    const last = kinds(hook, "breaker")[2];
    assert.deepEqual([last.endpoint, last.to, last.dropped], ["first", "open", 9]);
    assert.ok(Date.now() - at_ms >= 59_000);
    assert.match(last.text, /\(and 9 more\)$/);
  });

  test("an isolate that knows of nobody to ask waits for a newer word", async () => {
    const { t, admin } = await start();
    await ask(t, "b");
    for (const name of ["first", "second"]) await admin.order(name, "disable");
    await t.until(async () => (await t.status("local", { isolate: "b" })).serving === null);
    assert.equal((await ask(t, "b")).status, 503);
    await sleep(OLD_MS);
    for (const name of ["first", "second"]) await admin.order(name, "enable");
    const { status, endpoint } = await ask(t, "b");
    assert.deepEqual([status, endpoint], [200, "first"]);
  });

  test("an order reaches a busy isolate with its next sync, within 15 s", async () => {
    const { t, admin } = await start();
    await ask(t, "b");
    await t.until(async () => (await t.status("local", { isolate: "b" })).endpoint.first.requests);
    await admin.order("first", "disable");
    const began = Date.now();
    await t.until(async () => (await ask(t, "b")).endpoint === "second", 40_000);
    assert.ok(Date.now() - began < 25_000);
    await admin.order("first", "enable");
    await t.until(async () => (await ask(t, "b")).endpoint === "first", 40_000);
  });
});
