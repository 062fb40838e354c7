/**
 * `send = "broadcast"`: all at once, the first acceptance answers, the others go on to their end.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { call } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { Signer } from "../support/signing.mjs";

const RAW = "eth_sendRawTransaction";
const SLOW_MS = 3000;

let t;
let accounts = 0;
const signer = () => new Signer(t.chain, accounts++);

before(async () => {
  const base = { protocol: "evm", chain_id: 31337, send: "broadcast", trip_after: 1000 };
  t = await harness({
    chain: { accounts: 20 },
    endpoints: ["a", "b", "c", { name: "p", private: true }, { name: "q", private: true }],
    service: { state: "isolate" },
    route: { ...base, endpoints: ["a", "b", "c"] },
    routes: {
      ROUTE_HIDDEN: { ...base, endpoints: ["a", "p", "q"] },
      ROUTE_BUDGET: { ...base, endpoints: ["a", "b", "c"], max_subrequests: 2 },
    },
  });
});

after(() => t?.stop());
afterEach(async () => {
  await t.heal();
  await t.worker.restart();
});

const hits = (...names) => names.map((name) => t.endpoint[name].hits(RAW));

describe("a broadcast", () => {
  test("reaches all and is answered by the first that accepts", async () => {
    await t.endpoint.a.set({ mode: "slow", ms: SLOW_MS });
    await t.endpoint.b.set({ mode: "slow", ms: SLOW_MS });
    const { raw, hash } = await signer().sign();
    const { result, endpoint, ms } = await t.rpc(RAW, [raw]);
    assert.deepEqual([result, endpoint], [hash, "c"]);
    assert.ok(ms < SLOW_MS, `${ms} ms`);
    assert.deepEqual(hits("a", "b", "c"), [1, 1, 1]);
  });

  test("lets the others go on to their end, and counts what they show", async () => {
    await t.endpoint.a.set({ mode: "slow", ms: SLOW_MS });
    await t.endpoint.b.set({ mode: "status", status: 502, ms: SLOW_MS });
    const { raw } = await signer().sign();
    await t.rpc(RAW, [raw]);
    const { a } = await t.until(async () => {
      const { endpoint } = await t.status();
      return endpoint.b.failures === 1 && endpoint.a.requests === 1 && endpoint;
    }, 3 * SLOW_MS);
    assert.equal(a.failures, 0);
    assert.equal(t.endpoint.a.requests[0].abandoned, false);
  });

  test("goes to private endpoints only where there are any", async () => {
    const { raw, hash } = await signer().sign();
    const { result } = await t.rpc(RAW, [raw], { path: "/hidden" });
    assert.equal(result, hash);
    await t.until(() => t.endpoint.p.hits(RAW) + t.endpoint.q.hits(RAW) === 2);
    assert.equal(t.endpoint.a.hits(), 0);
  });

  test("within a batch travels as one batch per endpoint, in the order of its nonces", async () => {
    const wallet = signer();
    const txs = [await wallet.sign({ nonce: 0 }), await wallet.sign({ nonce: 1 })];
    await t.endpoint.b.set("hang");
    const calls = [
      ...txs.map(({ raw }, id) => call(RAW, [raw], id)),
      call("eth_blockNumber", [], 9),
    ];
    const { body } = await t.post("/", calls);
    const byHash = body.slice(0, 2).map(({ result }) => result);
    assert.deepEqual(
      byHash,
      txs.map(({ hash }) => hash),
    );
    assert.ok(body[2].result);
    assert.deepEqual(hits("a", "b", "c"), [2, 2, 2]);
    const sent = t.endpoint.c.requests.find(({ methods }) => methods.includes(RAW));
    assert.deepEqual(
      JSON.parse(sent.body).map(({ params }) => params[0]),
      txs.map(({ raw }) => raw),
    );
    await t.until(async () => (await wallet.mined()) === 2);
  });

  test("beyond the budget is heard as far as it went", async () => {
    const { raw, hash } = await signer().sign();
    const { result } = await t.rpc(RAW, [raw], { path: "/budget" });
    assert.equal(result, hash);
    assert.equal(t.endpoint.c.hits(), 0);
  });
});
