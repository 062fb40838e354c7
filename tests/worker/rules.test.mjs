/**
 * The operator's say: `rules` and `rpc_errors`.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hex, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const error = (code, message, more = {}) => ({ mode: "rpc_error", code, message, ...more });
const ODD = error(-32050, "Region Busy, come back");

/** Routes by name: their keys, and what their first endpoint does. */
const ROUTES = {
  return: [{ rules: [{ code: -32050, action: "return" }] }, ODD],
  failover: [{ rules: [{ code: -32602, action: "failover" }] }, error(-32602, "invalid argument")],
  gap: [{ rules: [{ message: "region busy", action: "failover_no_penalty" }] }, ODD],
  cooldown: [{ rules: [{ message: "REGION busy", action: "cooldown" }] }, ODD],
  long: [{ rules: [{ code: -32050, method: "eth_*", action: "long_cooldown" }] }, ODD],
  breaker: [{ rules: [{ status: 418, action: "breaker" }] }, { mode: "status", status: 418 }],
  first: [
    {
      rules: [
        { code: -32050, action: "return" },
        { code: -32050, action: "breaker" },
      ],
    },
    ODD,
  ],
  other: [{ rules: [{ code: -32050, endpoint: "other-b", action: "return" }] }, ODD],
  method: [{ rules: [{ code: -32050, method: "eth_getLogs", action: "return" }] }, ODD],
  revert: [
    { rules: [{ message: "throttled", action: "cooldown" }] },
    error(3, "execution reverted: throttled"),
  ],
  once: [
    {
      methods: { allow: ["eth_sendTransaction"] },
      rules: [
        { status: 500, action: "failover" },
        { code: -32050, action: "failover" },
      ],
    },
    { mode: "status", status: 500 },
  ],
  never: [{ rpc_errors: "never" }, error(-32601, "no such method")],
  never_http: [{ rpc_errors: "never" }, { mode: "status", status: 500 }],
  lenient: [{ rpc_errors: "lenient" }, error(-32602, "invalid argument")],
  lenient_revert: [{ rpc_errors: "lenient" }, error(3, "execution reverted")],
  lenient_send: [{ rpc_errors: "lenient" }, error(-32000, "rejected by our rules")],
  declined: [{}, error(-32602, "invalid argument")],
};

let t;

before(async () => {
  const names = Object.keys(ROUTES).flatMap((name) => [`${name}-a`, `${name}-b`]);
  const routes = Object.entries(ROUTES).map(([name, [keys]]) => [
    `ROUTE_${name.toUpperCase()}`,
    { protocol: "evm", chain_id: 31337, endpoints: [`${name}-a`, `${name}-b`], ...keys },
  ]);
  t = await harness({
    chain: false,
    endpoints: names.map((name) => scripted(name)),
    service: { state: "isolate" },
    route: { endpoints: ["return-a"] },
    routes: Object.fromEntries(routes),
  });
  for (const [name, [, fault]] of Object.entries(ROUTES)) await t.endpoint[`${name}-a`].set(fault);
});

after(() => t?.stop());

/** Asks a route once: who answered, and what is held against its first endpoint. */
async function ask(name, method = "eth_call", params = [{}, "latest"]) {
  const path = name.replaceAll("_", "-");
  const answer = await t.rpc(method, params, { path: `/${path}` });
  const { endpoint, now_ms } = await t.status(path);
  const a = endpoint[`${name}-a`];
  const rest = a.throttled_until_ms && a.throttled_until_ms - now_ms;
  const by = answer.endpoint?.slice(-1) ?? null;
  return { answer, by, failures: a.consecutive_failures, rest, gaps: a.gaps };
}

describe("rules", () => {
  test("return: the answer as it is, no other endpoint", async () => {
    const { by, answer, failures } = await ask("return");
    assert.deepEqual([by, answer.error.code, failures], ["a", -32050, 0]);
    assert.equal(t.endpoint["return-b"].hits(), 0);
  });

  test("failover", async () => {
    const { by, answer, failures, rest, gaps } = await ask("failover");
    assert.deepEqual(
      [by, answer.result, failures, rest, gaps],
      ["b", hex("failover-b"), 0, null, []],
    );
  });

  test("failover_no_penalty: and remembered for the method", async () => {
    const { by, failures, rest, gaps } = await ask("gap");
    assert.deepEqual([by, failures, rest, gaps], ["b", 0, null, ["eth_call"]]);
  });

  test("cooldown: a rest of a second", async () => {
    const { by, failures, rest } = await ask("cooldown");
    assert.deepEqual([by, failures], ["b", 0]);
    assert.ok(rest > 0 && rest <= 1000, `rests ${rest} ms`);
  });

  test("long_cooldown: minutes, and an alert", async () => {
    const { by, failures, rest } = await ask("long");
    assert.deepEqual([by, failures], ["b", 0]);
    assert.ok(rest > 200_000, `rests ${rest} ms`);
    assert.deepEqual(
      t.events("alert").map(({ endpoint }) => endpoint),
      ["long-a"],
    );
  });

  test("breaker: a failure", async () => {
    const { by, failures } = await ask("breaker");
    assert.deepEqual([by, failures], ["b", 1]);
  });

  test("the first that matches wins", async () => {
    const { by, failures } = await ask("first");
    assert.deepEqual([by, failures], ["a", 0]);
  });

  test("one for another endpoint or method does not match", async () => {
    assert.deepEqual([(await ask("other")).by, (await ask("method")).by], ["b", "b"]);
  });

  test("none sees the text of a revert", async () => {
    const { by, failures, rest } = await ask("revert");
    assert.deepEqual([by, failures, rest], ["a", 0, null]);
  });

  test("none lets a node-signed send go to another endpoint", async () => {
    for (const fault of [{ mode: "status", status: 500 }, ODD]) {
      await t.endpoint["once-a"].set(fault);
      const { answer } = await ask("once", "eth_sendTransaction", [{}]);
      assert.ok(answer.error);
      assert.equal(t.endpoint["once-b"].hits(), 0);
    }
  });
});

describe("rpc_errors", () => {
  test("declined: the client's own mistake is answered", async () => {
    assert.equal((await ask("declined")).by, "a");
  });

  test("never: no JSON-RPC error fails over, an HTTP failure does", async () => {
    const { by, answer } = await ask("never");
    assert.deepEqual([by, answer.error.code], ["a", -32601]);
    assert.equal((await ask("never_http")).by, "b");
  });

  test("lenient: all but reverts fail over", async () => {
    assert.deepEqual([(await ask("lenient")).by, (await ask("lenient_revert")).by], ["b", "a"]);
  });

  test("lenient: what every endpoint says of a send is passed on", async () => {
    await t.endpoint["lenient_send-b"].set(error(-32000, "rejected by our rules"));
    const { answer } = await ask("lenient_send", "eth_sendRawTransaction", ["0x02aabb"]);
    assert.deepEqual([answer.status, answer.error.message], [200, "rejected by our rules"]);
  });
});
