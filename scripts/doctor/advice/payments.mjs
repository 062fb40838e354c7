/**
 * Facilitators of an x402 route.
 */
import { advice, fitOnes, listed, note, problem } from "./advice.mjs";

const DEFAULT_MS = 15_000;

/** @type {import("./advice.mjs").Rule} */
export const unfitFacilitators = (route, { endpoints }) =>
  endpoints.flatMap((finding, i) => {
    const { name, state, trouble, missing_secrets } = finding;
    if (state === "fit") return [];
    if (state === "no_secret")
      return [
        problem(name, `left out: ${listed(missing_secrets)} is not in .dev.vars or environment`),
      ];
    if (state === "refused" && route.endpoints[i].signed)
      return [
        note(name, `wants a token of the merchant's (${trouble}): it cannot be looked at here`),
      ];
    return [problem(name, `gives no /supported (${trouble})`)];
  });

/** A payment on a network that one facilitator alone settles cannot move. @type {import("./advice.mjs").Rule} */
export function alone(route, examined) {
  const fit = fitOnes(route, examined).map(({ finding }) => finding);
  if (fit.length === 0) return [];
  const kinds = [...new Set(fit.flatMap((one) => one.kinds))];
  const byOne = kinds
    .map((kind) => [kind, fit.filter((one) => one.kinds.includes(kind))])
    .filter(([, who]) => who.length === 1);
  return byOne.map(([kind, [{ name }]]) =>
    advice(name, `is the only one for ${kind}: when it is out, such payments have nowhere to go`),
  );
}

/** @type {import("./advice.mjs").Rule} */
export const late = (route, examined) =>
  fitOnes(route, examined).flatMap(({ finding, configured }) => {
    const { p99, samples } = finding.latency.supported;
    const limit = configured.attempt_timeout_ms ?? route.keys.attempt_timeout_ms ?? DEFAULT_MS;
    if (p99 === null || p99 * 1.5 <= limit) return [];
    return [
      advice(finding.name, `/supported took up to ${p99} ms (p99 of ${samples}) of ${limit}`),
    ];
  });
