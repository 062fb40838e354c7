/**
 * Drills: an outage that is only played. Breakers open, heal and take back as in a real one, and it
 * ends by itself.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { operator, TOKEN } from "../support/admin.mjs";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const ROUTE = { trip_after: 2, cooldown_ms: 300, cooldown_max_ms: 600, poll_ms: 300 };
const call = [{}, "latest"];

let t;
let admin;

before(async () => {
  t = await harness({
    chain: false,
    endpoints: [scripted("first"), scripted("second")],
    isolates: 2,
    secrets: { ADMIN_TOKEN: TOKEN },
    route: { ...ROUTE, attempt_timeout_ms: 2000 },
  });
  admin = operator(t);
  for (const isolate of ["a", "b"]) await t.rpc("eth_call", call, { isolate });
});

after(() => t?.stop());

afterEach(async () => {
  await admin.ask("POST", "routes/local/reset");
  for (const isolate of ["a", "b"])
    await t.until(async () => (await t.status("local", { isolate })).endpoint.first.fault === null);
  await t.heal();
});

const ask = (isolate = "a") => t.rpc("eth_call", call, { isolate });
const drill = (kind, value, for_ms) => admin.order("first", "fault", { kind, value, for_ms });
const first = async (isolate = "a") => (await t.status("local", { isolate })).endpoint.first;

describe("drills", { concurrency: 1 }, () => {
  test("down: the whole course of an outage, and no request leaves", async () => {
    const began = Date.now();
    const { status, body } = await drill("down", 0, 2500);
    assert.equal(status, 200);
    assert.deepEqual([body.fault.kind, body.fault.value], ["down", 0]);
    assert.ok(body.fault.until_ms - began >= 2500 && body.fault.until_ms - began < 10_000);
    t.endpoint.first.clear();
    const left = await ask();
    assert.deepEqual([left.endpoint, left.reason], ["second", "first=drill"]);
    assert.deepEqual((await first()).fault, body.fault, "everybody can see it");
    await t.until(async () => {
      await ask();
      return (await first()).state !== "closed";
    });
    const [opened] = t.events("breaker").filter((e) => e.to === "open");
    assert.deepEqual([opened.endpoint, opened.reason], ["first", "drill"]);
    await t.until(async () => (await first("b")).state !== "closed");
    assert.equal((await ask("b")).endpoint, "second");
    if (Date.now() < body.fault.until_ms) assert.equal(t.endpoint.first.hits(), 0);
    await t.until(async () => (await first()).state === "closed", 30_000);
    assert.ok(Date.now() >= body.fault.until_ms, "probes take part in it");
    assert.equal((await first()).fault, null);
    await t.until(async () => (await ask("b")).endpoint === "first");
    const path = t.events("breaker").filter((e) => e.region === "weur");
    assert.equal(path.at(-1).reason, "recovered");
  });

  test("slow: the delay counts for the attempt, and for its timeout", async () => {
    await drill("slow", 400, 60_000);
    const late = await ask();
    assert.equal(late.endpoint, "first");
    assert.ok(late.ms >= 390, `${late.ms} ms`);
    await drill("slow", 50_000, 60_000);
    t.endpoint.first.clear();
    const left = await ask();
    assert.deepEqual([left.endpoint, left.reason], ["second", "first=timeout"]);
    assert.ok(left.ms >= 1990, `${left.ms} ms`);
    assert.equal(t.endpoint.first.hits("eth_call"), 0);
  });

  test("stale: only what freshness sees, never an answer", async () => {
    const head = { path: "/", method: "eth_blockNumber" };
    await t.rpc(head.method);
    await t.until(async () => (await first()).head === 100);
    await drill("stale", 40, 60_000);
    const seen = await first();
    assert.deepEqual([seen.head, seen.lag_blocks, seen.state], [60, 40, "closed"]);
    const { result } = await t.rpc("eth_call", [{}, "0x10"]);
    assert.equal(Buffer.from(result.slice(2), "hex").toString(), "first", "not at the head");
    await t.until(async () => (await first("b")).fault?.kind === "stale");
    for (const name of ["first", "second"])
      for (const { text } of [await t.rpc("eth_blockNumber")])
        assert.match(text, /"0x64"/, `${name} answers what it always did`);
  });

  test("an isolate that learns of it at its next sync takes part", async () => {
    await drill("down", 0, 60_000);
    await t.until(async () => (await first("b")).fault !== null);
    const left = await ask("b");
    assert.deepEqual([left.endpoint, left.reason], ["second", "first=drill"]);
  });

  test("it goes on after a restart, and a reset ends it", async () => {
    await drill("down", 0, 60_000);
    await t.worker.restart();
    assert.equal((await first()).fault.kind, "down");
    assert.equal((await ask()).reason, "first=drill");
    await admin.order("first", "reset");
    assert.equal((await first()).fault, null);
    assert.equal((await ask()).endpoint, "first");
  });

  test("a raw transaction goes on to the next endpoint without doubt about the first", async () => {
    await drill("down", 0, 60_000);
    const answer = await t.rpc("eth_sendRawTransaction", ["0x00"]);
    assert.equal(answer.reason, "first=drill");
    assert.equal(t.endpoint.first.hits("eth_sendRawTransaction"), 0);
    assert.equal(t.endpoint.second.hits("eth_sendRawTransaction"), 1);
  });
});
