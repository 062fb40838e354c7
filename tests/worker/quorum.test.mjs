/**
 * Quorum mode: several endpoints are asked, enough must say the same, who does not is told of.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { call } from "../support/calls.mjs";
import { scenes } from "../support/scenes.mjs";
import { transaction } from "../support/transaction.mjs";

const METHODS = [
  "eth_blockNumber",
  "eth_call",
  "eth_getLogs",
  "eth_getTransactionReceipt",
  "eth_gasPrice",
  "eth_sendRawTransaction",
];
const quorum = (of, more) => ({ threshold: 2, of, methods: METHODS, ...more });
const common = { mode: "quorum", count: 3 };
const STALL_MS = 150;
const AT = [{}, "0x10"];

let t;
let scene;

before(async () => {
  ({ t, scene } = await scenes({
    main: { ...common, quorum: quorum(3), total_timeout_ms: 6_000 },
    pairs: { ...common, quorum: quorum(2), hedge_after_ms: STALL_MS },
    best: { ...common, quorum: quorum(3, { on_disagreement: "best_effort" }) },
    pinned: { ...common, quorum: quorum(3) },
    doubting: { ...common, quorum: quorum(3), empty_result: "retry" },
    headless: { ...common, quorum: quorum(3) },
    plain: { ...common, quorum: quorum(3) },
    strict: { ...common, count: 2, quorum: quorum(2), total_timeout_ms: 6_000 },
  }));
});

after(() => t?.stop());

beforeEach(async () => {
  await t.heal();
  for (const endpoint of Object.values(t.endpoint)) endpoint.script.eth_call = "0xaa";
});

test("equal answers are the client's, and the header says that they are", async () => {
  const s = scene("main");
  const { result, headers, attempts, reason } = await s.rpc("eth_call", AT);
  assert.deepEqual([result, headers.get("x-breakwater-quorum")], ["0xaa", "met"]);
  assert.deepEqual([attempts, reason], [3, null]);
  assert.match(headers.get("access-control-expose-headers"), /x-breakwater-quorum/);
});

test("one that is wrong is outvoted, named and counted, and its breaker is untouched", async () => {
  const s = scene("main");
  s.b.script.eth_call = "0xbb";
  s.c.script.eth_call = async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return "0xaa";
  };
  const before = (await s.status("b")).disagreements;
  const { result, reason } = await s.rpc("eth_call", AT);
  assert.deepEqual([result, reason], ["0xaa", "main-b=outvoted"]);
  const { disagreements, state, failures } = await s.status("b");
  assert.deepEqual([disagreements, state, failures], [before + 1, "closed", 0]);
});

test("all different: an error of ours, with names and counts, and no value", async () => {
  const s = scene("main");
  s.b.script.eth_call = "0xbb";
  s.c.script.eth_call = "0xcc";
  const { status, error, result, headers, by } = await s.rpc("eth_call", AT);
  assert.deepEqual([status, error.code, result, by], [200, -32098, undefined, null]);
  assert.equal(headers.get("x-breakwater-quorum"), "not_met");
  assert.equal(error.data.threshold, 2);
  assert.deepEqual(error.data.votes.map(({ count, endpoints }) => [count, ...endpoints]).sort(), [
    [1, "main-a"],
    [1, "main-b"],
    [1, "main-c"],
  ]);
});

test("one down and one wrong is no answer either", async () => {
  const s = scene("strict");
  s.a.script.eth_call = "0xbb";
  await s.b.set({ mode: "status", status: 400 });
  const { error } = await s.rpc("eth_call", AT);
  assert.equal(error.code, -32098);
  assert.deepEqual(error.data.votes, [{ count: 1, endpoints: ["strict-a"] }]);
  assert.deepEqual(error.data.attempts, [{ endpoint: "strict-b", class: "client_error" }]);
});

test("best effort gives what most said, flagged", async () => {
  const s = scene("best");
  s.b.script.eth_call = "0xbb";
  await s.c.set({ mode: "status", status: 400 });
  const { result, headers } = await s.rpc("eth_call", AT);
  assert.match(result, /0xaa|0xbb/);
  assert.equal(headers.get("x-breakwater-quorum"), "best_effort");
});

test("a failure asks the next one at once, and those that fail do not vote", async () => {
  const s = scene("pairs");
  await s.a.set({ mode: "rate_limit", retry_after: null });
  const { result, attempts, reason } = await s.rpc("eth_call", AT);
  assert.deepEqual([result, attempts, reason], ["0xaa", 3, "pairs-a=rate_limited"]);
});

test("a stall asks the next one, and the loser's request is ended", async () => {
  const s = scene("pairs");
  await t.until(async () => (await s.status("a")).rest <= 0);
  await s.b.set("hang");
  const { result, ms } = await s.rpc("eth_call", AT);
  assert.equal(result, "0xaa");
  assert.ok(ms >= STALL_MS && ms < 3_500, `took ${ms} ms`);
  await t.until(() => s.b.requests[0]?.abandoned);
  assert.equal((await s.status("b")).failures, 0);
});

test("reads of latest are asked at one agreed block, which holds for a second", async () => {
  const s = scene("pinned");
  s.a.script.eth_blockNumber = "0x64";
  s.b.script.eth_blockNumber = "0x66";
  s.c.script.eth_blockNumber = "0x65";
  assert.equal((await s.rpc("eth_call", [{}, "latest"])).result, "0xaa");
  await s.rpc("eth_call", [{}]);
  const params = [s.a, s.b, s.c].flatMap(({ requests }) =>
    requests
      .map(({ body }) => JSON.parse(body))
      .filter(({ method }) => method === "eth_call")
      .map((c) => c.params),
  );
  // The third is given up, perhaps before it is on its way, when two agree.
  assert.ok(params.length >= 4 && params.length <= 6, `${params.length} calls`);
  for (const each of params) assert.deepEqual(each, [{}, "0x65"]);
  assert.ok(
    s.hits("eth_blockNumber").every((hits) => hits <= 1),
    "the head is asked for once",
  );
});

test("a head is one that enough have reached, whoever is fast", async () => {
  const s = scene("main");
  s.a.script.eth_blockNumber = "0x5a";
  for (const one of [s.b, s.c]) {
    one.script.eth_blockNumber = async () => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return "0x64";
    };
  }
  const { result, reason } = await s.rpc("eth_blockNumber");
  assert.deepEqual([result, reason], ["0x64", "main-a=outvoted"]);
});

test("logs agree in any order, and a missing one is disagreement", async () => {
  const s = scene("main");
  const log = (n) => ({
    blockHash: "0x01",
    logIndex: `0x${n}`,
    address: "0x0a",
    topics: [],
    data: "0x",
  });
  const range = [{ fromBlock: "0x1", toBlock: "0x2" }];
  s.a.script.eth_getLogs = [log(1), log(2)];
  s.b.script.eth_getLogs = [log(2), log(1)];
  s.c.script.eth_getLogs = [log(1)];
  assert.equal((await s.rpc("eth_getLogs", range)).result.length, 2);
  s.b.script.eth_getLogs = [log(2)];
  assert.equal((await s.rpc("eth_getLogs", range)).error.code, -32098);
});

test("null against a value is disagreement", async () => {
  const s = scene("strict");
  s.a.script.eth_getTransactionReceipt = null;
  s.b.script.eth_getTransactionReceipt = { transactionHash: "0x01", status: "0x1", logs: [] };
  assert.equal((await s.rpc("eth_getTransactionReceipt", ["0x01"])).error.code, -32098);
  s.b.script.eth_getTransactionReceipt = null;
  assert.equal((await s.rpc("eth_getTransactionReceipt", ["0x01"])).result, null);
});

test("a batch is compared item by item", async () => {
  const s = scene("main");
  const own = (value) => (params) => (params[0].wrong ? value : "0xaa");
  s.a.script.eth_call = own("0x01");
  s.b.script.eth_call = own("0x02");
  s.c.script.eth_call = own("0x03");
  const batch = [
    call("eth_call", AT, 1),
    call("eth_call", [{ wrong: true }, "0x10"], 2),
    call("eth_getBalance", [], 3),
  ];
  const { body, headers, status } = await s.post(batch);
  assert.deepEqual([status, headers.get("x-breakwater-quorum")], [200, "not_met"]);
  assert.deepEqual([body[0].result, body[1].error.code, body[2].result], ["0xaa", -32098, "0x1"]);
});

test("a price is the middle one", async () => {
  const s = scene("main");
  s.a.script.eth_gasPrice = "0x1";
  s.b.script.eth_gasPrice = "0xffffffffffffffffffffffffff";
  s.c.script.eth_gasPrice = "0x3b9aca00";
  assert.equal((await s.rpc("eth_gasPrice")).result, "0x3b9aca00");
});

test("a send goes to all, the first acceptance is the answer", async () => {
  const s = scene("main");
  const { raw, hash } = await transaction();
  s.a.script.eth_sendRawTransaction = hash;
  s.c.script.eth_sendRawTransaction = hash;
  s.b.script.eth_sendRawTransaction = () => {
    throw { code: -32000, message: "insufficient funds for gas * price + value" };
  };
  assert.equal((await s.rpc("eth_sendRawTransaction", [raw])).result, hash);
  await t.until(() => s.hits("eth_sendRawTransaction").every((hits) => hits === 1));
});

test("methods that are not listed are asked in order", async () => {
  const s = scene("plain");
  const { by, attempts, headers } = await s.rpc("eth_getBalance", ["0x01", "latest"]);
  assert.deepEqual([by, attempts, headers.get("x-breakwater-quorum")], ["a", 1, null]);
  assert.deepEqual(s.hits("eth_blockNumber"), [0, 0, 0]);
});

test("what every endpoint refuses is passed on, and errors of theirs are no agreement", async () => {
  const s = scene("main");
  for (const one of [s.a, s.b, s.c]) {
    one.script.eth_call = () => {
      throw { code: -32602, message: "invalid argument 0" };
    };
  }
  assert.equal((await s.rpc("eth_call", AT)).error.code, -32602);
});

test("with empty_result = retry, comparing is doubt enough: nulls that agree are an answer", async () => {
  const s = scene("doubting");
  for (const one of [s.a, s.b, s.c]) one.script.eth_getTransactionReceipt = null;
  const { result, headers } = await s.rpc("eth_getTransactionReceipt", ["0x01"]);
  assert.deepEqual([result, headers.get("x-breakwater-quorum")], [null, "met"]);
});

test("without a head that is agreed on, nothing is asked at latest", async () => {
  const s = scene("headless");
  for (const one of [s.a, s.b, s.c])
    await one.set({ mode: "status", status: 400, method: "eth_blockNumber" });
  const { status, error } = await s.rpc("eth_call", [{}, "latest"]);
  assert.deepEqual([status, error.code], [503, -32002]);
  assert.deepEqual(s.hits("eth_call"), [0, 0, 0]);
  assert.equal((await s.rpc("eth_call", AT)).result, "0xaa");
});
