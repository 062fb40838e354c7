/**
 * `npm run drill` on a running Worker: what it plays happens, is told, and is over afterwards.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operator, TOKEN } from "../support/admin.mjs";
import { facilitators } from "../support/facilitators.mjs";
import { harness } from "../support/harness.mjs";
import { begin, runScript } from "../support/program.mjs";

const BORN_S = 200;
const ENV = { ADMIN_TOKEN: TOKEN };
/** The times a drill takes are counted in seconds, the machine may be slow. */
const LONG_MS = 60_000;
const ROUTE = {
  ...{ trip_after: 2, cooldown_ms: 500, cooldown_max_ms: 1000, poll_ms: 500 },
  ...{ max_lag_ms: 1000, attempt_timeout_ms: 10_000, total_timeout_ms: 25_000 },
};

const drill = (url, ...args) => runScript("scripts/drill.mjs", [url, ...args], ENV);

describe("npm run drill", { concurrency: 1 }, () => {
  let t;
  before(async () => {
    t = await harness({
      chain: { blockTimeS: 1, bornS: Math.floor(Date.now() / 1000) - BORN_S },
      endpoints: ["alpha", "beta", "gamma"],
      secrets: { ADMIN_TOKEN: TOKEN },
      route: ROUTE,
    });
    await t.chain.rpc("anvil_mine", [BORN_S, 1]);
    await t.rpc("eth_blockNumber");
    await t.until(async () => (await t.status()).endpoint.gamma.chain_id === "ok", LONG_MS);
  });
  after(() => t?.stop());

  async function over() {
    const { endpoint } = await operator(t).status();
    assert.deepEqual(
      Object.values(endpoint).map(({ fault }) => fault),
      [null, null, null],
    );
  }

  test("down: another takes over, the breaker opens, and it comes back", async () => {
    const { code, out, err } = await drill(t.url, "--kinds", "down", "--for", "8", "--json");
    assert.equal(code, 0, err + out);
    const { endpoint, route, drills, amiss } = JSON.parse(out);
    const [one] = drills;
    assert.deepEqual([endpoint, route, amiss], ["alpha", "local", []]);
    assert.deepEqual([one.before, one.errors], ["alpha", {}]);
    assert.ok(one.took_over.includes("beta"));
    assert.ok(one.moved_ms !== null && one.opened_ms !== null && one.back_ms !== null);
    assert.ok(one.reasons.drill > 0 && one.reads >= 5, JSON.stringify(one));
    await over();
  });

  test("slow: as late as it says", async () => {
    const args = ["--kinds", "slow", "--slow-ms", "1200", "--for", "6", "--rate", "4", "--json"];
    const { code, out, err } = await drill(t.url, ...args);
    assert.equal(code, 0, err + out);
    const [one] = JSON.parse(out).drills;
    assert.deepEqual([one.value, one.errors, one.must_move], [1200, {}, false]);
    assert.ok(one.p99_ms.during >= 1195 || one.took_over.length > 0, JSON.stringify(one));
    assert.ok(one.back_ms !== null);
    await over();
  });

  test("stale: reads of the head leave it, its breaker stays", async () => {
    const { code, out, err } = await drill(
      `${t.url}/local`,
      "--kinds",
      "stale",
      "--for",
      "8",
      "--json",
    );
    assert.equal(code, 0, err + out);
    const [one] = JSON.parse(out).drills;
    assert.deepEqual([one.opened_ms, one.errors], [null, {}]);
    assert.ok(one.took_over.includes("beta"));
    await over();
  });

  test("a backup: callers notice nothing, its breaker opens and closes", async () => {
    const args = ["--endpoint", "gamma", "--kinds", "down", "--for", "10", "--json"];
    const { code, out, err } = await drill(t.url, ...args);
    assert.equal(code, 0, err + out);
    const [one] = JSON.parse(out).drills;
    assert.deepEqual([one.before, one.took_over, one.moved_ms], ["alpha", [], null]);
    assert.ok(one.back_ms !== null);
    await over();
  });

  test("a run that is stopped ends the drill", async () => {
    const args = [t.url, "--kinds", "down", "--for", "600", "--endpoint", "alpha"];
    const { child, ended } = begin("scripts/drill.mjs", args, ENV);
    await t.until(async () => (await t.status()).endpoint.alpha.fault !== null, LONG_MS);
    child.kill("SIGINT");
    const { code, err } = await ended;
    assert.equal(code, 130, err);
    assert.match(err, /down: ended, alpha is reset/);
    await over();
  });

  test("with nothing left it is refused; forced, it fails, and is over all the same", async () => {
    for (const name of ["beta", "gamma"]) await operator(t).order(name, "disable");
    await t.until(async () => (await t.status()).endpoint.gamma.state === "disabled", LONG_MS);
    const refused = await drill(t.url, "--kinds", "down", "--for", "5");
    assert.deepEqual([refused.code, refused.out], [2, ""]);
    assert.match(refused.err, /no other endpoint than alpha is fit/);
    await over();
    const failed = await drill(t.url, "--kinds", "down", "--for", "5", "--force", "--json");
    assert.equal(failed.code, 1, failed.err);
    const [one] = JSON.parse(failed.out).drills;
    assert.ok(one.errors["HTTP 503 -32002"] > 0, JSON.stringify(one));
    await over();
    for (const name of ["beta", "gamma"]) await operator(t).order(name, "enable");
  });

  test("what is not asked rightly: exit status 2, nothing begun, no token shown", async () => {
    const wrong = { ADMIN_TOKEN: "wrong-t0ken" };
    for (const [args, says, env] of [
      [[t.url], /refuses this ADMIN_TOKEN/, wrong],
      [[t.url, "--endpoint", "delta"], /no such endpoint; there are alpha, beta, gamma/],
      [[`${t.url}/nowhere`], /no such route; there are local/],
      [[t.url, "--kinds", "up"], /--kinds takes/],
    ]) {
      const { code, err } = await runScript("scripts/drill.mjs", args, env ?? ENV);
      assert.equal(code, 2, err);
      assert.match(err, says);
      assert.ok(!err.includes(TOKEN) && !err.includes("wrong-t0ken"));
    }
    await over();
  });
});

