/**
 * Which methods are served, where they may go, and which need no endpoint.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { call, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

let t;

before(async () => {
  const base = { protocol: "evm", chain_id: 31337 };
  const limited = scripted("limited", {
    script: { eth_getLogs: [] },
    methods: { allow: ["eth_getLogs", "net_*"] },
  });
  const picky = scripted("picky", { methods: { deny: ["eth_getLogs", "trace_*"] } });
  t = await harness({
    chain: false,
    endpoints: [scripted("a"), scripted("b"), limited, picky, scripted("dead")],
    service: { state: "isolate" },
    route: { endpoints: ["a"] },
    routes: {
      ROUTE_MORE: {
        ...base,
        endpoints: ["a"],
        methods: {
          allow: ["debug_traceCall", "trace_*", "eth_getLogs"],
          deny: ["eth_getLogs", "trace_filter"],
        },
      },
      ROUTE_BOTH: {
        ...base,
        endpoints: ["limited", "picky", "b"],
        methods: { allow: ["trace_*"] },
      },
      ROUTE_NOBODY: { ...base, endpoints: ["limited"] },
      ROUTE_DEAD: { ...base, chain_id: 1, network_id: 5, endpoints: ["dead"] },
    },
  });
  await t.endpoint.dead.set("refuse");
});

after(() => t?.stop());
afterEach(() => {
  for (const endpoint of Object.values(t.endpoint)) endpoint.clear();
});

/** Whether a method is refused by the route itself: the endpoints here say -32601 in other words. */
async function refused(method, path = "/") {
  const { error, status, endpoint } = await t.rpc(method, [], { path });
  if (error?.code !== -32601 || endpoint) return false;
  assert.equal(status, 200);
  assert.equal(t.endpoint.a.hits(method), 0);
  return true;
}

describe("by default", () => {
  for (const method of [
    ...["eth_call", "eth_getLogs", "eth_sendRawTransaction", "eth_newFilter", "eth_simulateV1"],
    ...["eth_somethingNew", "net_peerCount", "web3_clientVersion"],
  ]) {
    test(`${method} is served`, async () => {
      assert.equal(await refused(method), false);
      assert.equal(t.endpoint.a.hits(method), 1);
    });
  }

  for (const method of [
    ...["eth_sign", "eth_signTransaction", "eth_signTypedData_v4", "eth_sendTransaction"],
    ...["eth_coinbase", "eth_mining", "eth_hashrate", "eth_getWork", "eth_submitWork"],
    ...["debug_traceTransaction", "trace_block", "txpool_content", "admin_peers", "evm_mine"],
    ...["engine_newPayloadV4", "personal_sign", "miner_start", "anvil_setBalance", "hardhat_reset"],
    ...["ots_getApiLevel", "eth", "ETH_call", "eth_sign ", "", "rpc.discover", "constructor"],
  ]) {
    test(`${JSON.stringify(method)} is not`, async () => assert.ok(await refused(method)));
  }

  test("a name of up to 128 bytes is served, a longer one is not", async () => {
    assert.equal(await refused(`eth_${"x".repeat(124)}`), false);
    assert.ok(await refused(`eth_${"x".repeat(125)}`));
  });

  test("an escaped name is the name it spells", async () => {
    const { error } = await t.post(
      "/",
      '{"jsonrpc":"2.0","id":1,"method":"debug\\u005ftraceCall"}',
    );
    assert.equal(error.code, -32601);
    assert.equal(t.endpoint.a.hits(), 0);
  });
});

describe("a route's lists", () => {
  for (const [method, isRefused] of [
    ...[
      ["debug_traceCall", false],
      ["trace_block", false],
      ["eth_call", false],
    ],
    ...[
      ["eth_getLogs", true],
      ["trace_filter", true],
      ["debug_traceBlock", true],
    ],
  ]) {
    test(`${method} is ${isRefused ? "refused" : "served"}`, async () => {
      assert.equal(await refused(method, "/more"), isRefused);
    });
  }
});

describe("an endpoint's lists", () => {
  const asked = async (method, path = "/both") => {
    await t.rpc(method, [], { path });
    return Object.values(t.endpoint)
      .filter((e) => e.hits())
      .map(({ name }) => name);
  };

  test("allow limits what is sent there", async () => {
    assert.deepEqual(await asked("eth_call"), ["picky"]);
  });

  test("and lets through what it names", async () => {
    assert.deepEqual(await asked("eth_getLogs"), ["limited"]);
  });

  test("deny keeps away", async () => {
    assert.deepEqual(await asked("trace_block"), ["b"]);
  });

  test("a method that no endpoint takes is refused", async () => {
    const { status, error } = await t.rpc("eth_call", [], { path: "/nobody" });
    assert.deepEqual([status, error.code], [200, -32601]);
    assert.equal(t.endpoint.limited.hits(), 0);
  });
});

describe("with every endpoint dead", () => {
  for (const [method, result] of [
    ["eth_chainId", "0x1"],
    ["net_version", "5"],
    ["eth_accounts", []],
  ]) {
    test(`${method} is answered`, async () => {
      const answer = await t.rpc(method, [], { path: "/dead" });
      assert.deepEqual(answer.body, { jsonrpc: "2.0", id: 1, result });
      assert.deepEqual([answer.status, answer.endpoint, answer.attempts], [200, null, 0]);
    });
  }

  test("so are batches of them, and the rest of a batch says why not", async () => {
    const methods = ["eth_chainId", "eth_call", "net_version"];
    const { status, body } = await t.post(
      "/dead",
      methods.map((method, i) => call(method, [], i)),
    );
    assert.equal(status, 200);
    assert.deepEqual(
      body.map(({ result, error }) => result ?? error.code),
      ["0x1", -32002, "5"],
    );
  });

  test("net_version is the chain id where nothing else is said", async () => {
    assert.equal((await t.rpc("net_version")).result, "31337");
    assert.equal((await t.rpc("eth_chainId")).result, "0x7a69");
  });
});

test("methods that somebody makes up do not fill the status", async () => {
  const made = Array.from({ length: 300 }, (_, i) => call(`eth_madeUp${i}`, [], i));
  for (let i = 0; i < 3; i++) await t.post("/", made.slice(100 * i, 100 * (i + 1)));
  const { endpoint } = await t.status();
  assert.ok(Object.keys(endpoint.a.methods).length < 100, "methods are bounded");
  assert.ok(endpoint.a.gaps.length < 100, "gaps are bounded");
  assert.ok(endpoint.a.requests >= 300);
});
