/**
 * What must hold when all faults are over.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { send } from "../tests/support/answer.mjs";
import { checkPurchases } from "./merchant.mjs";

/** The longest cooldown and rest, and some probes. */
const CLOSED_MS = 45_000;
const STEP_MS = 500;
/** Requests to the objects, by an isolate and second: one hand-in, and what starts it anew. */
const CALLS_PER_S = 1.2;
/** A process that has lived so long is warm; from then on it may grow by a fifth and a little. */
const WARM_MS = 120_000;
const OLD_MS = 300_000;
const GROWTH = 1.2;
const GROWTH_MIB = 10;

/** Reads go on; every breaker closes again by itself. */
export async function allClose(world) {
  const end = performance.now() + CLOSED_MS;
  let open;
  do {
    await sleep(STEP_MS);
    open = (await Promise.all(Object.keys(world.isolate).map((name) => opens(world, name)))).flat();
  } while (open.length > 0 && performance.now() < end + 3 * world.delays.longest(0, end));
  if (open.length > 0) world.record.violation("breakers stay open", open.join(", "));
}

async function opens(world, isolate) {
  const { body } = await send(`${world.isolate[isolate].url}/status`, {});
  if (!body?.routes) return [`${isolate}: no status`];
  return body.routes.flatMap(({ route, region, endpoints }) => [
    ...(region === "isolate" ? [`${isolate}: ${route} knows no region`] : []),
    ...endpoints.flatMap(({ name, state, local_state: local, chain_id: chain }) =>
      state === "closed" && local === "closed" && chain !== "wrong"
        ? []
        : [`${isolate}: ${route}/${name} ${state}, here ${local}, chain ${chain}`],
    ),
  ]);
}

export async function check(world, ms) {
  for (const transfers of world.transfers) await transfers.check(world);
  checkPurchases(world);
  checkCalls(world, ms);
  checkMemory(world);
  checkRuntime(world);
}

function checkCalls({ calls, record, isolate }, ms) {
  const { REGION = 0 } = calls.total();
  const isolates = Object.keys(isolate).length;
  // Two routes, and what was asked at the end to see the breakers.
  const most = 2 * isolates * CALLS_PER_S * (ms / 1000);
  if (REGION > most) record.violation("objects asked too often", `${REGION}, at most ${most}`);
}

function checkMemory({ memory, record }) {
  for (const { name, samples } of memory.lives.values()) {
    const warm = samples.filter(({ age }) => age >= WARM_MS);
    if (warm.length === 0 || samples.at(-1).age < OLD_MS) continue;
    const [early, late] = [middle(warm.slice(0, 6)), middle(warm.slice(-6))];
    if (late <= early * GROWTH + GROWTH_MIB) continue;
    record.violation("memory grows", `${name}: ${early.toFixed(1)} to ${late.toFixed(1)} MiB`);
  }
}

const middle = (samples) =>
  samples.map(({ mib }) => mib).sort((a, b) => a - b)[Math.floor(samples.length / 2)];

/** What workerd itself complains of: a panic, a promise that nobody heard of. */
function checkRuntime(world) {
  for (const [name, worker] of [...Object.entries(world.isolate), ["objects", world.objects]]) {
    for (const { level, message } of worker.logs.runtime) {
      const first = message.split("\n")[0].slice(0, 160).replaceAll(/\d+/g, "N");
      world.record.count(`workerd says (${level}): ${first}`);
      if (/panicked|RuntimeError|unreachable|Critical/.test(message)) {
        world.record.violation("a panic", `${name}: ${message.slice(0, 800)}`);
      }
    }
  }
}
