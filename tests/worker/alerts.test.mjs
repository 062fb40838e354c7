/**
 * Alerts: what happens is posted to the operator's webhook once, at most one a minute of a kind and
 * endpoint, and a webhook that fails harms nobody.
 */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { operator, startWebhook, TOKEN } from "../support/admin.mjs";
import { scripted, secret } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const DOWN = { mode: "status", status: 500 };
/** How long the object waits for the webhook. */
const HOOK_MS = 3000;
const LONG = { trip_after: 2, cooldown_ms: 60_000, cooldown_max_ms: 60_000 };

/** A Worker with a webhook of its own. */
async function start({ webhook = {}, secrets, ...options } = {}) {
  const hook = Object.assign(await startWebhook(), webhook);
  const t = await harness({
    chain: false,
    endpoints: [scripted("first"), scripted("second")],
    isolates: 2,
    route: LONG,
    ...options,
    secrets: { ADMIN_TOKEN: TOKEN, ALERT_WEBHOOK: hook.url, ...secrets },
  });
  after(async () => {
    hook.stop();
    await t.stop();
  });
  return { t, hook, admin: operator(t) };
}

const ask = (t, isolate = "a", how = {}) => t.rpc("eth_call", [{}, "latest"], { isolate, ...how });
const kinds = (hook, kind) => hook.posts.filter(({ event }) => event === kind);

describe("alerts", { concurrency: true }, () => {
  test("a breaker's move is posted with its own members and a sentence", async () => {
    const { t, hook } = await start();
    for (const isolate of ["a", "b"]) await ask(t, isolate);
    await t.endpoint.first.set(DOWN);
    await t.until(async () => {
      for (const isolate of ["a", "b"]) await ask(t, isolate);
      return (await t.status()).endpoint.first.state === "open";
    });
    await t.until(() => hook.posts.length >= 2);
    const [moved] = kinds(hook, "breaker");
    const { at_ms, text, content, ...rest } = moved;
    assert.deepEqual(rest, {
      event: "breaker",
      route: "local",
      endpoint: "first",
      from: "closed",
      to: "open",
      reason: "server_error",
      region: "weur",
      dropped: 0,
    });
    assert.ok(Math.abs(at_ms - Date.now()) < 30_000);
    assert.equal(text, "Breakwater: local (weur): breaker of first closed → open, server_error");
    assert.equal(content, text);
    const [serving] = kinds(hook, "serving_changed");
    assert.deepEqual([serving.from, serving.to, serving.region], ["first", "second", "weur"]);
    const [request] = hook.requests;
    assert.equal(request.method, "POST");
    assert.equal(request.headers["content-type"], "application/json");
    assert.equal(kinds(hook, "failover").length, 0);
    assert.ok(t.events("failover").length > 0);
  });

  test("isolates' own events arrive with their syncs, the same trouble once", async () => {
    const { t, hook } = await start({
      endpoints: [scripted("first"), scripted("second"), scripted("third")],
      route: {
        endpoints: [
          "first",
          "second",
          { name: "keyed", url: `https://x.example/${secret("NONE")}` },
        ],
      },
      routes: { ROUTE_BAD: { protocol: "evm", chain_id: 0, endpoints: [] } },
    });
    for (const isolate of ["a", "b"]) await ask(t, isolate);
    for (const name of ["first", "second"])
      await t.endpoint[name].set({ mode: "status", status: 401, method: "eth_call" });
    for (const isolate of ["a", "b"]) assert.equal((await ask(t, isolate)).status, 503);
    await t.until(async () => {
      for (const isolate of ["a", "b"]) await t.status("local", { isolate });
      return kinds(hook, "alert").length >= 2 && kinds(hook, "exhausted").length >= 1;
    });
    await sleep(1500);
    for (const isolate of ["a", "b"]) await t.status("local", { isolate });
    const alerts = kinds(hook, "alert").map(({ endpoint }) => endpoint);
    assert.deepEqual(alerts.toSorted(), ["first", "second"], "two isolates, one alert each");
    const [gone] = kinds(hook, "exhausted");
    assert.deepEqual([gone.operation, gone.code], ["eth_call", -32002]);
    assert.match(gone.attempts, /first=unauthorized,second=unauthorized/);
    assert.ok(!gone.text.includes("eth_call"), "a chat does not read what a caller wrote");
    const mistakes = kinds(hook, "config_error").map(({ endpoint, route }) => [route, endpoint]);
    assert.deepEqual(
      mistakes.toSorted(),
      [
        ["bad", null],
        ["local", "keyed"],
      ],
      "each isolate has logged them",
    );
  });

  test("a webhook that fails is told of once and harms nothing", async () => {
    for (const answer of [
      500,
      (req) => req.socket.destroy(),
      (_, res) => res.writeHead(302, { location: "/elsewhere" }).end(),
    ]) {
      const { t, hook, admin } = await start({
        webhook: { answer },
        service: { state: "global" },
      });
      await ask(t);
      for (const name of ["first", "second"]) {
        assert.equal((await admin.order(name, "open")).status, 200);
        await admin.order(name, "close");
      }
      await t.until(() => hook.requests.length >= 3);
      await t.until(() => t.events("alert").length > 0);
      await sleep(300);
      assert.equal(t.events("alert").length, 1);
      assert.match(t.events("alert")[0].message, /ALERT_WEBHOOK did not take an alert/);
      assert.ok(
        hook.requests.every(({ url }) => url !== "/elsewhere"),
        "no redirect is followed",
      );
      assert.equal((await ask(t)).endpoint, "first");
      assert.ok(!t.logs.join("\n").includes("h00k"));
    }
  });

  test("one that hangs holds nobody up", async () => {
    const { t, hook, admin } = await start({
      webhook: { answer: () => {} },
      service: { state: "global" },
    });
    await ask(t);
    const opened = await admin.order("first", "open");
    assert.ok(opened.status === 200 && opened.ms < HOOK_MS, `${opened.ms} ms`);
    await t.until(() => hook.requests.length > 0);
    assert.ok((await t.get("/status/local")).ms < HOOK_MS);
    await t.until(() => t.events("alert").length === 1, 30_000);
  });

  test("its URL is shown nowhere, and a bad one stops nothing", async () => {
    const { t, hook } = await start();
    const bad = await start({ secrets: { ALERT_WEBHOOK: "http://h00k.example.org/s3cret" } });
    for (const each of [t, bad.t]) {
      await ask(each);
      await each.endpoint.first.set(DOWN);
      for (let n = 0; n < 3; n++) await ask(each);
      const authorization = `Bearer ${TOKEN}`;
      for (const path of ["/", "/status", "/health", "/ready", "/admin/routes/local"]) {
        const { headers, text } = await each.get(path, { authorization });
        assert.ok(!/h00k|s3cret/.test([...headers].join() + text), path);
      }
      assert.ok(!/h00k|s3cret/.test(each.logs.join()));
    }
    const { notices } = (await bad.t.get("/health")).body;
    assert.match(notices[0], /^ALERT_WEBHOOK: must be https/);
    assert.equal((await ask(bad.t)).endpoint, "second");
    await t.until(() => hook.posts.length > 0);
  });
});
