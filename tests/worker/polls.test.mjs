/**
 * What the object asks by itself, as endpoints see it.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { printTable } from "../support/table.mjs";

const POLL_MS = 400;
const ROUNDS = 6;
/** Hand-ins come once a second while somebody reads the status. */
const BUSY_MS = 1500;
const BLOCK = { number: "0x60", hash: "0x01" };

let t;
const seen = [];

before(async () => {
  const script = { eth_getBlockByNumber: BLOCK };
  t = await harness({
    chain: false,
    endpoints: ["a", "b", "slow"].map((name) => scripted(name, { script })),
    route: { poll_ms: POLL_MS, trip_after: 1000, endpoints: ["a", "slow"] },
    routes: {
      ROUTE_BUSY: { protocol: "evm", chain_id: 31337, poll_ms: BUSY_MS, endpoints: ["b"] },
    },
  });
});
after(async () => {
  printTable(`Polls in ${ROUNDS} rounds`, ["while", "chain ids", "heads", "finalized"], seen);
  await t?.stop();
});

const METHODS = ["eth_chainId", "eth_blockNumber", "eth_getBlockByNumber"];
const polls = (name) => METHODS.map((method) => t.endpoint[name].hits(method));

/** What an endpoint is asked in so many rounds, clients' calls aside. */
async function rounds(what, name, pollMs, each = () => {}) {
  for (const endpoint of Object.values(t.endpoint)) endpoint.clear();
  const end = Date.now() + ROUNDS * pollMs;
  let calls = 0;
  while (Date.now() < end) {
    calls += (await each()) ?? 0;
    await sleep(POLL_MS / 4);
  }
  const [chain, heads, finalized] = polls(name);
  seen.push([what, chain, heads - calls, finalized]);
  return { chain, heads: heads - calls, finalized };
}

describe("the object", { concurrency: 1 }, () => {
  test("asks a new endpoint for its chain, then for heads and the finalized block", async () => {
    await t.rpc("eth_call", [{}, "latest"]);
    const { endpoint } = await t.until(async () => {
      const status = await t.status();
      return status.endpoint.a.finalized && status;
    });
    assert.deepEqual([endpoint.a.chain_id, endpoint.a.head, endpoint.a.finalized], ["ok", 100, 96]);
    assert.ok(endpoint.a.head_age_ms < 60_000);
    assert.deepEqual(polls("a"), [1, 1, 1]);
  });

  test("asks for heads once a round, for the rest hardly ever", async () => {
    const { chain, heads, finalized } = await rounds("nobody asks", "a", POLL_MS);
    assert.ok(heads >= ROUNDS - 2 && heads <= ROUNDS + 1, `${heads} polls in ${ROUNDS} rounds`);
    assert.deepEqual([chain, finalized], [0, 0]);
  });

  test("is not held up by an endpoint that hangs", async () => {
    await t.endpoint.slow.set("hang");
    const { heads } = await rounds("another hangs", "a", POLL_MS);
    assert.ok(heads >= ROUNDS - 2, `${heads} polls in ${ROUNDS} rounds`);
    assert.ok(t.endpoint.slow.hits() <= 3, "one question at a time");
    await t.endpoint.slow.set("answer");
  });

  test("does not poll heads that clients' answers show", async () => {
    const asks = async (method) => {
      await t.rpc(method, [{}, "latest"], { path: "/busy" });
      await t.status("busy");
    };
    await asks("eth_call");
    const idle = await rounds("clients ask other things", "b", BUSY_MS, () => asks("eth_call"));
    assert.ok(idle.heads >= ROUNDS - 2, `${idle.heads} polls in ${ROUNDS} rounds`);
    const busy = await rounds("clients ask for heads", "b", BUSY_MS, async () => {
      await asks("eth_blockNumber");
      return 1;
    });
    assert.ok(busy.heads <= 1, `${busy.heads} polls in ${ROUNDS} rounds`);
  });
});