test("facilitators: /supported is asked, nothing is verified or settled", async () => {
  const t = await facilitators({
    route: { trip_after: 2, cooldown_ms: 500, cooldown_max_ms: 1000, poll_ms: 500 },
    more: { secrets: { ADMIN_TOKEN: TOKEN } },
  });
  after(() => t.stop());
  const args = ["--route", "pay", "--kinds", "down", "--for", "6", "--json"];
  const { code, out, err } = await drill(t.url, ...args);
  assert.equal(code, 0, err + out);
  const [one] = JSON.parse(out).drills;
  assert.deepEqual([one.before, one.took_over, one.errors], ["a", ["b"], {}]);
  const asked = Object.values(t.endpoint).flatMap(({ requests }) => requests);
  assert.deepEqual([...new Set(asked.map(({ path }) => path))], ["/supported"]);
});

test("in weighted mode, where callers are spread", async () => {
  const t = await harness({
    chain: { blockTimeS: 1 },
    endpoints: ["alpha", "beta", "gamma"],
    secrets: { ADMIN_TOKEN: TOKEN },
    route: { ...ROUTE, mode: "weighted" },
  });
  after(() => t.stop());
  await t.rpc("eth_blockNumber");
  const { code, out, err } = await drill(t.url, "--kinds", "down", "--for", "8", "--json");
  assert.equal(code, 0, err + out);
  const { endpoint, drills } = JSON.parse(out);
  const [one] = drills;
  assert.ok(one.back_ms !== null, JSON.stringify(one));
  // Callers change places every half minute, so it may have stopped serving this one.
  if (one.before === endpoint) assert.ok(one.took_over.length > 0, JSON.stringify(one));
});

test('with state = "isolate" there is nothing to play, and that is said', async () => {
  const t = await harness({
    chain: false,
    endpoints: ["alpha", "beta"].map((name) => ({ name, script: { eth_blockNumber: "0x64" } })),
    secrets: { ADMIN_TOKEN: TOKEN },
    service: { state: "isolate" },
  });
  after(() => t.stop());
  const { code, err } = await drill(t.url);
  assert.equal(code, 2);
  assert.match(err, /SERVICE\.state is "isolate" there, where orders get HTTP 409/);
});
