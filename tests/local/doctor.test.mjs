/**
 * The doctor as a whole, on endpoints of a real chain that each have an ailment.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { startEndpoint } from "../../local/endpoint.mjs";
import { Ledger, ledgerEngine, startFacilitator } from "../../local/facilitator.mjs";
import { scratchFolder } from "../../local/scratch.mjs";
import { KEYLESS, startAiling } from "../support/ailing.mjs";
import { secret } from "../support/calls.mjs";
import { runScript } from "../support/program.mjs";

const doctor = (...args) => runScript("scripts/doctor.mjs", args);
const SECRET = "s3cret-k3y-0123456789";

describe("endpoints with ailments", { concurrency: 1 }, () => {
  let t;
  let ran;
  let found;
  before(async () => {
    t = await startAiling();
    ran = await doctor(t.file, "--json", "--samples", "3", "--pause-ms", "0", "--apart-ms", "3000");
    const result = JSON.parse(ran.out);
    const [{ endpoints, advice }] = result.routes;
    const named = Object.fromEntries(endpoints.map((one) => [one.name, one]));
    found = { result, endpoint: named, advice };
  });
  after(() => t?.stop());

  const advised = (name, pattern) =>
    found.advice.some(
      ({ endpoints, why, write }) =>
        endpoints.includes(name) && pattern.test(`${why} [${write ?? ""}]`),
    );

  test("problems give exit status 1", () => {
    assert.equal(ran.code, 1, ran.err);
    const { problem } = found.result.counts;
    const problems = found.advice.filter(({ level }) => level === "problem");
    assert.deepEqual([problem, problems.length], [4, 4]);
  });

  test("who is not fit, and why", () => {
    const { foreign, dead, well, [KEYLESS]: keyless } = found.endpoint;
    assert.deepEqual([foreign.state, foreign.chain_id], ["wrong_chain", 1]);
    assert.deepEqual([dead.state, keyless.state], ["unreachable", "no_secret"]);
    assert.deepEqual(keyless.missing_secrets, ["RPC_KEY"]);
    assert.deepEqual([well.state, well.chain_id, well.given_up], ["fit", 31337, null]);
    assert.ok(advised("foreign", /serves 1, the route is 31337\. Remove it/));
    assert.ok(advised("dead", /does not answer/) && advised(KEYLESS, /secret put RPC_KEY/));
    assert.deepEqual([keyless.requests, foreign.requests], [0, 1]);
  });

  test("heads: they advance, and one is behind", () => {
    const { well, stale } = found.endpoint;
    assert.deepEqual([well.advances, stale.advances], [true, true]);
    assert.ok(well.lag.blocks < 20, `${well.lag.blocks}`);
    assert.ok(Math.abs(stale.lag.blocks - 40) < 20, `${stale.lag.blocks}`);
    assert.ok(Math.abs(stale.lag.seconds - 40) < 20, `${stale.lag.seconds}`);
    assert.ok(Math.abs(stale.finalized_lag - 40) < 39, `${stale.finalized_lag}`);
    assert.ok(advised("stale", /its head is \d+ blocks/) && !advised("well", /its head is/));
  });

  test("history, batches, ranges and methods", () => {
    const { well, pruned, lone, narrow } = found.endpoint;
    assert.equal(well.state_depth.kind, "archive");
    assert.equal(pruned.state_depth.kind, "recent");
    assert.ok(pruned.state_depth.blocks > 40 && pruned.state_depth.blocks <= 128);
    assert.ok(advised("well", /\[archive = true\]/) && !advised("pruned", /archive = true/));
    assert.deepEqual([lone.batch, well.batch.good], [{ good: 1, bad: 2, sure: true }, 100]);
    assert.ok(advised("lone", /\[batch_max = 1\]/) && !advised("well", /batch_max/));
    assert.ok(narrow.logs.good === 500 && narrow.logs.bad <= 532 && well.logs.all);
    const words = ["eth_getProof", "trace_block", "eth_call"].map((m) => pruned.methods[m].word);
    assert.deepEqual(words, ["missing", "missing", "yes"]);
    assert.ok(advised("pruned", /\[methods = \{ deny = \["eth_getProof"\] \}\]/));
    const all = Object.values(well.methods).filter(({ word }) => word !== "yes");
    assert.deepEqual(all, []);
  });

  test("latency, and the order that follows from it", () => {
    const { slow, well } = found.endpoint;
    for (const { p50, p99, samples } of Object.values(slow.latency))
      assert.ok(p50 >= 395 && p99 >= p50 && samples === 3);
    assert.equal(Object.keys(well.latency).length, 5);
    assert.ok(well.requests < 150, `${well.requests} requests`);
  });

  test("asks only what changes nothing", () => {
    const asked = Object.values(t.endpoint).flatMap(({ requests }) => requests);
    const odd = asked.flatMap(({ methods }) => methods).filter((m) => /send|sign/i.test(m));
    assert.deepEqual(odd, []);
    assert.ok(asked.length > 300);
  });

  test("names alone, in what it prints", () => {
    for (const text of [ran.out, ran.err]) assert.doesNotMatch(text, /127\.0\.0\.1|http/);
  });

  test("as a table, of what is asked for", async () => {
    const short = ["--samples", "1", "--pause-ms", "0", "--apart-ms", "0", "--route", "local"];
    const { out, code } = await doctor(t.file, ...short);
    assert.equal(code, 1);
    assert.match(out, /^endpoint +state +head +lag +finalized +history +batch +log range$/m);
    assert.match(out, /^dead +unreachable +–/m);
    assert.match(out, /^✗ keyless: left out: RPC_KEY/m);
    assert.match(out, /^\d problems, \d pieces? of advice, \d notes?$/m);
  });
});

describe("single endpoints", { concurrency: 1 }, () => {
  const SHORT = ["--samples", "1", "--pause-ms", "0", "--apart-ms", "0", "--json"];
  let one;
  let two;
  let folder;
  before(async () => {
    const script = { eth_chainId: "0x1", eth_blockNumber: "0x64", web3_clientVersion: "x" };
    [one, two] = await Promise.all(["one", "two"].map((name) => startEndpoint({ name, script })));
    folder = scratchFolder();
  });
  after(() => Promise.all([one, two].map((each) => each.stop())));

  async function examine(more = "", args = []) {
    const file = join(folder, "wrangler.toml");
    const path = `/v2/${secret("KEY")}`;
    writeFileSync(
      file,
      `[vars.ROUTE_A]\nchain_id = 1\nendpoints = [
        { name = "one", url = "${one.url}${path}", headers = { x-key = "${secret("KEY")}" }${more} },
        { name = "two", url = "${two.url}" } ]`,
    );
    writeFileSync(join(dirname(file), ".dev.vars"), `KEY=${SECRET}\n`);
    const { out, err, code } = await doctor(file, ...SHORT, ...args);
    assert.ok(!(out + err).includes(SECRET));
    const [route] = out ? JSON.parse(out).routes : [];
    return { code, err, route, endpoint: route?.endpoints[0] };
  }

  test("secrets of .dev.vars go where they are meant, and nowhere else", async () => {
    one.clear();
    const { endpoint } = await examine();
    assert.equal(endpoint.state, "fit");
    const [seen] = one.requests;
    assert.deepEqual([seen.path, seen.headers["x-key"]], [`/v2/${SECRET}`, SECRET]);
    assert.ok(two.requests.every(({ headers }) => headers["x-key"] === undefined));
  });

  test("an endpoint is not asked for what its methods leave out", async () => {
    one.clear();
    const { endpoint } = await examine(', methods = { deny = ["trace_*", "debug_*"] }');
    assert.equal(endpoint.methods.trace_block.word, "left_out");
    assert.equal(one.hits("trace_block") + one.hits("debug_traceTransaction"), 0);
  });

  test("one that goes silent in the middle is given up", async () => {
    await one.set({ mode: "reset", when: "after" });
    await one.set({ mode: "answer", method: "eth_chainId" });
    one.clear();
    const { endpoint, route, code } = await examine();
    await one.set("answer");
    assert.match(endpoint.given_up, /requests got no answer/);
    assert.ok(endpoint.requests < 20, `${endpoint.requests}`);
    assert.ok(route.advice.some(({ why }) => /was not asked to the end/.test(why)));
    assert.equal(code, 1);
  });

  test("one that throttles is waited for as it says", async () => {
    await one.set({ mode: "rate_limit", retry_after: 1, method: "eth_chainId", times: 1 });
    const { endpoint } = await examine();
    assert.deepEqual([endpoint.state, endpoint.throttles], ["fit", 1]);
    assert.ok(one.requests.length > 0);
  });

  test("one that asks for a long rest is left in peace", async () => {
    await one.set({ mode: "rate_limit", retry_after: 300, method: "eth_getBlockByNumber" });
    one.clear();
    const { endpoint } = await examine();
    await one.set("answer");
    assert.equal(endpoint.given_up, "it asked for 300 s of rest");
    assert.ok(one.hits() <= 2, `${one.hits()}`);
  });

  test("odd answers are no figures", async () => {
    const { eth_chainId, eth_blockNumber } = one.script;
    Object.assign(one.script, { eth_chainId: { odd: 1 }, eth_blockNumber: "0xzz" });
    const odd = await examine();
    Object.assign(one.script, { eth_chainId });
    const headless = await examine();
    Object.assign(one.script, { eth_blockNumber });
    assert.deepEqual([odd.endpoint.state, odd.endpoint.chain_id], ["unreachable", null]);
    assert.deepEqual([headless.endpoint.state, headless.endpoint.head], ["fit", null]);
    assert.equal(headless.endpoint.state_depth, null);
  });

  test("one that wants another key is told from one that is down", async () => {
    await one.set({ mode: "status", status: 403, body: `no ${SECRET}` });
    const { endpoint } = await examine();
    await one.set("answer");
    assert.deepEqual([endpoint.state, endpoint.trouble], ["refused", "HTTP 403"]);
  });

  test("bad usage is exit status 2, one sentence, and no stack", async () => {
    for (const args of [["nowhere.toml"], ["--what"], ["http://192.0.2.1"], ["a", "b"]]) {
      const { code, out, err } = await doctor(...args);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, /^error: /);
      assert.doesNotMatch(err, /\.mjs:\d/);
    }
  });
});

test("facilitators: what they support; nothing is verified or settled", async () => {
  const ledger = new Ledger();
  const start = (name) => startFacilitator({ name, engine: ledgerEngine(name, ledger) });
  const [first, second] = await Promise.all(["first", "second"].map(start));
  after(() => Promise.all([first.stop(), second.stop()]));
  await second.set({ mode: "status", status: 401, body: "{}" });
  const file = join(scratchFolder(), "wrangler.toml");
  writeFileSync(
    file,
    `[vars.ROUTE_PAY]\nprotocol = "x402"\nendpoints = [
      { name = "first", url = "${first.url}/" },
      { name = "second", url = "${second.url}", forward_headers = ["authorization"] } ]`,
  );
  const { out, code } = await doctor(file, "--json", "--samples", "2", "--pause-ms", "0");
  const [{ endpoints, advice }] = JSON.parse(out).routes;
  assert.deepEqual(
    endpoints.map(({ state, kinds, versions }) => [state, kinds, versions]),
    [
      ["fit", ["exact@eip155:84532"], [2]],
      ["refused", [], []],
    ],
  );
  assert.ok(advice.some(({ endpoints: [name], level }) => name === "second" && level === "note"));
  assert.equal(code, 1, "one alone is nothing to fail over to");
  const asked = [first, second].flatMap(({ requests }) => requests.map(({ path }) => path));
  assert.deepEqual([...new Set(asked)], ["/supported"]);
  assert.deepEqual(ledger.tries, []);
});
