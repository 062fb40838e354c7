/**
 * Which endpoint should come first.
 */
import { percentile } from "../percentiles.mjs";
import { advice } from "./advice.mjs";
import { isStale } from "./freshness.mjs";

/** What is faster by less is as fast. */
const ALIKE = 1.5;
const ALIKE_MS = 30;
const [WELL, BEHIND, UNFIT] = [0, 1, 2];

/** @returns {number | null} ms: the median of its methods' medians */
export const typical = ({ latency }) =>
  percentile(
    Object.values(latency)
      .map(({ p50 }) => p50)
      .filter((p50) => p50 !== null),
    0.5,
  );

/**
 * @param {import("./advice.mjs").Route} route
 * @param {import("./advice.mjs").Examined} examined
 * @returns {ReturnType<typeof place>[]} the fit ones: who is not behind first, then by speed,
 *   of equals who has history; the order they have if none is clearly better than the first
 */
export function ranked(route, { endpoints }) {
  const places = endpoints.map((finding) => place(finding, route.keys));
  const fit = places.filter(({ bad }) => bad < UNFIT);
  const best = fit.toSorted((a, b) => a.bad - b.bad || a.speed - b.speed || a.depth - b.depth);
  return fit.length > 0 && better(places[0], best[0]) ? best : fit;
}

/** @type {import("./advice.mjs").Rule} */
export function order(route, examined) {
  const best = ranked(route, examined);
  const now = examined.endpoints[0];
  if (route.keys.mode !== "ordered" || best.length === 0 || best[0].name === now.name) return [];
  const first = place(now, route.keys);
  const names = best.map(({ name }) => name);
  return [
    advice(
      null,
      `${now.name} comes first and ${first.why}; ${best[0].name} ${best[0].why}. ` +
        "Unless price or trust rank them otherwise, list them so",
      `# order: ${names.join(", ")}`,
    ),
  ];
}

const better = (now, best) =>
  best.name !== now.name &&
  (now.bad > best.bad || (now.ms > best.ms * ALIKE && now.ms > best.ms + ALIKE_MS));

function place(finding, keys) {
  const ms = typical(finding) ?? Number.POSITIVE_INFINITY;
  const late = isStale(finding, keys) || finding.advances === false;
  const bad = finding.state !== "fit" || finding.agrees === false ? UNFIT : late ? BEHIND : WELL;
  const speed = Math.round(Math.log(Math.max(1, ms)) / Math.log(ALIKE));
  const depth = finding.state_depth?.kind === "archive" ? 0 : 1;
  const why = [`takes ${ms} ms (the median of its methods)`, "is behind", "is not fit"][bad];
  return { name: finding.name, latency: finding.latency, bad, speed, depth, ms, why };
}
