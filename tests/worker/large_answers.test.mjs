/**
 * Large results stream through; what is wrong with them shows, and counts against whoever sent them.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { call, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const MB = 1 << 20;
const METHOD = "eth_getBlockReceipts";
const ATTEMPT_MS = 2000;
/** Smaller answers are held and checked whole. */
const HELD_MAX = 256 * 1024;

/** A result of about so many bytes, with something to find at its end. */
const big = (bytes) => ["é", "a".repeat(bytes), { end: true }];
const same = (result, bytes) =>
  result?.length === 3 && result[1].length === bytes && result[2].end === true;

/** Up to this size an answer is read to its end before any of it goes out. */
const HELD_BYTES = 262_144;

let t;

before(async () => {
  t = await harness({
    chain: false,
    endpoints: [scripted("a"), scripted("b")],
    service: { state: "isolate" },
    route: { attempt_timeout_ms: ATTEMPT_MS, trip_after: 1000, trip_min: 1000 },
  });
});

after(() => t?.stop());
afterEach(() => t.heal());

/** Both endpoints give results of so many bytes, the first with a fault. */
async function give(bytes, fault = "answer") {
  for (const name of ["a", "b"]) t.endpoint[name].script[METHOD] = big(bytes);
  await t.endpoint.a.set(fault);
}

const ask = (id = 1) => t.rpc(METHOD, ["0x1"], { id });

describe("a result passes whole", () => {
  for (const bytes of [200_000, 300_000, MB, 2 * MB, 5 * MB]) {
    for (const fault of ["answer", { mode: "drip", chunked: true, pieces: 4, pause_ms: 1 }]) {
      test(`of ${bytes} bytes, ${fault.mode ? "chunked" : "with its length"}`, async () => {
        await give(bytes, fault);
        const { result, body, text, endpoint, attempts, headers, status } = await ask("a string é");
        assert.ok(same(result, bytes));
        assert.deepEqual([status, body.id, endpoint, attempts], [200, "a string é", "a", 1]);
        assert.equal(headers.get("access-control-allow-origin"), "*");
        assert.match(headers.get("content-type"), /^application\/json/);
        const length = fault.mode ? null : String(Buffer.byteLength(text));
        if (bytes > HELD_MAX) assert.equal(headers.get("content-length"), length);
      });
    }
  }

  for (const encoding of ["gzip", "br"]) {
    test(`encoded as ${encoding}`, async () => {
      await give(3 * MB, { mode: "answer", encoding });
      assert.ok(same((await ask()).result, 3 * MB));
    });
  }

  const text = JSON.stringify(big(3 * MB));
  for (const [what, answer] of [
    ["with its id at the end", `{"jsonrpc":"2.0","result":${text},"id":7}`],
    ["with its id in another form", `{"jsonrpc":"2.0","id":"7","result":${text}}`],
    ["with that id at the end", `{"jsonrpc":"2.0","result":${text},"id":7.0}`],
    ["behind a BOM", `\ufeff{"jsonrpc":"2.0","id":7,"result":${text}}`],
    ["with blanks all over", ` {\n "id" : 7 , "jsonrpc" : "2.0" , "result" : ${text} }\n`],
  ]) {
    test(what, async () => {
      await t.endpoint.a.set({ mode: "status", status: 200, body: answer });
      const { result, body, endpoint } = await ask(7);
      assert.ok(same(result, 3 * MB));
      assert.deepEqual([body.id, body.jsonrpc, endpoint], [7, "2.0", "a"]);
    });
  }

  test("under an id that the caller wrote in a way of its own", async () => {
    await give(3 * MB);
    const { text } = await t.post("/", `{"jsonrpc":"2.0","id":1.0,"method":"${METHOD}"}`);
    assert.ok(text.startsWith('{"jsonrpc":"2.0","id":1.0,"result":['), text.slice(0, 60));
    assert.ok(same(JSON.parse(text).result, 3 * MB));
  });

  test("with an id that needs escapes", async () => {
    await give(3 * MB);
    const { result, body } = await ask('a "string"');
    assert.ok(same(result, 3 * MB));
    assert.equal(body.id, 'a "string"');
  });

  test("that takes longer than an attempt may, as long as it goes on", async () => {
    await give(3 * MB, { mode: "drip", pieces: 12, pause_ms: 400 });
    const { result, ms } = await ask();
    assert.ok(same(result, 3 * MB));
    assert.ok(ms > 2 * ATTEMPT_MS, `took ${ms} ms`);
  });
});

