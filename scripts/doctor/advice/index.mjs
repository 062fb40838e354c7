/**
 * Which rules there are.
 */
import { adviseBy } from "./advice.mjs";
import { polling } from "./costs.mjs";
import { deploymentRules } from "./deployment.mjs";
import { brokenOff, forked, sameHost, throttled, tooFew, unfit } from "./fitness.mjs";
import { behind, finalizedBehind, noFinalized, stuck } from "./freshness.mjs";
import { gaps } from "./gaps.mjs";
import { archive, batch, logs } from "./limits.mjs";
import { order } from "./order.mjs";
import { alone, late, unfitFacilitators } from "./payments.mjs";
import { hedge, timeouts } from "./timeouts.mjs";

const EVM = [
  ...[unfit, forked, tooFew, brokenOff, behind, stuck, finalizedBehind, timeouts],
  ...[order, archive, batch, gaps, throttled],
  ...[logs, noFinalized, hedge, sameHost, polling],
];
const X402 = [unfitFacilitators, tooFew, brokenOff, alone, late, throttled, sameHost, polling];

/**
 * @param {import("./advice.mjs").Route} route
 * @param {import("./advice.mjs").Examined} examined
 * @returns {import("./advice.mjs").Advice[]} the worst first
 */
export function advise(route, examined) {
  if (route.status) return adviseBy(deploymentRules, route, examined);
  return adviseBy(route.protocol === "x402" ? X402 : EVM, route, examined);
}
