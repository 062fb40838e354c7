/** Heads that clients are given do not go back: over a failover, between isolates, in batches. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { call, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { quantity } from "../support/heads.mjs";

const HEAD = "eth_blockNumber";

let t;
/** Heads by endpoint. */
const heads = {};

const endpoint = (name) =>
  scripted(name, {
    script: {
      eth_blockNumber: () => quantity(heads[name]),
      eth_getBlockByNumber: ([block]) => ({
        number: block === "latest" ? quantity(heads[name]) : block,
      }),
      eth_getLogs: [],
    },
  });

before(async () => {
  set({ a: 100, b: 100, c: 100 });
  const base = { protocol: "evm", chain_id: 31337, poll_ms: 100, trip_after: 1000 };
  t = await harness({
    chain: false,
    endpoints: [..."abc"].map(endpoint),
    isolates: 2,
    route: base,
    routes: {
      ROUTE_OFF: { ...base, endpoints: ["a", "b"], monotonic_head: false },
      ROUTE_OLD: { ...base, endpoints: ["a", { ...archive("b") }] },
    },
  });
  await synced();
});
after(() => t?.stop());

function archive(name) {
  return {
    name: `${name}-archive`,
    url: "http://127.0.0.1:1",
    archive: true,
  };
}

function set(wanted) {
  Object.assign(heads, wanted);
}

const head = async (isolate = "a", path = "/") => {
  const { result, endpoint } = await t.rpc(HEAD, [], { isolate, path });
  return [Number(result), endpoint];
};

/** Waits until the object has the heads as they are now, and both isolates have talked to it. */
async function synced() {
  await t.until(async () => {
    await t.rpc("eth_call", [{}, "0x1"]);
    const { endpoint } = await t.status();
    return Object.entries(heads).every(([name, number]) => endpoint[name].head === number);
  });
  // A status hands in once a second.
  await sleep(1000);
  for (const isolate of ["a", "b"]) await t.status("local", { isolate });
}

describe("heads", { concurrency: 1 }, () => {
  afterEach(() => t.heal());

  test("do not go back when a leading endpoint fails", async () => {
    set({ a: 104, b: 103, c: 103 });
    await synced();
    assert.deepEqual(await head(), [104, "a"]);
    await t.endpoint.a.set("refuse");
    for (let i = 0; i < 5; i++) assert.equal((await head())[0], 104);
    const { endpoint, result, text, headers } = await t.rpc(HEAD, [], { id: "an id" });
    assert.match(endpoint, /b|c/);
    assert.equal(result, "0x68");
    assert.equal(text, '{"jsonrpc":"2.0","id":"an id","result":"0x68"}');
    assert.match(headers.get("content-type"), /^application\/json/);
    set({ b: 106, c: 106 });
    assert.equal((await head())[0], 106);
    await t.endpoint.a.set("answer");
  });

  test("nor in a batch", async () => {
    set({ a: 104 });
    const { body } = await t.post("/", [call(HEAD, [], 1), call("eth_call", [], 2)]);
    assert.deepEqual(
      body.map(({ id }) => id),
      [1, 2],
    );
    assert.equal(body[0].result, "0x6a");
  });

  test("nor from isolate to isolate, once they have synced", async () => {
    set({ a: 108, b: 108, c: 108 });
    await synced();
    assert.equal((await head("a"))[0], 108);
    set({ a: 105, b: 105, c: 105 });
    await t.until(async () => {
      await t.status("local", { isolate: "a" });
      await t.status("local", { isolate: "b" });
      return (await head("b"))[0] === 108;
    });
    set({ a: 109, b: 109, c: 109 });
    assert.equal((await head("b"))[0], 109);
  });

  test("a block that a client saw counts as one it was given", async () => {
    set({ a: 111, b: 111, c: 111 });
    await synced();
    const { result } = await t.rpc("eth_getBlockByNumber", ["latest", false]);
    assert.equal(result.number, quantity(111));
    set({ a: 110, b: 110, c: 110 });
    assert.equal((await head())[0], 111);
  });

  test("reads at that height go to who has it", async () => {
    set({ a: 111, b: 160, c: 160 });
    await synced();
    await t.endpoint.a.set({ mode: "status", status: 400, method: HEAD, times: 1 });
    assert.deepEqual(await head(), [160, "b"]);
    const by = async (method, params) => (await t.rpc(method, params)).endpoint;
    assert.equal(await by("eth_call", [{}, "latest"]), "b");
    assert.equal(await by("eth_getBlockByNumber", [quantity(155), false]), "b");
    assert.equal(await by("eth_getBlockByNumber", [quantity(100), false]), "a");
    set({ a: 160 });
    await synced();
    assert.equal(await by("eth_call", [{}, "latest"]), "a");
    const { endpoint } = await t.status();
    assert.deepEqual([endpoint.a.state, endpoint.a.trips_total], ["closed", 0]);
  });

  test("one endpoint far ahead is no mark, and empties no choice", async () => {
    set({ a: 161, b: 161, c: 10_161 });
    await synced();
    await t.endpoint.a.set("refuse");
    await t.endpoint.b.set("refuse");
    assert.deepEqual(await head(), [10_161, "c"], "its bytes pass");
    await t.endpoint.a.set("answer");
    await t.endpoint.b.set("answer");
    await synced();
    for (const isolate of ["a", "b"]) assert.deepEqual(await head(isolate), [161, "a"]);
    assert.equal((await t.rpc("eth_call", [{}, "latest"])).endpoint, "a");
    const { endpoint } = await t.status();
    assert.deepEqual([endpoint.a.lag_blocks, endpoint.b.lag_blocks], [0, 0]);
  });

  test("with monotonic_head = false they are what the endpoint says", async () => {
    set({ a: 170, b: 165 });
    assert.deepEqual(await head("a", "/off"), [170, "a"]);
    await t.endpoint.a.set("refuse");
    assert.deepEqual(await head("a", "/off"), [165, "b"]);
    await t.endpoint.a.set("answer");
  });
});

describe("an archive", () => {
  test("is asked first for what is far below the head", async () => {
    const ask = (method, params) => t.rpc(method, params, { path: "/old" });
    set({ a: 1000, b: 1000, c: 1000 });
    await ask(HEAD, []);
    const old = await ask("eth_getBlockByNumber", ["0x1", false]);
    assert.deepEqual([old.endpoint, old.reason], ["a", "b-archive=network"]);
    assert.equal((await ask("eth_getBlockByNumber", [quantity(900), false])).attempts, 1);
    assert.equal((await ask("eth_call", [{}, "latest"])).attempts, 1);
  });
});
