/**
 * One route: who serves, its endpoints, how to use it, what happened last.
 */
import { connect, programs } from "./connect.mjs";
import { el } from "./dom.mjs";
import { endpointItem } from "./endpoint.mjs";
import { mark } from "./marks.mjs";
import { pageOf } from "./place.mjs";
import { overall } from "./sight.mjs";
import { time } from "./time.mjs";
import { classWords, some, stateWords } from "./words.mjs";

const SHOWN = 6;

/** @param {any} route @param {number} now @returns {Element} */
export function routeSection(route, now) {
  const { level, headline } = overall(route, now);
  const name = route.route;
  const title = `title--${name}`;
  const href = pageOf(name);
  const chain = route.protocol === "x402" ? "x402 facilitators" : route.chain_name;
  return el(
    `section.route.${level}`,
    { id: `r-${name}`, "aria-labelledby": title },
    el("h2", { id: title }, href ? el("a", { href }, name) : name, el("small", {}, ` ${chain}`)),
    el("p.headline", {}, mark(level, level), el("span", {}, headline)),
    connect(route),
    el(
      "ul.endpoints",
      {},
      route.endpoints.map((endpoint) => endpointItem(route, endpoint, now)),
    ),
    timeline(route, now),
    programs(route),
    el("p.note", {}, view(route)),
  );
}

function view({ region, mode }) {
  const whose =
    region === "isolate" ? "as one Worker alone sees it" : `as seen in region ${region}`;
  return `${mode} endpoints, ${whose}`;
}

function timeline({ route, transitions }, now) {
  const heading = el("h3", {}, "What happened");
  if (transitions.length === 0) {
    return el("div.past", {}, heading, el("p.note", {}, "No breaker has moved."));
  }
  const items = transitions.map((moved) => item(moved, now));
  const earlier = items.slice(SHOWN);
  return el(
    "div.past",
    {},
    heading,
    el("ol", { "aria-label": `What happened on ${route}, newest first` }, items.slice(0, SHOWN)),
    earlier.length > 0 &&
      el(
        "details",
        {},
        el("summary", {}, some(earlier.length, "earlier move")),
        el("ol", {}, earlier),
      ),
  );
}

const MARKS = { closed: ["fit", "ok"], open: ["out", "bad"], half_open: ["test", "warn"] };

function item({ at_ms: at, endpoint, to, reason }, now) {
  return el(
    "li",
    {},
    mark(...(MARKS[to] ?? ["off", "idle"])),
    el("span", {}, el("b", {}, endpoint), ` ${stateWords(to)}: ${classWords(reason)}`),
    el("span.note", {}, ...time(at, now)),
  );
}
