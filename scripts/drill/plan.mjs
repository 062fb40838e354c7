/**
 * What is played, on whom, and whether it may be. Pure.
 */
import { Usage } from "../console/arguments.mjs";

const ALONE =
  'no object keeps what a drill could change: SERVICE.state is "isolate" there, where orders get ' +
  "HTTP 409, or the object is silent";
const DEFAULT_ATTEMPT_MS = { evm: 3500, x402: 15_000 };
const MORE_MS = 500;
/** After the end of a fault the breaker's longest cooldown, its jitter, and some probes and syncs. */
const BACK_FACTOR = 1.2;
const BACK_MORE_MS = 45_000;

/**
 * @typedef {object} Fault
 * @property {string} kind
 * @property {number} value ms or blocks
 * @property {number} for_ms
 * @property {boolean} must_move whether another endpoint has to take over
 *
 * @typedef {object} Plan
 * @property {string} endpoint
 * @property {string} mode of the route
 * @property {Fault[]} faults
 * @property {number} backMs how long at most it is waited for the endpoint's return
 *
 * @param {any} status of the route
 * @param {import("./options.mjs").Asked} asked
 * @returns {Plan}
 * @throws {Usage} when it may not be played
 */
export function makePlan(status, asked) {
  if (status.region === "isolate") throw new Usage(ALONE);
  const endpoint = asked.endpoint ?? status.serving;
  const chosen = status.endpoints.find(({ name }) => name === endpoint);
  if (endpoint === null) throw new Usage("nobody serves now: this is no time for a drill");
  if (!chosen) throw new Usage(`no such endpoint; there are ${names(status.endpoints)}`);
  const played = status.endpoints.filter(({ fault }) => fault);
  if (played.length > 0) throw new Usage(`a drill is going on already (${names(played)})`);
  if (!isFit(chosen, status) && !asked.force)
    throw new Usage(`${endpoint} is not fit now: its drill would show nothing (--force plays it)`);
  const others = status.endpoints.filter((one) => one !== chosen && isFit(one, status));
  if (others.length === 0 && !asked.force)
    throw new Usage(
      `no other endpoint than ${endpoint} is fit: callers would get errors (--force plays it)`,
    );
  const { cooldown_max_ms = 120_000 } = status.config;
  const backMs = Math.ceil(cooldown_max_ms * BACK_FACTOR) + BACK_MORE_MS;
  return { endpoint, mode: status.mode, faults: faults(status, asked), backMs };
}

const names = (endpoints) => endpoints.map(({ name }) => name).join(", ");

/** @returns {boolean} whether it could take over */
export const isFit = ({ state, enabled, chain_id, throttled_until_ms }, { now_ms }) =>
  state === "closed" &&
  enabled &&
  chain_id !== "wrong" &&
  (throttled_until_ms === null || throttled_until_ms <= now_ms);

function faults({ protocol, mode, config }, { kinds, forMs, slowMs, staleBlocks }) {
  const usual = protocol === "x402" ? ["down", "slow"] : ["down", "slow", "stale"];
  if (protocol === "x402" && kinds?.includes("stale"))
    throw new Usage("facilitators have no head that could be stale");
  const attempt = config.attempt_timeout_ms ?? DEFAULT_ATTEMPT_MS[protocol];
  const value = { down: 0, slow: slowMs ?? attempt + MORE_MS, stale: staleBlocks };
  const late = (kind) => kind !== "slow" || value.slow >= attempt;
  const must_move = (kind) => mode !== "quorum" && late(kind);
  const fault = (kind) => ({ kind, value: value[kind], for_ms: forMs, must_move: must_move(kind) });
  return (kinds ?? usual).map(fault);
}
