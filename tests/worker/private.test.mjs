/**
 * Private endpoints: raw transactions go to nobody else, whatever happens; reads go as ever. The
 * chain mines only when told, so transactions wait in its pool.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { harness } from "../support/harness.mjs";
import { Signer } from "../support/signing.mjs";

const RAW = "eth_sendRawTransaction";
const LOST = { mode: "reset", when: "after", forward: true };
const MINE_S = 3600;

let t;
let accounts = 0;
const signer = () => new Signer(t.chain, accounts++);

before(async () => {
  const base = { protocol: "evm", chain_id: 31337, attempt_timeout_ms: 2000, trip_after: 1000 };
  t = await harness({
    chain: { blockTimeS: MINE_S, accounts: 40 },
    endpoints: ["public", { name: "p", private: true }, { name: "q", private: true }],
    service: { state: "isolate" },
    route: base,
    routes: {
      ROUTE_ONCE: { ...base, endpoints: ["public", "p", "q"], send: "once" },
      ROUTE_LENIENT: { ...base, endpoints: ["public", "p"], rpc_errors: "lenient" },
      ROUTE_TRIPS: { ...base, endpoints: ["public", "p", "q"], trip_after: 1, cooldown_ms: 60_000 },
    },
  });
});

after(() => t?.stop());
afterEach(async () => {
  await t.heal();
  await t.worker.restart();
});

const hits = (method) => ["public", "p", "q"].map((name) => t.endpoint[name].hits(method));
const send = (raw, path = "/") => t.rpc(RAW, [raw], { path });
const inPool = (hash) => t.chain.rpc("eth_getTransactionByHash", [hash]);

describe("a raw transaction", () => {
  test("goes to the first private endpoint", async () => {
    const { raw, hash } = await signer().sign();
    const { result, endpoint } = await send(raw);
    assert.deepEqual([result, endpoint], [hash, "p"]);
    assert.deepEqual(hits(RAW), [0, 1, 0]);
    assert.equal((await inPool(hash)).hash, hash);
  });

  test("goes to the next private one when the first fails; already known is success", async () => {
    const { raw, hash } = await signer().sign();
    await t.endpoint.p.set(LOST);
    const { result, endpoint, reason } = await send(raw);
    assert.deepEqual([result, endpoint, reason], [hash, "q", "p=network"]);
    assert.deepEqual(hits(RAW), [0, 1, 1]);
    await t.chain.rpc("evm_mine");
    assert.equal((await t.chain.rpc("eth_getTransactionReceipt", [hash])).status, "0x1");
  });

  test("already known from the first attempt is success as well", async () => {
    const { raw, hash } = await signer().sign();
    assert.equal((await send(raw)).result, hash);
    const again = await send(raw);
    assert.deepEqual([again.result, again.error], [hash, undefined]);
  });

  for (const [what, fault] of [
    ["refuse it", "refuse"],
    ["throttle", { mode: "rate_limit", retry_after: 30 }],
    ["never answer", "hang"],
    ["are not authorised", { mode: "status", status: 401 }],
    ["do not know the method", { mode: "rpc_error", code: -32601, message: "no such method" }],
    ["answer 500", { mode: "status", status: 500 }],
  ]) {
    test(`is not shown to the public when all private ones ${what}`, async () => {
      for (const name of ["p", "q"]) await t.endpoint[name].set(fault);
      for (let i = 0; i < 2; i++) {
        const { error } = await send((await signer().sign()).raw);
        assert.ok(error, "an error");
      }
      assert.deepEqual([t.endpoint.public.hits(), hits(RAW)[0]], [0, 0]);
    });
  }

  test("nor when their breakers are open", async () => {
    for (const name of ["p", "q"]) await t.endpoint[name].set({ mode: "status", status: 500 });
    for (let i = 0; i < 3; i++) await send((await signer().sign()).raw, "/trips");
    const { endpoint } = await t.status("trips");
    assert.deepEqual([endpoint.p.state, endpoint.q.state], ["open", "open"]);
    assert.equal(t.endpoint.public.hits(), 0);
  });

  test("nor with send = once, nor with rpc_errors = lenient", async () => {
    await t.endpoint.p.set({ mode: "status", status: 500 });
    const once = await send((await signer().sign()).raw, "/once");
    assert.deepEqual([once.status, hits(RAW)], [504, [0, 1, 0]]);
    await t.endpoint.p.set({ mode: "rpc_error", code: -32000, message: "rejected by our rules" });
    const lenient = await send((await signer().sign()).raw, "/lenient");
    assert.deepEqual([lenient.result, hits(RAW)], [undefined, [0, 2, 0]]);
  });

  test("nor in a batch, whose reads go as ever", async () => {
    const { raw, hash } = await signer().sign();
    const { body } = await t.post("/", [
      { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] },
      { jsonrpc: "2.0", id: 2, method: RAW, params: [raw] },
    ]);
    assert.equal(body[1].result, hash);
    assert.deepEqual(hits(RAW), [0, 1, 0]);
    assert.deepEqual(hits("eth_blockNumber"), [1, 0, 0]);
  });
});

test("reads use every endpoint in order, private ones too", async () => {
  assert.equal((await t.rpc("eth_blockNumber")).endpoint, "public");
  await t.endpoint.public.set("refuse");
  assert.equal((await t.rpc("eth_blockNumber")).endpoint, "p");
});

test("the look-up of its hash stays private", async () => {
  const wallet = signer();
  const tx = await wallet.sign();
  await t.chain.rpc(RAW, [tx.raw]);
  await t.chain.rpc("evm_mine");
  await t.endpoint.p.set(LOST);
  const { result } = await send(tx.raw);
  assert.equal(result, tx.hash);
  assert.equal(t.endpoint.public.hits(), 0);
  assert.equal(await wallet.mined(), 1);
});
