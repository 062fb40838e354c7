/**
 * A client that watches a contract by a filter, and makes a new one when it is told that the filter
 * is gone. Beside it somebody makes the contract log.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { TOPIC } from "../tests/support/pings.mjs";
import { ask, callOf } from "./ask.mjs";
import { between } from "./dice.mjs";

const GONE = /filter not found/i;

/** Every two seconds or so a log, straight at the chain. */
export async function ping(world, roll) {
  world.pinged = new Set();
  for (let n = 1; !world.over; n += 1) {
    world.pinged.add(await world.pings.ping(n));
    await sleep(between(roll, 1_000, 3_000));
  }
}

export async function watch(world, isolate, roll) {
  const filter = { id: undefined, seen: new Set() };
  while (!world.over) {
    if (filter.id === undefined) await make(world, isolate, roll, filter);
    else await poll(world, isolate, roll, filter);
    await sleep(between(roll, 150, 500));
  }
}

async function make(world, isolate, roll, filter) {
  const query = { address: world.pings.address, topics: [TOPIC] };
  const id = await ask(world, isolate, callOf(roll, "eth_newFilter", [query]));
  if (id === undefined) return;
  if (typeof id !== "string") world.record.violation("a filter without an id", JSON.stringify(id));
  world.record.count("filters made");
  Object.assign(filter, { id, seen: new Set() });
}

async function poll(world, isolate, roll, filter) {
  const error = ({ message }) => {
    if (!GONE.test(message)) {
      // Of its own endpoint, which nobody can stand in for.
      world.record.count("filters whose endpoint broke inside");
      return true;
    }
    world.record.count("filters gone");
    filter.id = undefined;
    return true;
  };
  const logs = await ask(world, isolate, callOf(roll, "eth_getFilterChanges", [filter.id]), {
    error,
  });
  if (logs === undefined) return;
  world.record.count("filters polled");
  for (const { transactionHash: hash, address } of logs) {
    if (filter.seen.has(hash)) world.record.violation("a log told twice", hash);
    filter.seen.add(hash);
    if (address !== world.pings.address) world.record.violation("a log of another", hash);
  }
}
