/**
 * Raw transactions against a real chain: the same bytes may go to the next endpoint, the client
 * hears what became of them, and nothing is ever carried out twice.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { harness } from "../support/harness.mjs";
import { Signer } from "../support/signing.mjs";

const ATTEMPT_MS = 2000;
const FORWARD = { forward: true };
const RAW = "eth_sendRawTransaction";

let t;
let accounts = 0;
const signer = () => new Signer(t.chain, accounts++);

/** Endpoints `<name>-a` and `<name>-b` in front of the chain for each route. */
const ROUTES = {
  well: {},
  reset: {},
  error: {},
  slow: {},
  cut: {},
  refused: {},
  limited: {},
  wrong: {},
  low: {},
  stranger: {},
  lost: {},
  gone: {},
  unfunded: {},
  once: { send: "once" },
  node: { methods: { allow: ["eth_sendTransaction"] } },
};

before(async () => {
  const base = {
    protocol: "evm",
    chain_id: 31337,
    attempt_timeout_ms: ATTEMPT_MS,
    trip_after: 1000,
  };
  const pair = (name) => [`${name}-a`, `${name}-b`];
  t = await harness({
    chain: { accounts: 40 },
    endpoints: Object.keys(ROUTES).flatMap(pair),
    service: { state: "isolate" },
    route: { endpoints: ["well-a"] },
    routes: Object.fromEntries(
      Object.entries(ROUTES).map(([name, more]) => [
        `ROUTE_${name.toUpperCase()}`,
        { ...base, endpoints: pair(name), ...more },
      ]),
    ),
  });
});

after(() => t?.stop());

const ends = (name) => [t.endpoint[`${name}-a`], t.endpoint[`${name}-b`]];
const send = (name, raw, how) => t.rpc(RAW, [raw], { path: `/${name}`, ...how });
const mined = (hash) => t.chain.rpc("eth_getTransactionReceipt", [hash]);

/** Asserts that the client was told the hash, and that the chain has that and nothing else. */
async function landed(answer, wallet, { hash }, count = 1) {
  assert.deepEqual([answer.status, answer.result], [200, hash], answer.text);
  await t.until(() => mined(hash));
  assert.equal(await wallet.mined(), count);
}

describe("a raw transaction", { concurrency: 4 }, () => {
  test("goes to one endpoint when all is well", async () => {
    const [a, b] = ends("well");
    const wallet = signer();
    const tx = await wallet.sign();
    await landed(await send("well", tx.raw), wallet, tx);
    assert.deepEqual([a.hits(RAW), b.hits()], [1, 0]);
  });

  for (const [name, what, fault] of [
    ["reset", "its answer lost on the way", { mode: "reset", when: "after", ...FORWARD }],
    ["error", "a 502 in place of its answer", { mode: "status", status: 502, ...FORWARD }],
    ["slow", "its answer too late", { mode: "slow", ms: 3 * ATTEMPT_MS, ...FORWARD }],
    ["cut", "half an answer", "cut"],
  ]) {
    test(`that was mined, ${what}: found by its hash`, async () => {
      const [a, b] = ends(name);
      const wallet = signer();
      const tx = await wallet.sign();
      await a.set(fault);
      const answer = await send(name, tx.raw);
      await landed(answer, wallet, tx);
      assert.deepEqual([a.hits(RAW), b.hits(RAW)], [1, 1]);
      assert.equal(b.hits("eth_getTransactionByHash"), 1);
      assert.equal(JSON.parse(b.requests[0].body).params[0], tx.raw, "the same bytes");
    });
  }

  for (const [name, fault] of [
    ["refused", "refuse"],
    ["limited", "rate_limit"],
  ]) {
    test(`that was ${name}: the next endpoint takes it`, async () => {
      const [a, b] = ends(name);
      const wallet = signer();
      const tx = await wallet.sign();
      await a.set(fault);
      await landed(await send(name, tx.raw), wallet, tx);
      assert.deepEqual([b.hits(RAW), b.hits("eth_getTransactionByHash")], [1, 0]);
    });
  }

  test("answered by another hash: that is no answer", async () => {
    const [a] = ends("wrong");
    const wallet = signer();
    const tx = await wallet.sign();
    a.script[RAW] = `0x${"00".repeat(32)}`;
    const answer = await send("wrong", tx.raw);
    assert.equal(answer.reason, "wrong-a=wrong_result");
    await landed(answer, wallet, tx);
  });

  test("whose nonce is used: the chain's own words, asked once", async () => {
    const [a, b] = ends("low");
    const wallet = signer();
    const first = await wallet.sign();
    await landed(await send("low", first.raw), wallet, first);
    const { error, endpoint } = await send("low", (await wallet.sign({ nonce: 0, value: 2n })).raw);
    assert.match(error.message, /nonce too low/i);
    assert.deepEqual([endpoint, a.hits(), b.hits()], [a.name, 2, 0]);
  });

  test("whose nonce another has used, after an unknown outcome: not taken for its own", async () => {
    const [a, b] = ends("stranger");
    const wallet = signer();
    const other = await wallet.sign({ value: 7n });
    await t.chain.rpc(RAW, [other.raw]);
    await a.set("hang");
    const mine = await wallet.sign({ nonce: 0, value: 8n });
    const { error, result } = await send("stranger", mine.raw);
    assert.match(error.message, /nonce too low/i);
    assert.equal(result, undefined);
    assert.equal(b.hits("eth_getTransactionByHash"), 1);
    assert.deepEqual([await mined(mine.hash), await wallet.mined()], [null, 1]);
  });

  test("that the sender cannot pay: said once, by the first", async () => {
    const [a, b] = ends("unfunded");
    const tx = await signer().sign({ value: 10n ** 30n });
    const { error, status } = await send("unfunded", tx.raw);
    assert.equal(status, 200);
    assert.match(error.message, /insufficient funds/i);
    assert.deepEqual([a.hits(), b.hits()], [1, 0]);
  });

  test("that nobody answered for: 504, outcome unknown", async () => {
    const [a, b] = ends("lost");
    const wallet = signer();
    const tx = await wallet.sign();
    await a.set({ mode: "reset", when: "after", ...FORWARD });
    await b.set({ mode: "empty", ...FORWARD });
    const { status, error } = await send("lost", tx.raw);
    assert.deepEqual([status, error.code, error.data.outcome], [504, -32002, "unknown"]);
    assert.deepEqual(
      error.data.attempts.map(({ endpoint }) => endpoint),
      [a.name, b.name],
    );
    await t.until(() => mined(tx.hash));
    assert.equal(await wallet.mined(), 1);
  });

  test("goes on to its end when the client has gone", async () => {
    const [a, b] = ends("gone");
    const wallet = signer();
    const tx = await wallet.sign();
    await a.set("hang");
    const gone = send("gone", tx.raw, { signal: AbortSignal.timeout(ATTEMPT_MS / 4) });
    await assert.rejects(gone, { name: "TimeoutError" });
    assert.equal(b.hits(), 0);
    await t.until(() => mined(tx.hash));
    assert.equal(b.hits(RAW), 1);
  });
});

