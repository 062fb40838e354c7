/** Large answers: passed on while they arrive, byte for byte, and never mended. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { harness } from "../support/harness.mjs";

const log = (i) => ({
  address: `0x${"11".repeat(20)}`,
  data: `0x${"ab".repeat(100)}`,
  logIndex: i,
});
const LOGS = Array.from({ length: 2600 }, (_, i) => log(i));
const TEXT = JSON.stringify(LOGS);

let t;
before(async () => {
  const endpoint = (name) => ({ name, script: { eth_getLogs: () => LOGS } });
  t = await harness({
    chain: false,
    endpoints: [endpoint("a"), endpoint("b")],
    route: { attempt_timeout_ms: 1200, total_timeout_ms: 4000, trip_after: 100, poll_ms: 600_000 },
  });
});
after(() => t.stop());

const logs = (id = 1) => t.rpc("eth_getLogs", [{}], { id });

const same = (result) => assert.ok(JSON.stringify(result) === TEXT, "the same logs");

const failures = async () => {
  const { endpoint } = await t.status();
  return endpoint.a.failures;
};

test("arrives byte for byte, with its length where the upstream told it", async () => {
  await t.heal();
  const answer = await logs();
  assert.equal(answer.endpoint, "a");
  same(answer.body.result);
  assert.equal(answer.headers.get("content-length"), String(answer.text.length));
});

test("a caller's id in another form is put around it", async () => {
  await t.heal();
  const body = '{"jsonrpc":"2.0","id":1.0,"method":"eth_getLogs","params":[{}]}';
  const { text } = await t.post("/", body);
  assert.ok(text.startsWith('{"jsonrpc":"2.0","id":1.0,"result":['), text.slice(0, 60));
  same(JSON.parse(text).result);
});

for (const encoding of ["gzip", "br"]) {
  test(`encoded with ${encoding} it arrives as well`, async () => {
    await t.heal();
    await t.endpoint.a.set({ mode: "answer", encoding });
    same((await logs()).body.result);
  });
}

for (const chunked of [false, true]) {
  test(`may take longer than an attempt once it began${chunked ? ", chunked" : ""}`, async () => {
    await t.heal();
    await t.endpoint.a.set({ mode: "drip", pieces: 8, pause_ms: 250, chunked });
    same((await logs()).body.result);
  });
}

test("cut, with a length, is a broken answer and the endpoint's failure", async () => {
  await t.heal();
  const before = await failures();
  await t.endpoint.a.set({ mode: "cut" });
  await assert.rejects(logs(), "the client sees that bytes are missing");
  await t.until(async () => (await failures()) > before);
});

test("cut, without a length, is never closed by us into JSON", async () => {
  await t.heal();
  const before = await failures();
  await t.endpoint.a.set({ mode: "cut", chunked: true });
  const text = await logs().then(
    (answer) => answer.text,
    () => "",
  );
  assert.throws(() => JSON.parse(text));
  await t.until(async () => (await failures()) > before);
});

test("silence in the middle ends it after the attempt's time", async () => {
  await t.heal();
  await t.endpoint.a.set({ mode: "stall" });
  const started = Date.now();
  await assert.rejects(logs());
  assert.ok(Date.now() - started < 5000);
});

test("breaks before it begins: the next endpoint answers", async () => {
  await t.heal();
  await t.endpoint.a.set({ mode: "reset", when: "after" });
  const answer = await logs();
  assert.equal(answer.endpoint, "b");
  same(answer.body.result);
});

test("within a batch it is read whole", async () => {
  await t.heal();
  const call = (id) => ({ jsonrpc: "2.0", id, method: "eth_getLogs", params: [{}] });
  const { body } = await t.post("/", [call(1)]);
  same(body[0].result);
});
