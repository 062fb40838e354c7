/**
 * Batches: judged item by item, answered in order, and never repeated as a whole.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { call, hex, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const TX = "0x02aabb";
let t;

before(async () => {
  const base = { protocol: "evm", chain_id: 31337, trip_after: 1000, trip_min: 1000 };
  t = await harness({
    chain: false,
    endpoints: [
      scripted("a"),
      scripted("b"),
      scripted("small", { batch_max: 3 }),
      scripted("one", { batch_max: 1 }),
    ],
    service: { state: "isolate" },
    route: {
      ...base,
      endpoints: ["a", "b"],
      batch_max: 100,
      methods: { allow: ["eth_sendTransaction"] },
    },
    routes: {
      ROUTE_SMALL: { ...base, endpoints: ["small", "b"] },
      ROUTE_BUDGET: { ...base, endpoints: ["one"], max_subrequests: 4 },
    },
  });
});

after(() => t?.stop());
afterEach(async () => {
  await t.heal();
  // Gaps and rests are the isolate's: a fresh one for each test.
  await t.worker.restart();
});

const reads = (n, from = 1) =>
  Array.from({ length: n }, (_, i) => call("eth_call", [{}, "latest"], from + i));
const sizes = (name) => t.endpoint[name].requests.map(({ methods }) => methods.length);
const ids = (replies) => replies.map(({ id }) => id);

describe("items", () => {
  test("are answered in order, each in its own way", async () => {
    const { status, body, endpoint, attempts } = await t.post("/", [
      call("eth_chainId", [], "local"),
      call("debug_traceCall", [], "refused"),
      call("eth_blockNumber", [], "asked"),
      { jsonrpc: "2.0", method: "eth_call" },
      7,
      { jsonrpc: "2.0", id: "bad" },
      call("eth_call", [], 2.5),
      call("eth_nothing", [], null),
    ]);
    assert.equal(status, 200);
    assert.deepEqual(
      body.map(({ id, result, error }) => [id, result ?? error.code]),
      [
        ["local", "0x7a69"],
        ["refused", -32601],
        ["asked", "0x64"],
        [null, -32600],
        ["bad", -32600],
        [2.5, hex("a")],
        [null, -32601],
      ],
    );
    assert.deepEqual([endpoint, attempts], ["a", 2], "what b declined too is a's answer");
    assert.deepEqual(
      t.endpoint.a.requests.map(({ methods }) => methods),
      [["eth_blockNumber", "eth_call", "eth_nothing", "eth_call"]],
    );
    assert.deepEqual(
      t.endpoint.b.requests.map(({ methods }) => methods),
      [["eth_nothing"]],
    );
  });

  test("one that an endpoint declines goes on alone", async () => {
    await t.endpoint.a.set({
      mode: "rpc_error",
      method: "eth_getBalance",
      code: -32603,
      message: "internal",
    });
    const batch = reads(100);
    batch[41] = call("eth_getBalance", ["0x00", "latest"], 42);
    const { body, endpoint, reason } = await t.post("/", batch);
    assert.deepEqual(ids(body), ids(batch));
    assert.deepEqual(
      body.map(({ result }) => result),
      batch.map((_, i) => (i === 41 ? "0x1" : hex("a"))),
    );
    assert.deepEqual([sizes("a"), sizes("b")], [[100], [1]]);
    assert.deepEqual([endpoint, reason], ["a,b", "a=internal"]);
  });

  test("all of them, when the endpoint fails, in one request", async () => {
    for (const fault of [
      { mode: "status", status: 500 },
      "empty",
      "cut",
      "html",
      { mode: "reset", when: "after" },
    ]) {
      await t.endpoint.a.set(fault);
      const { body } = await t.post("/", reads(5));
      assert.deepEqual(
        body.map(({ id, result }) => [id, result]),
        reads(5).map(({ id }) => [id, hex("b")]),
      );
    }
    assert.deepEqual(sizes("b"), [5, 5, 5, 5, 5]);
  });

  test("reverts are answers, in a batch too", async () => {
    const revert = { code: 3, message: "execution reverted", data: "0x" };
    await t.endpoint.a.set({ mode: "rpc_error", method: "eth_getBalance", ...revert });
    const { body, attempts } = await t.post("/", [...reads(2), call("eth_getBalance", [], 3)]);
    assert.deepEqual([body[2].error, attempts, t.endpoint.b.hits()], [revert, 1, 0]);
  });

  test("when nobody answers: HTTP 200 and an error for each", async () => {
    await t.endpoint.a.set("refuse");
    await t.endpoint.b.set({ mode: "status", status: 503 });
    const { status, body, headers } = await t.post("/", reads(3));
    assert.equal(status, 200);
    assert.equal(headers.get("retry-after"), null);
    assert.deepEqual(
      body.map(({ id, error }) => [id, error.code]),
      [1, 2, 3].map((id) => [id, -32002]),
    );
    const attempts = [
      { endpoint: "a", class: "network" },
      { endpoint: "b", class: "server_error" },
    ];
    assert.deepEqual(body[0].error.data, { attempts });
  });

  test("when everybody is throttled: HTTP 200 and -32005 for each", async () => {
    for (const name of ["a", "b"]) await t.endpoint[name].set("rate_limit");
    const { status, body } = await t.post("/", reads(2));
    assert.deepEqual([status, ...body.map(({ error }) => error.code)], [200, -32005, -32005]);
  });

  test("one alone is answered by an array of one", async () => {
    assert.deepEqual((await t.post("/", reads(1))).body, [
      { jsonrpc: "2.0", id: 1, result: hex("a") },
    ]);
  });

  test("notifications alone: 204, forwarded together, once", async () => {
    const note = { jsonrpc: "2.0", method: "eth_call", params: [] };
    const { status, text } = await t.post("/", [note, note]);
    assert.deepEqual([status, text], [204, ""]);
    await t.until(() => t.endpoint.a.hits());
    assert.deepEqual([sizes("a"), t.endpoint.b.hits()], [[2], 0]);
  });
});

describe("limits", () => {
  test("an endpoint's batch_max: several smaller ones", async () => {
    const { body } = await t.post("/small", reads(7));
    assert.deepEqual(
      body.map(({ id, result }) => [id, result]),
      reads(7).map(({ id }) => [id, hex("small")]),
    );
    assert.deepEqual(sizes("small").toSorted(), [1, 3, 3]);
    assert.equal(t.endpoint.b.hits(), 0);
  });

  test("one of those fails: only its items go on", async () => {
    await t.endpoint.small.set({ mode: "status", status: 500, times: 1 });
    const { body } = await t.post("/small", reads(9));
    assert.deepEqual(ids(body), ids(reads(9)));
    assert.equal(body.filter(({ result }) => result === hex("b")).length, 3);
    assert.deepEqual(sizes("b"), [3]);
  });

  test("max_subrequests: items beyond it are refused, the others are answered", async () => {
    const { status, body } = await t.post("/budget", reads(6));
    assert.equal(status, 200);
    assert.deepEqual(ids(body), ids(reads(6)));
    assert.equal(body.filter(({ result }) => result === hex("one")).length, 4);
    const refused = body.filter(({ error }) => error);
    assert.deepEqual(
      refused.map(({ error }) => error.code),
      [-32005, -32005],
    );
    assert.equal(t.endpoint.one.hits(), 4);
    assert.equal((await t.status("budget")).endpoint.one.consecutive_failures, 0);
  });
});

test("far more items than a batch may have: one error, not a million", async () => {
  const { status, body } = await t.post("/", `[${"1,".repeat(1000)}1]`);
  assert.equal(status, 200);
  assert.deepEqual([body.id, body.error.code], [null, -32600]);
});

describe("sends in a batch", () => {
  const batch = [
    call("eth_call", [], 1),
    call("eth_sendRawTransaction", [TX], 2),
    call("eth_sendTransaction", [{}], 3),
  ];

  test("follow the rules of sends when its answer is lost", async () => {
    await t.endpoint.a.set({ mode: "reset", when: "after" });
    t.endpoint.b.script.eth_sendRawTransaction = () => {
      throw { code: -32000, message: "already known" };
    };
    const { status, body } = await t.post("/", batch);
    assert.equal(status, 200);
    assert.equal(body[0].result, hex("b"));
    assert.match(body[1].result, /^0x[\da-f]{64}$/);
    assert.deepEqual([body[2].error.code, body[2].error.data.outcome], [-32002, "unknown"]);
    assert.deepEqual(
      t.endpoint.b.requests.map(({ methods }) => methods),
      [["eth_call", "eth_sendRawTransaction"]],
    );
  });
});
