/**
 * The lines of the corpus whose meaning hangs on known heads.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { BY_HEADS } from "../support/corpus/lines.mjs";
import { quantity, STRICT, teach } from "../support/heads.mjs";
import { http, scenes } from "../support/scenes.mjs";

/** What an endpoint says that has it all. */
const WELL = {
  eth_blockNumber: quantity(20_000_005),
  eth_getBlockByNumber: { number: "0x1" },
  eth_getBlockReceipts: [{ status: "0x1" }],
  eth_getLogs: [{ logIndex: "0x0" }],
  eth_getTransactionReceipt: { status: "0x1" },
};
const block = ({ block }) => quantity(block);
const PARAMS = {
  eth_blockNumber: () => [],
  eth_getBlockByNumber: (known) => [block(known), false],
  eth_getBlockReceipts: (known) => [block(known)],
  eth_getLogs: (known) => [{ fromBlock: "0x1", toBlock: block(known) }],
  eth_getTransactionReceipt: () => [`0x${"c0".repeat(32)}`],
};
/** An endpoint that lags is not asked first for these: the one that has it all answers. */
const AT_HEAD = ["eth_getTransactionReceipt"];

let t;
let scene;

before(async () => {
  const wanted = BY_HEADS.flatMap(({ id }) => [id, `${id}-all`]);
  ({ t, scene } = await scenes(Object.fromEntries(wanted.map((name) => [name, STRICT]))));
});

after(() => t?.stop());

/** The first endpoint answers like the line, the second is well, or like the line too. */
async function play(line, everybody) {
  const { id, method, known, status, body } = line;
  const s = scene(everybody ? `${id}-all` : id);
  await teach(s, { known: known.known_head ?? known.block, own: known.endpoint_head });
  const like = http(status, body, { "content-type": "application/json" });
  await s.a.set(like);
  if (everybody) await s.b.set(like);
  s.b.script[method] = WELL[method];
  return { s, answer: await s.rpc(method, PARAMS[method](known)) };
}

describe("a line of the corpus, by heads", () => {
  for (const line of BY_HEADS) {
    const { id, method, read, body } = line;
    const [action, gap] = read.split("+");

    test(id, async () => {
      const { s, answer } = await play(line, false);
      const first = AT_HEAD.includes(method) ? 0 : 1;
      const goesOn = action === "return" ? 0 : 1;
      assert.deepEqual(s.hits(), [first, goesOn]);
      assert.deepEqual(answer.result, goesOn ? WELL[method] : JSON.parse(body).result);
      assert.equal(answer.reason, first && goesOn ? `${id}-a=${line.class}` : null);
      const { failures, rest, gaps } = await s.status();
      assert.deepEqual([rest, gaps], [0, gap ? [method] : []]);
      assert.equal(failures, 0);
    });

    test(`${id}, everybody`, async () => {
      const { answer } = await play(line, true);
      const { result, error } = JSON.parse(body);
      assert.deepEqual([answer.status, answer.result, answer.error], [200, result, error]);
    });
  }
});
