/**
 * The result as a value: what `--json` prints. Its shape is told in docs/doctor.md, and stays.
 *
 * @typedef {object} RouteResult
 * @property {string} route
 * @property {"evm" | "x402"} protocol
 * @property {number | null} chain_id
 * @property {number | null} block_time_s
 * @property {object[]} endpoints findings
 * @property {object[] | null} deployed endpoints of the status, when a deployment was looked at
 * @property {import("./advice/advice.mjs").Advice[]} advice
 *
 * @typedef {object} Result
 * @property {1} version of this shape
 * @property {number} at_ms
 * @property {"file" | "deployment"} source
 * @property {{ samples: number, long: boolean }} settings
 * @property {RouteResult[]} routes
 * @property {{ problem: number, advice: number, note: number }} counts
 */
import { advise } from "./advice/index.mjs";

/** What of a status is told: nothing that names a host is in one. */
const SHOWN = [
  ...["name", "state", "enabled", "head", "lag_blocks", "finalized", "finalized_lag_blocks"],
  ...["chain_id", "requests", "failures", "latency_ms", "gaps", "last_failure", "fault"],
];

/**
 * @param {import("./configured.mjs").ConfiguredRoute[]} routes
 * @param {object[]} examined in the same order
 * @param {{ source: Result["source"], settings: import("./options.mjs").Settings, at_ms: number }} run
 * @returns {Result}
 */
export function resultOf(routes, examined, { source, settings, at_ms }) {
  const results = routes.map((route, i) => ({
    ...examined[i],
    deployed: route.status ? route.status.endpoints.map(shown) : null,
    advice: advise(route, examined[i]),
  }));
  const count = (level) =>
    results.flatMap(({ advice }) => advice).filter((one) => one.level === level).length;
  return {
    version: 1,
    at_ms,
    source,
    settings: { samples: settings.samples, long: settings.long },
    routes: results,
    counts: { problem: count("problem"), advice: count("advice"), note: count("note") },
  };
}

const shown = (one) => Object.fromEntries(SHOWN.map((key) => [key, one[key] ?? null]));