describe("send = once", () => {
  for (const [what, fault, status] of [
    ["an answer lost", { mode: "reset", when: "after" }, 504],
    ["no answer", "hang", 504],
    ["a 500", { mode: "status", status: 500 }, 504],
    ["a rate limit", { mode: "rate_limit", retry_after: 0 }, 429],
  ]) {
    test(`${what}: never a second endpoint`, async () => {
      const [a, b] = ends("once");
      const { raw } = await signer().sign();
      await a.set(fault);
      const answer = await send("once", raw);
      assert.deepEqual([answer.status, answer.attempts], [status, 1], answer.text);
      assert.equal(b.hits(), 0);
    });
  }
});

describe("a send that a node signs", () => {
  const transfer = (wallet) => [{ from: wallet.address, to: wallet.address, value: "0x1" }];
  const ask = (wallet) => t.rpc("eth_sendTransaction", transfer(wallet), { path: "/node" });

  test("is carried out once", async () => {
    const wallet = signer();
    const { result } = await ask(wallet);
    assert.ok(await t.until(() => mined(result)));
    assert.equal(await wallet.mined(), 1);
  });

  for (const [what, fault] of [
    ["its answer lost", { mode: "reset", when: "after", ...FORWARD }],
    ["a 503", { mode: "status", status: 503, ...FORWARD }],
    ["an answer that breaks off", "cut"],
    ["no answer", { mode: "hang", ...FORWARD }],
    ["a page", { mode: "html", ...FORWARD }],
  ]) {
    test(`${what}: unknown, and asked of nobody else`, async () => {
      const [a, b] = ends("node");
      const wallet = signer();
      await a.set(fault);
      const { status, error, attempts } = await ask(wallet);
      assert.deepEqual([status, error.code, error.data.outcome], [200, -32002, "unknown"]);
      assert.deepEqual([attempts, b.hits()], [1, 0]);
      await t.until(async () => (await wallet.mined()) === 1);
    });
  }

  for (const [what, fault, expected] of [
    ["a rate limit", { mode: "rate_limit", retry_after: 0 }, [429, -32005]],
    ["a refusal", { mode: "rpc_error", code: -32601, message: "no such method" }, [200, -32601]],
  ]) {
    test(`${what}: told, and asked of nobody else`, async () => {
      const [a, b] = ends("node");
      await a.set(fault);
      await t.until(
        async () => (await t.status("node")).endpoint[a.name].throttled_until_ms === null,
      );
      const { status, error } = await ask(signer());
      assert.deepEqual([status, error.code], expected);
      assert.equal(b.hits(), 0);
    });
  }
});
