/**
 * What the doctor reads from a wrangler.toml, its secrets, and what it may ask of whom.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "smol-toml";
import { readRoutes } from "../../scripts/doctor/configured.mjs";
import { readOptions } from "../../scripts/doctor/options.mjs";
import { offers, serves } from "../../scripts/doctor/permitted.mjs";
import { fill, readDevVars } from "../../scripts/doctor/secrets.mjs";
import { secret } from "../support/calls.mjs";

const TOML = parse(`
[vars.SERVICE]
default_route = "main-net"
[vars.ROUTE_MAIN_NET]
chain_id = 1
max_lag_blocks = 5
endpoints = [
  { name = "a", url = "https://a.example.org/v2/${secret("A_KEY")}/", batch_max = 3 },
  { name = "b", url = "https://b.example.org", headers = { Authorization = "Bearer ${secret("B_KEY")}" }, archive = true },
]
[vars.ROUTE_PAY]
protocol = "x402"
endpoints = [{ name = "c", url = "https://c.example.org", forward_headers = ["authorization"] }]
[env.staging.vars]
ROUTE_TEST = '{"chain_id":5,"endpoints":[{"name":"d","url":"https://d.example.org"}]}'
`);

test("routes and endpoints, with secrets put in and missing ones named", () => {
  const [main, pay] = readRoutes(TOML, { A_KEY: " k3y\n" });
  assert.deepEqual(
    [main.route, main.variable, main.protocol, main.chain_id],
    [...["main-net", "ROUTE_MAIN_NET", "evm", 1]],
  );
  assert.deepEqual([main.keys.max_lag_blocks, main.keys.poll_ms], [5, 15_000]);
  const [a, b] = main.endpoints;
  assert.deepEqual([a.url, a.missing, a.batch_max], ["https://a.example.org/v2/k3y", [], 3]);
  assert.deepEqual([b.missing, b.archive], [["B_KEY"], true]);
  assert.deepEqual([pay.protocol, pay.keys.total_timeout_ms], ["x402", 60_000]);
  assert.equal(pay.endpoints[0].signed, true);
});

test("an environment has its own variables, also as text; a route by name or chain id", () => {
  const [test_route] = readRoutes(TOML, {}, { env: "staging" });
  assert.deepEqual([test_route.route, test_route.endpoints[0].name], ["test", "d"]);
  const named = (route) => readRoutes(TOML, {}, { route }).map((one) => one.route);
  assert.deepEqual([named("pay"), named("1")], [["pay"], ["main-net"]]);
  assert.throws(() => named("nowhere"), /no route nowhere; there are main-net, pay/);
  assert.throws(() => readRoutes(TOML, {}, { env: "other" }), /no \[env\.other\.vars\]/);
  assert.throws(() => readRoutes({ vars: {} }, {}), /no ROUTE_ variable/);
  for (const bad of ["{", {}, { endpoints: [{ name: "a" }] }])
    assert.throws(() => readRoutes({ vars: { ROUTE_A: bad } }, {}), /ROUTE_A is no route/);
});

test("secrets: as the Worker takes them", () => {
  const filled = (text, secrets) => fill(text, secrets);
  const both = `x-${secret("A")}-${secret("B")}`;
  assert.deepEqual(filled(both, { A: "1", B: "2" }), { text: "x-1-2", missing: [] });
  assert.deepEqual(filled(both, { A: "  ", B: "2" }).missing, ["A"]);
  assert.deepEqual(filled(secret("ADMIN_TOKEN"), { ADMIN_TOKEN: "t" }), {
    text: "",
    missing: ["ADMIN_TOKEN"],
  });
  assert.deepEqual(filled(secret("A"), { A: secret("B"), B: "2" }).text, secret("B"));
});

test(".dev.vars", () => {
  const text = `# A=no\nexport A=1\nB = "two # three" # four\nC='x'\r\nD=e # f\nodd line\nE=\n`;
  assert.deepEqual(readDevVars(text), { A: "1", B: "two # three", C: "x", D: "e", E: "" });
});

test("an endpoint is asked what its configuration lets, a route offers what it lets", () => {
  assert.ok(serves(undefined, "eth_call") && serves({ allow: [] }, "eth_call"));
  assert.ok(!serves({ deny: ["eth_getLogs"] }, "eth_getLogs"));
  assert.ok(!serves({ allow: ["eth_*"], deny: ["eth_call"] }, "eth_call"));
  assert.ok(!serves({ allow: ["eth_*"] }, "trace_block"));
  assert.ok(offers(undefined, "eth_getProof") && !offers({}, "trace_block"));
  assert.ok(offers({ allow: ["trace_*"] }, "trace_block"));
  assert.ok(!offers({ allow: ["trace_*"], deny: ["trace_block"] }, "trace_block"));
});

test("the command line", () => {
  const asked = readOptions(["https://x.example.org/base", "--json", "--samples", "20"], {
    CLIENT_KEY: "k",
  });
  assert.deepEqual([asked.isUrl, asked.json, asked.which.key], [true, true, "k"]);
  assert.equal(asked.settings.samples, 20);
  assert.deepEqual(
    [readOptions([], {}).target, readOptions([], {}).isUrl],
    ["wrangler.toml", false],
  );
  for (const [args, says] of [
    [["a", "b"], /usage: npm run doctor/],
    [["--sample", "3"], /Unknown option '--sample'/],
    [["--samples", "0"], /--samples takes a whole number from 1 to 200/],
    [["--samples", "3.5"], /whole number/],
    [["https://x.example.org", "--env", "e"], /--env is for a wrangler\.toml/],
    [["wrangler.toml", "--key", "k"], /--key is for a deployment/],
  ])
    assert.throws(() => readOptions(args, {}), says);
});
