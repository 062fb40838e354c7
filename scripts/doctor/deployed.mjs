/**
 * A deployment as the doctor sees it: each route is one endpoint to ask, and its status tells of
 * those behind it.
 */
import { keyHeaders } from "../console/deployment.mjs";

/**
 * @param {import("../console/deployment.mjs").Deployment} at
 * @param {any[]} statuses
 * @returns {(import("./configured.mjs").ConfiguredRoute & { status: any })[]}
 */
export function routesOf(at, statuses) {
  return statuses.map((status) => ({
    route: status.route,
    variable: `ROUTE_${status.route.toUpperCase().replaceAll("-", "_")}`,
    protocol: status.protocol,
    chain_id: status.chain_id,
    keys: { mode: status.mode, batch_max: 100, method_timeouts_ms: {}, ...status.config },
    endpoints: [
      {
        name: status.route,
        url: `${at.origin}/${status.route}`,
        headers: keyHeaders(at),
        missing: [],
        archive: false,
        signed: false,
      },
    ],
    status,
  }));
}