describe("a result that breaks", () => {
  test("the client sees that, and it counts", async () => {
    const before = (await t.status()).endpoint.a;
    await give(3 * MB, "cut");
    await assert.rejects(ask(), "the body is shorter than announced");
    const now = await t.until(async () => {
      const { endpoint } = await t.status();
      return endpoint.a.failures > before.failures && endpoint.a;
    });
    assert.equal(now.last_failure.class, "truncated");
    assert.equal(now.last_failure.method, METHOD);
    assert.equal(t.endpoint.b.hits(), 0, "it was too late for another endpoint");
  });

  for (const over of [0, 1, 2]) {
    test(`unclosed, ${over} bytes over what is read whole: nobody gets it for whole`, async () => {
      const begin = '{"jsonrpc":"2.0","id":1,"result":"';
      const body = begin + "x".repeat(HELD_BYTES + over - begin.length);
      await give(100);
      await t.endpoint.a.set({ mode: "status", status: 200, body });
      const answer = await ask().catch(() => undefined);
      assert.ok(answer === undefined || answer.endpoint === "b", answer?.text.slice(0, 40));
    });
  }

  test("one that is no JSON in the end although all its bytes came is not given whole", async () => {
    const before = (await t.status()).endpoint.a.failures;
    await give(3 * MB, "bad_json");
    await assert.rejects(ask(), "the body is shorter than announced");
    const now = await t.until(async () => {
      const { endpoint } = await t.status();
      return endpoint.a.failures > before && endpoint.a;
    });
    assert.equal(now.last_failure.class, "truncated");
  });

  test("blanks after its end are no harm", async () => {
    const answer = `{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(big(MB))}}${" \n".repeat(200)}`;
    await t.endpoint.a.set({ mode: "status", status: 200, body: answer });
    assert.ok(same((await ask()).result, MB));
  });

  test("cut, chunked: it is never closed into JSON", async () => {
    const before = (await t.status()).endpoint.a.failures;
    await give(3 * MB, { mode: "cut", chunked: true });
    const text = await ask().then(
      (answer) => answer.text,
      () => "",
    );
    assert.throws(() => JSON.parse(text));
    await t.until(async () => (await t.status()).endpoint.a.failures > before);
  });

  test("a result that stops coming ends, without its end, and counts as a timeout", async () => {
    const before = (await t.status()).endpoint.a.failures;
    await give(3 * MB, "stall");
    const started = performance.now();
    await assert.rejects(ask(), "the body is shorter than announced");
    const ms = performance.now() - started;
    assert.ok(ms > ATTEMPT_MS, `ended after ${ms} ms`);
    const { last_failure } = await t.until(async () => {
      const { endpoint } = await t.status();
      return endpoint.a.failures > before && endpoint.a;
    });
    assert.equal(last_failure.class, "timeout");
  });

  test("before it begins is asked elsewhere", async () => {
    await give(3 * MB, { mode: "reset", when: "after" });
    const { result, reason } = await ask();
    assert.ok(same(result, 3 * MB));
    assert.equal(reason, "a=network");
  });

  test("a small one that breaks is asked elsewhere", async () => {
    await give(200_000, "cut");
    const { result, reason } = await ask();
    assert.ok(same(result, 200_000));
    assert.equal(reason, "a=truncated");
  });
});

describe("what is large and no result", () => {
  test("a revert is held and judged", async () => {
    const data = `0x${"ab".repeat(400_000)}`;
    const revert = { code: 3, message: "execution reverted", data };
    await t.endpoint.a.set({ mode: "rpc_error", ...revert });
    const { error, endpoint } = await ask();
    assert.deepEqual([error, endpoint], [revert, "a"]);
  });

  test("a page goes to the next endpoint", async () => {
    await give(10);
    await t.endpoint.a.set({ mode: "status", status: 200, body: `<html>${"x".repeat(MB)}` });
    assert.equal((await ask()).reason, "a=html_error_page");
  });

  test("an error beyond response_max_bytes does too", async () => {
    await give(10);
    const error = { code: 1234, message: "x".repeat(3 * MB) };
    await t.endpoint.a.set({ mode: "rpc_error", ...error });
    assert.equal((await ask()).reason, "a=response_too_large");
  });

  test("another request's answer does too", async () => {
    await give(300_000, "wrong_id");
    const { reason, result } = await ask();
    assert.equal(reason, "a=wrong_id");
    assert.ok(same(result, 300_000));
  });
});

test("in a batch nothing streams: large answers are held up to response_max_bytes", async () => {
  await give(MB);
  const held = await t.post("/", [call(METHOD, ["0x1"], 1), call("eth_call", [], 2)]);
  assert.ok(same(held.body[0].result, MB));
  await give(3 * MB);
  const { status, body } = await t.post("/", [call(METHOD, ["0x1"], 1), call("eth_call", [], 2)]);
  assert.equal(status, 200);
  assert.deepEqual(
    body.map(({ id }) => id),
    [1, 2],
  );
  assert.ok(body.every(({ error }) => error));
});
