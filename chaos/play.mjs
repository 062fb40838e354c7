/**
 * One run from its beginning to its end.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { dice } from "./dice.mjs";
import { direct } from "./director.mjs";
import { allClose, check } from "./ending.mjs";
import { ping, watch } from "./filters.mjs";
import { buy } from "./merchant.mjs";
import { read } from "./readers.mjs";
import { Record } from "./record.mjs";
import { schedule } from "./schedule.mjs";
import { ENDPOINTS, ISOLATES, startWorld } from "./world.mjs";
import { write } from "./writers.mjs";

const LOOK_MS = 5_000;
/** Everything works for so long at the end. */
const CALM_MS = 6_000;

/**
 * @param {{ seed: number, ms: number, listener?: (line: string) => void }} options
 * @returns {Promise<{ record: Record, world: import("./world.mjs").World }>} `world` has been stopped
 */
export async function play({ seed, ms, listener }) {
  const record = new Record(listener);
  const world = await startWorld(record);
  world.transfers = [];
  const looking = setInterval(() => world.look(), LOOK_MS);
  try {
    const clients = start(world, seed);
    const faults = schedule({ seed, ms, endpoints: ENDPOINTS, isolates: ISOLATES });
    const directed = direct(world, faults).then(() => sleep(Math.max(CALM_MS, ms - record.now())));
    await Promise.race([directed, Promise.all(clients)]);
    await allClose(world);
    world.over = true;
    await Promise.all(clients);
    await world.look();
    await check(world, record.now());
  } finally {
    world.over = true;
    clearInterval(looking);
    await world.stop();
  }
  return { record, world };
}

function start(world, seed) {
  const of = (name) => dice(seed, name);
  return [
    ...ISOLATES.flatMap((isolate) => [
      read(world, isolate, of(`read ${isolate}`)),
      read(world, isolate, of(`read ${isolate} too`)),
      watch(world, isolate, of(`watch ${isolate}`)),
    ]),
    write(world, "a", of("viem a"), { tool: "viem", index: 1 }),
    write(world, "b", of("ethers b"), { tool: "ethers", index: 2 }),
    write(world, "c", of("viem c"), { tool: "viem", index: 3 }),
    write(world, "c", of("ethers c"), { tool: "ethers", index: 4 }),
    ping(world, of("ping")),
    buy(world, seed * 100_000),
  ];
}
