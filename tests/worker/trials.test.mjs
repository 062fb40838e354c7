/**
 * An endpoint that the object cannot probe: an isolate tries it with one read at a time, others keep
 * away until it is well.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const ISOLATES = ["a", "b", "c"];
const COOLDOWN_MS = 400;
/** How long a trial is under way: a second one beside it would be seen. */
const TRIAL_MS = 700;

let t;

before(async () => {
  const only = { methods: { allow: ["eth_call"] } };
  t = await harness({
    chain: false,
    endpoints: [scripted("main"), scripted("mute", only)],
    isolates: 3,
    route: {
      endpoints: ["mute", "main"],
      trip_after: 2,
      cooldown_ms: COOLDOWN_MS,
      cooldown_max_ms: COOLDOWN_MS,
      poll_ms: 200,
    },
  });
});
after(() => t?.stop());

const ask = (isolate) => t.rpc("eth_call", [{}, "latest"], { isolate });
const all = () => Promise.all(ISOLATES.map(ask));
const mute = async () => (await t.status()).endpoint.mute;

describe("an endpoint that cannot be probed", { concurrency: 1 }, () => {
  test("is left by all when it fails", async () => {
    await all();
    await t.endpoint.mute.set("refuse");
    await t.until(async () => {
      await all();
      return (await mute()).state === "open";
    });
    // A status hands in once a second: then every isolate knows.
    await sleep(1000);
    for (const isolate of ISOLATES) await t.status("local", { isolate });
    assert.equal(t.endpoint.mute.hits("eth_blockNumber"), 0);
    assert.equal(t.endpoint.mute.hits("eth_chainId"), 0);
  });

  // A hand-in every 5 s while something is wrong brings the lease.
  test("is tried by one read at a time, after each cooldown, and every caller is answered", async () => {
    t.endpoint.mute.clear();
    await t.endpoint.mute.set({ mode: "status", status: 500, ms: TRIAL_MS });
    const tried = () => t.endpoint.mute.hits("eth_call");
    const began = Date.now();
    await t.until(async () => {
      const answers = await all();
      assert.ok(answers.every(({ status, endpoint }) => status === 200 && endpoint === "main"));
      return Date.now() - began > 8000 && tried() >= 2;
    }, 20_000);
    const most = (Date.now() - began) / (TRIAL_MS + 0.9 * COOLDOWN_MS) + 1;
    assert.ok(tried() <= most, `${tried()} trials`);
    const at = t.endpoint.mute.requests.map((request) => request.at);
    const pauses = at.slice(1).map((moment, i) => moment - at[i]);
    assert.ok(Math.min(...pauses) >= TRIAL_MS + 0.9 * COOLDOWN_MS, `${pauses}`);
  });

  test("is closed by close_after good ones, and used by all", async () => {
    await t.endpoint.mute.set("answer");
    t.endpoint.mute.clear();
    await t.until(async () => {
      await all();
      return (await mute()).state === "closed";
    }, 20_000);
    await t.until(async () => (await all()).every(({ endpoint }) => endpoint === "mute"), 20_000);
    const { transitions } = await t.status();
    assert.deepEqual(
      transitions.slice(0, 2).map(({ to, reason }) => [to, reason]),
      [
        ["closed", "recovered"],
        ["half_open", "cooldown_over"],
      ],
    );
  });
});
