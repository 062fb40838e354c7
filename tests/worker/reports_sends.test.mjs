/**
 * Reports from the field: transactions.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { error, refusing, scenes } from "../support/scenes.mjs";
import { transaction } from "../support/transaction.mjs";

const RAW = "eth_sendRawTransaction";
const LOOK_UP = "eth_getTransactionByHash";
const KNOWN = refusing(-32000, "already known");
const LOW = refusing(-32000, "nonce too low: next nonce 5, tx nonce 4");

let t;
let scene;

before(async () => {
  const lost = { count: 3, attempt_timeout_ms: 2000 };
  ({ t, scene } = await scenes({
    b35: lost,
    "b35-found": lost,
    "b35-strange": lost,
    b37: lost,
    b38: { count: 3 },
    b39: { count: 3 },
    b41: {},
    b42: lost,
    b44: {},
    b45: {},
  }));
});

after(() => t?.stop());

/** The first endpoint takes the transaction and says nothing, the second gives this answer. */
async function afterLoss(name, answer, found) {
  const s = scene(name);
  const { raw, hash } = await transaction();
  await s.a.set("hang");
  s.b.script[RAW] = answer;
  s.b.script[LOOK_UP] = found ? { hash } : null;
  return { s, raw, hash, answer: await s.rpc(RAW, [raw]) };
}

test("B35 accepted, its answer lost, then already known: that is success", async () => {
  const { hash, answer } = await afterLoss("b35", KNOWN);
  assert.deepEqual([answer.status, answer.result], [200, hash]);
});

test("B35 accepted, its answer lost, then a used nonce: found by its hash", async () => {
  const { hash, answer, s } = await afterLoss("b35-found", LOW, true);
  assert.deepEqual([answer.status, answer.result], [200, hash]);
  // Both who refused and who may have it are asked at once; the first to know it answers.
  const [mayHave, refused, other] = s.hits(LOOK_UP);
  assert.ok(mayHave <= 1 && refused === 1 && other === 0, `${s.hits(LOOK_UP)}`);
});

test("B35 a used nonce, and nobody knows the hash: the nonce is what is wrong", async () => {
  const { answer } = await afterLoss("b35-strange", LOW, false);
  assert.match(answer.error.message, /^nonce too low/);
});

test("B37 success with the second, and the third is left in peace", async () => {
  const { s, hash, answer } = await afterLoss("b37", KNOWN);
  assert.equal(answer.result, hash);
  assert.deepEqual(s.hits(), [1, 1, 0]);
});

test("B38 a sender's limit at the sequencer is the same everywhere", async () => {
  const s = scene("b38");
  const limit = error(-32017, "sender is over rate limit", { status: 429 });
  for (const endpoint of [s.a, s.b, s.c]) await endpoint.set(limit);
  const { error: told } = await s.rpc(RAW, [(await transaction()).raw]);
  assert.deepEqual(told, { code: -32017, message: "sender is over rate limit" });
  assert.deepEqual(s.hits(), [1, 0, 0]);
});

test("B39 a sender without funds is told so once", async () => {
  const s = scene("b39");
  const poor = { code: -32000, message: "insufficient funds for gas * price + value" };
  for (const endpoint of [s.a, s.b, s.c]) await endpoint.set({ mode: "rpc_error", ...poor });
  assert.deepEqual((await s.rpc(RAW, [(await transaction()).raw])).error, poor);
  assert.deepEqual(s.hits(), [1, 0, 0]);
});

test("B41 while the first is well, no count comes from one that lags", async () => {
  const s = scene("b41");
  s.a.script.eth_getTransactionCount = "0x7";
  s.b.script.eth_getTransactionCount = "0x6";
  for (let i = 0; i < 20; i++) {
    assert.equal((await s.rpc("eth_getTransactionCount", ["0x00", "latest"])).result, "0x7");
  }
  assert.equal(s.b.hits(), 0);
});

test("B42 what was taken and not answered goes on as the same bytes", async () => {
  const known = refusing(-32603, "Transaction duplicate: already in the pool");
  const { s, raw, hash, answer } = await afterLoss("b42", known);
  assert.equal(answer.result, hash);
  const sent = [s.a, s.b].map(({ requests }) => JSON.parse(requests[0].body).params);
  assert.deepEqual(sent, [[raw], [raw]]);
});

test("B44 a replacement that pays too little is the sender's matter", async () => {
  const s = scene("b44");
  await s.a.set(error(-32000, "replacement transaction underpriced"));
  for (let i = 0; i < 100; i++) {
    const { error: told } = await s.rpc(RAW, [(await transaction()).raw]);
    assert.equal(told.message, "replacement transaction underpriced");
  }
  const { failures, state } = await s.status();
  assert.deepEqual([failures, state, s.b.hits()], [0, "closed", 0]);
});

test("B45 an endpoint that does not know pending is not broken", async () => {
  const s = scene("b45");
  s.b.script.eth_getTransactionCount = "0x7";
  await s.a.set(error(-32603, "Internal error", { method: "eth_getTransactionCount" }));
  for (let i = 0; i < 20; i++) {
    assert.equal((await s.rpc("eth_getTransactionCount", ["0x00", "pending"])).result, "0x7");
  }
  assert.equal((await s.status()).state, "closed");
  assert.equal((await s.read()).by, "a");
});
