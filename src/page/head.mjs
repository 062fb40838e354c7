/**
 * The top of the page: how it is, how old that is, what is wrong beside the endpoints.
 */
import { el } from "./dom.mjs";
import { mark } from "./marks.mjs";
import { worst } from "./sight.mjs";
import { span } from "./words.mjs";

const SUMMARY = { ok: "All is well", warn: "Serving, with trouble", bad: "Out of service" };

/**
 * @typedef {object} Seen
 * @property {{ name: string, level: "ok" | "warn" | "bad" }[]} told of each route
 * @property {string} trouble why the status could not be loaded; empty: it could
 * @property {string[]} faults of the configuration
 * @property {number} age of what is shown, in ms; NaN while there is nothing
 * @property {boolean} old whether that is too old to go by
 */

/** @param {Seen} seen @returns {"ok" | "warn" | "bad"} of all together */
export const level = ({ told, trouble, faults }) =>
  worst(trouble || faults.length > 0 ? [{ level: "warn" }, ...told] : told);

/** @param {Seen} seen @returns {string} in a few words */
export function title(seen) {
  const { told } = seen;
  const bad = told.filter((route) => route.level === "bad").map(({ name }) => name);
  if (bad.length > 0 && told.length > 1) return `${SUMMARY.bad}: ${bad.join(", ")}`;
  const words = SUMMARY[level(seen)];
  return told.length === 1 ? `${told[0].name}: ${words}` : words;
}

/** @param {Seen} seen @returns {Element[]} always as many */
export function head(seen) {
  const { age, old, told, trouble, faults } = seen;
  const loaded = !Number.isNaN(age);
  const how = level(seen);
  return [
    el("p.brand", {}, "Breakwater"),
    el("h1", {}, loaded && mark(how, how), loaded ? title(seen) : "Loading the status…"),
    el(
      `p.fresh${old ? ".warn" : ""}`,
      {},
      loaded && `as of ${span(age)} ago${old ? ", which is old" : ""}`,
    ),
    el(
      "p.alarm",
      { hidden: !trouble },
      trouble && `The status cannot be loaded (${trouble}). `,
      loaded && `Below is what it was ${span(age)} ago. `,
      "It is asked for again every few seconds.",
    ),
    el(
      "div.alarm",
      { hidden: faults.length === 0 },
      el("b", {}, "Configuration"),
      el(
        "ul",
        {},
        faults.map((fault) => el("li", {}, fault)),
      ),
    ),
    el("nav", { hidden: told.length < 2, "aria-label": "Routes" }, el("ul", {}, told.map(link))),
  ];
}

const link = ({ name, level: how }) =>
  el(
    "li",
    {},
    el(
      "a",
      { href: `#r-${name}` },
      mark(how, how),
      name,
      el("span.hidden", {}, `: ${SUMMARY[how]}`),
    ),
  );
