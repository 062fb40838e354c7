/**
 * Clients that only read, and know what is right: the chain itself is asked the same.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { TOPIC } from "../tests/support/pings.mjs";
import { ask, brief, callOf, failed, post, rightId } from "./ask.mjs";
import { between, pick } from "./dice.mjs";
import { LARGE_AT } from "./world.mjs";

const hex = (n) => `0x${n.toString(16)}`;
/** Blocks below the head that are asked for. */
const DEEP = 40;
const BATCH = 20;
/** One large answer among so many. */
const LARGE_EVERY = 8;

/** What is asked at a fixed block; every answer is known. */
const FIXED = {
  eth_getBalance: (world, roll, block) => [pick(roll, world.chain.accounts), block],
  eth_getTransactionCount: (world, roll, block) => [pick(roll, world.chain.accounts), block],
  eth_getBlockByNumber: (_, roll, block) => [block, roll() < 0.3],
  eth_getBlockReceipts: (_, __, block) => [block],
  eth_getBlockTransactionCountByNumber: (_, __, block) => [block],
  eth_getLogs: ({ pings }, roll, block) => [
    {
      address: pings.address,
      topics: [TOPIC],
      fromBlock: hex(Math.max(0, Number(block) - between(roll, 0, 20))),
      toBlock: block,
    },
  ],
  eth_getStorageAt: ({ pings }, _, block) => [pings.address, "0x0", block],
  eth_getCode: ({ pings }, _, block) => [pings.address, block],
  eth_call: ({ pings }, _, block) => [{ to: pings.address, data: `0x${"00".repeat(32)}` }, block],
};

function fixedCall(world, roll, head) {
  const method = pick(roll, Object.keys(FIXED));
  const block = hex(Math.max(0, head - between(roll, 0, DEEP)));
  return callOf(roll, method, FIXED[method](world, roll, block));
}

/** Goes on until the world is over. `step` gets the reader's memory. */
export async function read(world, isolate, roll) {
  const self = { head: 1, restarts: 0, mark: 0 };
  for (let n = 0; !world.over; n += 1) {
    if (n % 5 === 0) await readHead(world, isolate, roll, self);
    else if (n % 5 === 1) await readBatch(world, isolate, roll, self.head);
    else await readFixed(world, isolate, roll, self.head);
    if (n % LARGE_EVERY === 0) await readLarge(world, isolate, roll);
    await sleep(between(roll, 20, 150));
  }
}

/** It may not go back as long as the isolate lives. */
async function readHead(world, isolate, roll, self) {
  const from = performance.now();
  const before = self.mark;
  const result = await ask(world, isolate, callOf(roll, "eth_blockNumber", []), {
    seen: (answer) => {
      self.said = answer;
    },
  });
  if (result === undefined) return;
  const head = Number(result);
  self.head = head;
  const again = world.wasAway(isolate, self.since ?? 0);
  if (again) self.mark = 0;
  if (head < before && !again && !world.wasAway(isolate, from)) {
    world.record.violation("head went back", `${isolate}: ${before}, then ${brief(self.said)}`);
  }
  self.since = from;
  self.mark = Math.max(self.mark, head);
  const own = Number(await world.chain.rpc("eth_blockNumber"));
  if (head > own) world.record.violation("head of no chain", `${head}, the chain's is ${own}`);
  world.record.count(`heads ${Math.min(own - head, 4)} behind`);
}

async function readFixed(world, isolate, roll, head) {
  const call = fixedCall(world, roll, head);
  let said;
  const seen = (answer) => {
    said = answer;
  };
  const result = await ask(world, isolate, call, { seen });
  if (result !== undefined) await compare(world, isolate, call, result, brief(said));
}

async function readBatch(world, isolate, roll, head) {
  const calls = Array.from({ length: BATCH }, () => fixedCall(world, roll, head));
  calls[between(roll, 0, BATCH - 1)] = callOf(roll, "eth_chainId", []);
  const { answer, from } = await post(world, isolate, calls, { what: "batch" });
  if (!answer) return;
  if (answer.body?.length !== BATCH) {
    world.record.violation("batch of another length", brief(answer));
    return;
  }
  for (const [i, reply] of answer.body.entries()) {
    if (!rightId(world, calls[i], reply, { ...answer, text: JSON.stringify(reply) })) continue;
    const text = `${JSON.stringify(reply).slice(0, 300)} [reason ${answer.reason}]`;
    if (reply.error) failed(world, isolate, from, `item of a batch: ${calls[i].method}`, text);
    else await compare(world, isolate, calls[i], reply.result, text);
  }
}

async function compare(world, isolate, { method, params }, result, said) {
  const right = JSON.stringify(await world.chain.rpc(method, params));
  world.record.count("answers compared with the chain's");
  const told = JSON.stringify(result);
  if (told === right || (await raced(world, method, params, told))) return;
  const empty = result === null || (Array.isArray(result) && result.length === 0);
  const kind = empty ? "empty answer to what there is" : "wrong answer";
  const asked = `${method} ${JSON.stringify(params)}`;
  world.record.violation(kind, `${isolate}: ${asked}: ${said}; right: ${right.slice(0, 200)}`);
}

/** While anvil makes a block, what it says of the last one may be the new one's already. */
const RACE_MS = 3_000;

/** Whether the chain itself says so, later, of this block or the next. */
async function raced(world, method, params, said) {
  await sleep(RACE_MS);
  const at = params.findLastIndex((param) => /^0x[0-9a-f]{1,8}$/.test(param));
  const next = at < 0 ? params : params.with(at, hex(Number(params[at]) + 1));
  for (const asked of [params, next]) {
    if (JSON.stringify(await world.chain.rpc(method, asked)) !== said) continue;
    world.record.count("answers of the chain that it corrected");
    return true;
  }
  return false;
}

async function readLarge(world, isolate, roll) {
  const call = callOf(roll, "eth_getCode", [LARGE_AT, "latest"]);
  const begun = `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},"result":"${world.large}`;
  const cut = ({ text }) => begun.startsWith(text);
  const result = await ask(world, isolate, call, { what: "large", large: true, cut });
  if (result === undefined) return;
  world.record.count("large answers compared byte by byte");
  if (result !== world.large) {
    world.record.violation("wrong large answer", `${result?.length} for ${world.large.length}`);
  }
}
