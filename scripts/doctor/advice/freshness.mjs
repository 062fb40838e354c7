/**
 * Who is behind.
 */
import { grouped } from "../../console/table.mjs";
import { fitOnes, note, problem } from "./advice.mjs";

/** Finalized blocks come in steps; less than this is no lag. */
const FINALIZED_STEPS = 64;

/** As Breakwater judges: behind by more than both. */
export function isStale({ lag }, { max_lag_blocks, max_lag_ms }) {
  if (!lag || max_lag_blocks === 0 || max_lag_ms === 0) return false;
  const seconds = lag.seconds ?? Number.POSITIVE_INFINITY;
  return lag.blocks > max_lag_blocks && seconds * 1000 > max_lag_ms;
}

/** @param {import("../heads.mjs").Lag} lag */
const far = ({ blocks, seconds }) =>
  `${grouped(blocks)} blocks${seconds === null ? "" : ` (${grouped(Math.round(seconds))} s)`}`;

/** @type {import("./advice.mjs").Rule} */
export const behind = (route, examined) =>
  fitOnes(route, examined)
    .filter(({ finding }) => isStale(finding, route.keys))
    .map(({ finding: { name, lag } }) =>
      problem(
        name,
        `its head is ${far(lag)} behind: more than max_lag_blocks = ${route.keys.max_lag_blocks} ` +
          `and max_lag_ms = ${route.keys.max_lag_ms}, so it is asked last for reads of the head`,
      ),
    );

/** @type {import("./advice.mjs").Rule} */
export const stuck = (route, examined) =>
  fitOnes(route, examined)
    .filter(({ finding }) => finding.advances === false)
    .map(({ finding: { name, head } }) =>
      problem(name, `its head stands at ${grouped(head)} while others show new blocks`),
    );

/** @type {import("./advice.mjs").Rule} */
export const finalizedBehind = (route, examined) =>
  fitOnes(route, examined)
    .filter(({ finding }) => finding.finalized_lag > FINALIZED_STEPS)
    .filter(({ finding }) => !(finding.lag?.blocks > FINALIZED_STEPS))
    .map(({ finding: { name, finalized_lag } }) =>
      problem(
        name,
        `finalized is ${grouped(finalized_lag)} behind the others' although its head is not: ` +
          "reads of finalized and safe go elsewhere",
      ),
    );

/** @type {import("./advice.mjs").Rule} */
export function noFinalized(route, examined) {
  const fit = fitOnes(route, examined);
  const without = fit.filter(({ finding }) => finding.finalized === null);
  if (without.length === 0 || without.length === fit.length) return [];
  return without.map(({ finding }) =>
    note(finding.name, "tells no finalized block, the others do: its node may be an old version"),
  );
}
