/**
 * Steps from one endpoint to the next: what each carries, and which of them the log is told.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const DOWN = { mode: "status", status: 503 };

/** Routes by name, and how many endpoints each has. */
const ROUTES = { chain: 3, well: 2, declared: 2, out: 2, bytes: 3, many: 2, lone: 1 };

let t;

before(async () => {
  const base = { protocol: "evm", chain_id: 31337, attempt_timeout_ms: 2000, trip_after: 1000 };
  const named = (name) => Array.from({ length: ROUTES[name] }, (_, i) => `${name}-${"abc"[i]}`);
  const names = Object.keys(ROUTES);
  const echo = { eth_call: ([{ data }]) => data };
  t = await harness({
    chain: false,
    endpoints: names.flatMap(named).map((name) => scripted(name, { script: echo })),
    service: { state: "isolate" },
    route: { endpoints: ["well-a"] },
    routes: Object.fromEntries(
      names.map((name) => [`ROUTE_${name.toUpperCase()}`, { ...base, endpoints: named(name) }]),
    ),
  });
});

after(() => t?.stop());

const ask = (path, data = "0x01", id = 1) =>
  t.rpc("eth_call", [{ data }, "latest"], { path: `/${path}`, id });
const at = (name) => "abc".split("").map((letter) => t.endpoint[`${name}-${letter}`]);
const hops = (name) =>
  t
    .events("failover")
    .filter(({ route }) => route === name)
    .map(({ operation, from, to, reason, status, count }) => [
      ...[operation, from.at(-1), to.at(-1), reason, status, count],
    ]);

describe("an event", () => {
  test("of each step, with its reason and status", async () => {
    const [a, b] = at("chain");
    await a.set(DOWN);
    await b.set("hang");
    assert.equal((await ask("chain")).endpoint, "chain-c");
    assert.deepEqual(hops("chain"), [
      ["eth_call", "a", "b", "server_error", 503, 1],
      ["eth_call", "b", "c", "timeout", null, 1],
    ]);
  });

  test("not of a good answer, nor of an error that is the answer", async () => {
    assert.equal((await ask("well")).endpoint, "well-a");
    const [a] = at("declared");
    await a.set({ mode: "rpc_error", code: 3, message: "execution reverted", data: "0x" });
    assert.equal((await ask("declared")).error.code, 3);
    assert.deepEqual([...hops("well"), ...hops("declared")], []);
  });

  test("not of the last endpoint's failure", async () => {
    for (const endpoint of at("out").slice(0, 2)) await endpoint.set(DOWN);
    assert.equal((await ask("out")).status, 503);
    assert.deepEqual(hops("out"), [["eth_call", "a", "b", "server_error", 503, 1]]);
  });
});

test("each endpoint gets the same bytes", async () => {
  const [a, b, c] = at("bytes");
  await a.set(DOWN);
  await b.set("empty");
  const request =
    '{ "jsonrpc":"2.0","id":7,\n"method":"eth_call", "params":[{"data":"0x1F"},  "latest"] }';
  const answer = await t.post("/bytes", request);
  assert.deepEqual([answer.result, answer.attempts], ["0x1F", 3]);
  const [first, ...others] = [a, b, c].map(({ requests }) => requests.at(-1));
  assert.match(first.body, /\[\{"data":"0x1F"\}, {2}"latest"\]/);
  for (const { body, httpMethod, headers } of others) {
    assert.deepEqual([body, httpMethod], [first.body, "POST"]);
    assert.equal(headers["content-type"], first.headers["content-type"]);
  }
});

test("a caller chooses no endpoint, whatever he writes where", async () => {
  const [, b] = at("well");
  b.clear();
  const call = { jsonrpc: "2.0", id: 1, method: "eth_call", params: [{ data: "0x01" }, "latest"] };
  const chosen = { "x-endpoint": b.name, "x-breakwater-endpoint": b.name };
  for (const [path, body, headers] of [
    ["/well", call, chosen],
    [`/well?endpoint=${b.name}`, call, {}],
    ["/well", { ...call, endpoint: b.name }, {}],
  ]) {
    assert.equal((await t.post(path, body, headers)).endpoint, "well-a", path);
  }
  assert.equal(b.hits(), 0);
});

test("callers at once get each his own answer, wherever it is from", async () => {
  await at("many")[0].set({ ...DOWN, times: 30 });
  const data = (n) => `0x${n.toString(16).padStart(8, "0")}`;
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => ask("many", data(n), `id ${n}`)),
  );
  for (const [n, { body, attempts, endpoint }] of answers.entries()) {
    assert.deepEqual(body, { jsonrpc: "2.0", id: `id ${n}`, result: data(n) });
    assert.equal(endpoint, attempts === 1 ? "many-a" : "many-b");
  }
  assert.equal(answers.filter(({ attempts }) => attempts === 2).length, 30);
});

test("with one endpoint there is none: asked once, and its trouble is told", async () => {
  const [lone] = at("lone");
  await lone.set(DOWN);
  for (let n = 1; n <= 5; n++) {
    const { status, attempts, error } = await ask("lone");
    assert.deepEqual([status, attempts, lone.hits("eth_call")], [503, 1, n]);
    assert.deepEqual(error.data.attempts, [{ endpoint: "lone-a", class: "server_error" }]);
  }
  assert.deepEqual(hops("lone"), []);
});
