/**
 * `npm run doctor` on a running Worker: what callers get, and what its status says.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operator, TOKEN } from "../support/admin.mjs";
import { harness } from "../support/harness.mjs";
import { runScript } from "../support/program.mjs";

const KEY = "cl1ent-k3y";
const SHORT = ["--samples", "2", "--pause-ms", "0", "--apart-ms", "1000", "--json"];

describe("npm run doctor -- URL", { concurrency: 1 }, () => {
  let t;
  before(async () => {
    t = await harness({
      chain: { blockTimeS: 1 },
      endpoints: ["alpha", "beta", "gamma"],
      secrets: { ADMIN_TOKEN: TOKEN, CLIENT_KEYS: KEY },
      service: { require_key: true },
    });
  });
  after(() => t?.stop());

  const doctor = (args, env = { CLIENT_KEY: KEY }) =>
    runScript("scripts/doctor.mjs", [...args, ...SHORT], env);

  test("a route as callers see it, and who is behind it", async () => {
    const { code, out, err } = await doctor([`${t.url}/local`]);
    assert.equal(code, 0, err + out);
    const [route] = JSON.parse(out).routes;
    const [seen] = route.endpoints;
    assert.deepEqual([route.route, seen.state, seen.chain_id], ["local", "fit", 31337]);
    assert.ok(seen.head !== null && seen.batch.good === 100);
    const words = ["eth_call", "debug_traceTransaction"].map((m) => seen.methods[m].word);
    assert.deepEqual(words, ["yes", "missing"], "what the route does not serve is not there");
    assert.deepEqual(
      route.deployed.map(({ name, state }) => [name, state]),
      ["alpha", "beta", "gamma"].map((name) => [name, "closed"]),
    );
    assert.ok(route.deployed[0].requests > 0, "as it is after the questions");
    assert.doesNotMatch(out + err, /127\.0\.0\.1|cl1ent/);
  });

  test("trouble that the status tells of", async () => {
    for (const name of ["beta", "gamma"])
      assert.equal((await operator(t).order(name, "open")).status, 200);
    const { code, out } = await doctor([t.url]);
    assert.equal(code, 1);
    const said = JSON.parse(out).routes[0].advice.map(({ endpoints, why }) => [...endpoints, why]);
    const has = (name, pattern) => said.some(([one, why]) => one === name && pattern.test(why));
    assert.ok(has("beta", /its breaker is (half )?open/), JSON.stringify(said));
    for (const name of ["beta", "gamma"]) await operator(t).order(name, "close");
  });

  test("a key is needed, and a route that exists", async () => {
    const refused = await doctor([t.url], { CLIENT_KEY: "" });
    assert.equal(refused.code, 2);
    assert.match(refused.err, /wants a client key/);
    const nowhere = await doctor([`${t.url}/nowhere`]);
    assert.match(nowhere.err, /no such route; there are local/);
  });
});
