/**
 * Carries a schedule out.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { begin, mend } from "./faults.mjs";

/**
 * @param {import("./world.mjs").World} world
 * @param {import("./schedule.mjs").Event[]} events
 * @returns {Promise<void>} when all of them are over
 */
export async function direct(world, events) {
  const turns = new Map();
  for (const event of events) {
    await sleep(Math.max(0, event.at - world.record.now()));
    // What befalls one and the same comes one after the other, however late the machine is.
    const before = turns.get(event.target) ?? Promise.resolve();
    turns.set(
      event.target,
      before.then(() => happen(world, event)),
    );
  }
  await Promise.all(turns.values());
}

async function happen(world, event) {
  const { target, kind, until } = event;
  const left = () => sleep(Math.max(0, until - world.record.now()));
  world.record.event(`${target} ${kind}`);
  world.record.count(`fault: ${target in world.endpoint ? kind : `${target} ${kind}`}`);
  if (target === "object") await objects[kind](world, left);
  else if (target in world.isolate) await restart(world, target);
  else await fail(world, event, left);
  world.record.event(`${target} is well`);
}

async function fail(world, { target, kind, fault, blackout }, left) {
  const endpoint = world.endpoint[target];
  const lit = blackout ? world.away("blackout") : () => {};
  const up = kind === "is behind" ? world.away("head") : () => {};
  await begin(endpoint, fault);
  await left();
  await mend(endpoint);
  lit();
  up();
}

async function restart(world, name) {
  const back = world.away(name);
  await world.isolate[name].restart();
  back();
}

const objects = {
  restarts: (world) => away(world, async () => {}),
  "is away": (world, left) => away(world, left),
  async "is frozen"(world, left) {
    const back = world.away("object");
    process.kill(world.objects.pid, "SIGSTOP");
    await left();
    process.kill(world.objects.pid, "SIGCONT");
    back();
  },
};

async function away(world, meanwhile) {
  const back = world.away("object");
  await world.calls.look(world.objects.url);
  await world.objects.halt();
  await meanwhile();
  await world.objects.start();
  back();
}
