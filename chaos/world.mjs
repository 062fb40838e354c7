/**
 * All that is needed: a chain, three endpoints, three isolates, the objects, facilitators.
 */
import { randomBytes } from "node:crypto";
import { startChain } from "../local/chain.mjs";
import { startEndpoint } from "../local/endpoint.mjs";
import { startFacilitator } from "../local/facilitator.mjs";
import { deployPings } from "../tests/support/pings.mjs";
import { Calls, Delays, Memory } from "./gauges.mjs";
import { careless } from "./merchant.mjs";
import { startIsolate, startObjects } from "./processes.mjs";

export const ENDPOINTS = ["alpha", "beta", "gamma"];
export const ISOLATES = ["a", "b", "c"];
export const FACILITATORS = ["fa", "fb"];
/** Longest until the first byte of an answer, by configuration. */
export const TOTAL_MS = 9_000;
export const ATTEMPT_MS = 2_000;
/** Quick to notice and to come back, so that much happens in a run. */
const ROUTE = {
  attempt_timeout_ms: ATTEMPT_MS,
  method_timeouts_ms: { eth_sendRawTransaction: ATTEMPT_MS },
  total_timeout_ms: TOTAL_MS,
  cooldown_ms: 1_000,
  cooldown_max_ms: 4_000,
  poll_ms: 2_000,
  max_lag_ms: 3_000,
};
/** Bytes of code of an address: in hex more than what is held in memory. */
const LARGE_BYTES = 200_000;
export const LARGE_AT = `0x${"1a".repeat(20)}`;

/** @param {import("./record.mjs").Record} record @returns {Promise<World>} */
export async function startWorld(record) {
  const chain = await startChain({ blockTimeS: 1, accounts: 12 });
  const pings = await deployPings(chain);
  const large = `0x${randomBytes(LARGE_BYTES).toString("hex")}`;
  await chain.rpc("anvil_setCode", [LARGE_AT, large]);
  const endpoints = await Promise.all(
    ENDPOINTS.map((name) => startEndpoint({ name, upstream: chain.url })),
  );
  const moves = new Map();
  const facilitators = await Promise.all(
    FACILITATORS.map((name) => startFacilitator({ name, engine: careless(name, moves) })),
  );
  const vars = configure(chain, endpoints, facilitators);
  const objects = await startObjects(vars);
  const isolates = await Promise.all(ISOLATES.map(() => startIsolate(vars, objects.url)));
  return new World({
    record,
    chain,
    pings,
    large,
    endpoints,
    facilitators,
    moves,
    objects,
    isolates,
  });
}

function configure(chain, endpoints, facilitators) {
  const table = ({ name, url }) => ({ name, url });
  const [alpha, beta, gamma] = endpoints.map(table);
  return {
    SERVICE: { default_route: "local" },
    ROUTE_LOCAL: {
      protocol: "evm",
      chain_id: chain.chainId,
      endpoints: [alpha, beta, { ...gamma, batch_max: 8 }],
      ...ROUTE,
    },
    ROUTE_PAY: {
      protocol: "x402",
      endpoints: facilitators.map(table),
      attempt_timeout_ms: 1_000,
      cooldown_ms: 500,
      cooldown_max_ms: 2_000,
    },
  };
}

const named = (names, list) => Object.fromEntries(names.map((name, i) => [name, list[i]]));

export class World {
  /** No client begins anything any more. */
  over = false;
  delays = new Delays();
  memory = new Memory();
  calls = new Calls();
  /** @type {Map<string, { at: number, until: number }[]>} when a process was away, or all endpoints (`blackout`) */
  #away = new Map();

  constructor({ endpoints, facilitators, isolates, ...parts }) {
    Object.assign(this, parts);
    this.endpoint = named(ENDPOINTS, endpoints);
    this.facilitator = named(FACILITATORS, facilitators);
    this.isolate = named(ISOLATES, isolates);
  }

  /** @param {string} who @returns {() => void} ends it */
  away(who) {
    const span = { at: performance.now(), until: Number.POSITIVE_INFINITY };
    this.#away.set(who, [...(this.#away.get(who) ?? []), span]);
    return () => {
      span.until = performance.now();
    };
  }

  /** Whether somebody was away while this went on. @param {string} who */
  wasAway(who, from, until = performance.now()) {
    return (this.#away.get(who) ?? []).some((span) => span.at <= until && span.until >= from);
  }

  /** Whether something of it began less than `ms` ago. */
  hasBegun(who, ms) {
    return (this.#away.get(who) ?? []).some(({ at }) => performance.now() - at < ms);
  }

  /** What a request may fail by, whatever is right. @returns {string | undefined} */
  excuse(isolate, from) {
    return ["blackout", isolate].find((who) => this.wasAway(who, from));
  }

  /** How long a request may take in ms, on this machine as it was meanwhile. */
  limitMs(from, limitMs = TOTAL_MS) {
    return limitMs + 1_000 + 3 * this.delays.longest(from, performance.now());
  }

  async look() {
    for (const [name, { pid }] of Object.entries(this.isolate)) this.memory.look(name, pid);
    this.memory.look("objects", this.objects.pid);
    await this.calls.look(this.objects.url);
    // What endpoints have seen is of no use here.
    for (const endpoint of this.endpoints()) endpoint.clear();
  }

  endpoints() {
    return [...Object.values(this.endpoint), ...Object.values(this.facilitator)];
  }

  async stop() {
    this.delays.stop();
    const all = [...Object.values(this.isolate), this.objects, ...this.endpoints(), this.chain];
    await Promise.all(all.map((one) => one.stop()));
  }
}
