/**
 * What to make of the findings: sentences with their reasons in figures. Pure.
 *
 * @typedef {object} Advice
 * @property {"problem" | "advice" | "note"} level a problem makes the exit status 1
 * @property {string} route
 * @property {string[]} endpoints names; empty: it is about the route
 * @property {string | null} write what to write in wrangler.toml, as TOML
 * @property {string} why a sentence
 *
 * @typedef {Omit<Advice, "route">} Item
 * @typedef {import("../configured.mjs").ConfiguredRoute} Route
 * @typedef {import("../route.mjs").Examined} Examined
 * @typedef {(route: Route, examined: Examined) => Item[]} Rule
 */

const LEVELS = ["problem", "advice", "note"];

/**
 * @param {Item["level"]} level
 * @returns {(who: string | string[] | null, why: string, write?: string) => Item}
 */
const item =
  (level) =>
  (who, why, write = null) => ({ level, endpoints: who === null ? [] : [who].flat(), write, why });

export const problem = item("problem");
export const advice = item("advice");
export const note = item("note");

/**
 * @param {Rule[]} rules
 * @param {Route} route
 * @param {Examined} examined
 * @returns {Advice[]} the worst first
 */
export function adviseBy(rules, route, examined) {
  const items = rules.flatMap((rule) => rule(route, examined));
  return LEVELS.flatMap((level) => items.filter((one) => one.level === level)).map((one) => ({
    ...one,
    route: examined.route,
  }));
}

/** Endpoints that can be judged, with their configuration. */
export const fitOnes = (route, { endpoints }) =>
  endpoints
    .map((finding, i) => ({ finding, configured: route.endpoints[i] }))
    .filter(({ finding }) => finding.state === "fit");

/** @param {string[]} names @returns {string} `a, b and c` */
export const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** @param {number} ms @param {number} step @returns {number} up to whole steps */
export const roundUp = (ms, step) => Math.ceil(ms / step) * step;
