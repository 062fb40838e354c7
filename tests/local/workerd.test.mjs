/**
 * The launcher: isolates are apart, the object is one, storage outlives a restart.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startChain } from "../../local/chain.mjs";
import { startEndpoint } from "../../local/endpoint.mjs";
import { readProject } from "../../local/project.mjs";
import { runWorker } from "../../local/workerd.mjs";

const project = { ...readProject(), build: fileURLToPath(new URL("fixture", import.meta.url)) };
const ODD = 'quotes " and \\ and \n and é and \u0001';

let upstream;
/** @type {import("../../local/workerd.mjs").Workerd} */
let worker;

before(async () => {
  upstream = await startEndpoint({ name: "upstream", script: {} });
  worker = await runWorker({
    project,
    isolates: 2,
    vars: { UPSTREAM: upstream.url, TABLE: { list: [1, { odd: ODD }] }, TEXT: ODD },
    secrets: { KEY: ODD },
    extraBindings: [`(name = "EXTRA", text = "more")`],
  });
});

after(() => Promise.all([worker.stop(), upstream.stop()]));

const get = async (path, { isolate = "a", headers = {} } = {}) =>
  (await fetch(`${worker.urls[isolate]}${path}`, { headers })).json();

test("vars, secrets and extra bindings arrive byte for byte", async () => {
  const { values } = await get("/");
  const TABLE = { list: [1, { odd: ODD }] };
  assert.deepEqual(values, { EXTRA: "more", KEY: ODD, TABLE, TEXT: ODD, UPSTREAM: upstream.url });
});

test("request.cf is what the test says", async () => {
  assert.equal((await get("/")).cf, null);
  const headers = { "cf-blob": '{"continent":"EU"}' };
  assert.deepEqual((await get("/", { headers })).cf, { continent: "EU" });
});

test("isolates share the object and nothing else, nor does the object share with them", async () => {
  const before = await get("/", { isolate: "b" });
  await get("/");
  assert.equal((await get("/", { isolate: "b" })).counted, before.counted + 1);
  const first = await get("/object");
  const second = await get("/object", { isolate: "b" });
  assert.equal(second.counted, first.counted + 1);
  assert.equal(second.worker, 0);
});

test("loopback can be reached", async () => {
  await fetch(`${worker.url}/upstream`);
  assert.equal(upstream.requests.length, 1);
});

test("console lines are logs, exceptions are the runtime's", async () => {
  worker.logs.clear();
  assert.equal((await fetch(`${worker.url}/throw`)).status, 500);
  assert.deepEqual(worker.logs.events("request"), [{ event: "request", path: "/throw" }]);
  assert.match(worker.logs.runtime[0].message, /thrown on purpose/);
});

test("a restart keeps ports and storage, loses memory, and can change the configuration", async () => {
  const { url } = worker;
  const old = await get("/object");
  await worker.restart({ secrets: { KEY: "new" } });
  assert.equal(worker.url, url);
  const fresh = await get("/object");
  assert.deepEqual([fresh.counted, fresh.stored], [1, old.stored + 1]);
  assert.equal((await get("/")).values.KEY, "new");
});

test("what cannot start says why", async () => {
  const bad = { project, vars: {}, extraBindings: ["(nonsense = 1)"] };
  await assert.rejects(runWorker(bad), /ended before it was ready[\s\S]*nonsense/);
});

test("a chain has the asked id and accounts with their keys", async () => {
  const chain = await startChain({ chainId: 4242 });
  assert.equal(await chain.rpc("eth_chainId"), "0x1092");
  assert.equal(chain.accounts[0], "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
  assert.equal(chain.privateKeys.length, chain.accounts.length);
  await chain.stop();
  await assert.rejects(chain.rpc("eth_chainId"));
});
