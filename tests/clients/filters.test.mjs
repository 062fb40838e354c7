/**
 * Watching by filters while the endpoint that holds them is lost: viem makes new ones, ethers comes
 * back to the old one or begins anew when asked to.
 */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { JsonRpcProvider } from "ethers";
import { createPublicClient, http, parseAbi, parseAbiItem } from "viem";
import { isPoll } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { deployPings, PING, TOPIC } from "../support/pings.mjs";

const POLL_MS = 50;
const CHANGES = "eth_getFilterChanges";

let t;
let pings;

beforeEach(async () => {
  t = await harness({
    endpoints: ["first", "second"],
    route: { trip_after: 2, cooldown_ms: 300, cooldown_max_ms: 300, attempt_timeout_ms: 2000 },
  });
  pings = await deployPings(t.chain);
});
afterEach(() => t?.stop());

/** Waits for a poll that begins after now, so that what comes then is not before the filter. */
async function polled(endpoint) {
  const before = endpoint.hits(CHANGES);
  await t.until(() => endpoint.hits(CHANGES) > before + 1);
}

/** Makes events and waits until the client has seen all so far, each once and in order. */
async function pinged(seen, expected, ...numbers) {
  for (const n of numbers) expected.push([n, await pings.ping(n)]);
  await t.until(() => seen.length >= expected.length);
  assert.deepEqual(seen, expected);
}

/** Waits until region and isolate use the first endpoint again. */
const healed = () =>
  t.until(async () => {
    const { state, local_state } = (await t.status()).endpoint.first;
    return state === "closed" && local_state === "closed";
  });

describe("viem's", () => {
  const client = () =>
    createPublicClient({
      transport: http(t.url, { retryCount: 0 }),
      pollingInterval: POLL_MS,
      cacheTime: 0,
    });
  const seenLog = ({ args, transactionHash }) => [Number(args.n), transactionHash];

  /** Its `watchPendingTransactions` never makes a second filter, wherever the first one is lost. */
  const watches = {
    watchEvent: (viem, take, onError) =>
      viem.watchEvent({
        address: pings.address,
        event: parseAbiItem(PING),
        onLogs: (logs) => take(logs.map(seenLog)),
        onError,
      }),
    watchContractEvent: (viem, take, onError) =>
      viem.watchContractEvent({
        address: pings.address,
        abi: parseAbi([PING]),
        eventName: "Ping",
        onLogs: (logs) => take(logs.map(seenLog)),
        onError,
      }),
  };

  for (const [name, watch] of Object.entries(watches)) {
    for (const fault of ["refuse", "hang"]) {
      test(`${name} goes on when the endpoint of its filter does this: ${fault}`, async (context) => {
        const { first, second } = t.endpoint;
        const [seen, expected, errors] = [[], [], []];
        const unwatch = watch(
          client(),
          (logs) => seen.push(...logs),
          (error) => errors.push(error),
        );
        context.after(unwatch);
        await polled(first);
        await pinged(seen, expected, 1, 2);
        assert.ok(second.requests.every(isPoll));

        await first.set(fault);
        await polled(second);
        await pinged(seen, expected, 3, 4);
        assert.ok(errors.length > 0);
        assert.deepEqual(
          [...new Set(errors.map(({ code, details }) => `${code} ${details}`))],
          ["-32000 filter not found"],
        );

        await first.set("answer");
        await healed();
        first.clear();
        await pinged(seen, expected, 5);
        assert.equal(first.hits(CHANGES), 0, "the filter stays where it is");
        unwatch();
        await t.until(() => second.hits("eth_uninstallFilter") === 1);
      });
    }
  }

  test("block filter is made anew", async () => {
    const { first, second } = t.endpoint;
    const viem = client();
    const changes = (filter) => viem.getFilterChanges({ filter });
    const lost = await viem.createBlockFilter();
    await pings.ping(1);
    assert.equal((await changes(lost)).length, 1);
    await first.set("refuse");
    await assert.rejects(changes(lost), {
      name: "InvalidInputRpcError",
      details: "filter not found",
    });
    const filter = await viem.createBlockFilter();
    await pings.ping(2);
    await pings.ping(3);
    assert.equal((await changes(filter)).length, 2);
    assert.ok(second.hits(CHANGES) > 0);
    assert.equal(await viem.uninstallFilter({ filter: lost }), false);
    assert.equal(await viem.uninstallFilter({ filter }), true);
  });
});

describe("ethers", () => {
  let provider;
  const quiet = () => mock.method(console, "log", () => {});
  afterEach(() => provider?.destroy());

  /** @param {object} [options] of the provider */
  const watch = async (options) => {
    const network = { staticNetwork: true, cacheTimeout: -1, batchMaxCount: 1, ...options };
    provider = new JsonRpcProvider(t.url, t.chain.chainId, network);
    provider.pollingInterval = POLL_MS;
    const seen = [];
    const filter = { address: pings.address, topics: [TOPIC] };
    const take = ({ data, transactionHash }) => seen.push([Number(data), transactionHash]);
    await provider.on(filter, take);
    return { seen, filter, take };
  };

  /**
   * ethers asks after its filter when it sees a new block, and then looks for blocks afresh: none
   * before its next look is new to it.
   */
  const settled = async () => {
    const { first, second } = t.endpoint;
    const looks = () => first.hits("eth_blockNumber") + second.hits("eth_blockNumber");
    const before = looks();
    await t.until(() => looks() > before + 1);
  };
  const begun = async (endpoint) => {
    await t.until(() => endpoint.hits(CHANGES) > 0);
    await settled();
  };

  test("finds all events of an outage in its filter when the endpoint is back", async () => {
    const { first } = t.endpoint;
    const expected = [];
    const { seen } = await watch();
    await begun(first);
    await pinged(seen, expected, 1, 2);
    const log = quiet();
    await first.set("refuse");
    await settled();
    expected.push([3, await pings.ping(3)]);
    await t.until(() => log.mock.callCount() > 0);
    assert.match(String(log.mock.calls[0].arguments[1]), /filter not found/);
    log.mock.restore();
    await first.set("answer");
    await healed();
    await settled();
    await pinged(seen, expected, 4);
  });

  test("begins anew when its listener is taken off and on", async () => {
    const { first, second } = t.endpoint;
    const expected = [];
    const { seen, filter, take } = await watch();
    await begun(first);
    await pinged(seen, expected, 1);
    await first.set("refuse");
    await provider.off(filter, take);
    await provider.on(filter, take);
    await begun(second);
    await pinged(seen, expected, 2, 3);
  });

  test("with polling: true keeps no filter and goes on by itself", async () => {
    const { first, second } = t.endpoint;
    const expected = [];
    const { seen } = await watch({ polling: true });
    await t.until(() => first.hits("eth_blockNumber") > 1);
    await pinged(seen, expected, 1);
    await first.set("refuse");
    // Two blocks at once would give it the first one's events twice.
    await pinged(seen, expected, 2);
    await pinged(seen, expected, 3);
    assert.ok(second.hits("eth_getLogs") > 0);
    assert.equal(first.hits("eth_newFilter"), 0);
  });
});
