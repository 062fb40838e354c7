/**
 * One endpoint: how it is and why, its figures, its last hour.
 */
import { el } from "./dom.mjs";
import { mark } from "./marks.mjs";
import { standing, sums } from "./sight.mjs";
import { spark } from "./spark.mjs";
import { ago, time } from "./time.mjs";
import {
  atMost,
  classWords,
  count,
  duration,
  list,
  share,
  some,
  span,
  stateWords,
} from "./words.mjs";

/** @param {any} route @param {any} endpoint @param {number} now @returns {Element} */
export function endpointItem(route, endpoint, now) {
  const how = standing(route, endpoint, now);
  const evm = route.protocol === "evm";
  return el(
    `li.endpoint.${how.mark}`,
    { id: `r-${route.route}--${endpoint.name}` },
    el(
      "div.how",
      {},
      el("h3", {}, mark(how.mark, how.tone), endpoint.name),
      el(
        `p.word.${how.tone}`,
        {},
        how.word,
        how.since != null && el("span.note", {}, " since ", ...time(how.since, now)),
      ),
      how.why && el("p.why", {}, how.why),
      drill(endpoint, now),
    ),
    el(
      "dl.facts",
      {},
      fact(
        "Latency so far",
        `p50 ${atMost(endpoint.latency_ms.p50)}, p99 ${atMost(endpoint.latency_ms.p99)}`,
        endpoint.latency_ms.p50 == null,
      ),
      fact("Failed", failed(endpoint)),
      evm && fact("Head", head(endpoint)),
      evm && fact("Behind", behind(endpoint)),
      fact("Last failure", lastFailure(endpoint, now)),
    ),
    el(
      "div.hour",
      {},
      spark(endpoint.minutes ?? [], endpoint.name),
      el("p.note", {}, "the last hour, a bar a minute"),
    ),
    more(route, endpoint, now),
  );
}

const fact = (name, told, unknown = false) =>
  el("div", {}, el("dt", {}, name), el("dd", {}, unknown ? "unknown" : told));

function drill({ fault }, now) {
  if (fault == null || fault.until_ms <= now) return null;
  const what = {
    down: "treated as down",
    slow: `each request ${duration(fault.value)} later`,
    stale: `treated as ${some(fault.value, "block")} behind`,
  };
  return el(
    "p.drill",
    {},
    el("b", {}, "Drill"),
    ` ${what[fault.kind] ?? fault.kind}, ends in ${span(fault.until_ms - now)}`,
  );
}

/** Of the minutes that are known, else since counting began. */
function failed({ minutes = [], requests, failures }) {
  const known = minutes.length > 0;
  const of = known ? sums(minutes) : { requests, failures };
  const when = known ? `in ${minutes.length} min` : "since counting began";
  if (of.requests === 0) return `nothing asked ${when}`;
  return `${share(of.failures, of.requests)} of ${count(of.requests)} ${when}`;
}

function head({ head: number, head_age_ms: age }) {
  return number == null ? "unknown" : `${count(number)}, seen ${span(age)} ago`;
}

function behind({ lag_blocks: lag }) {
  if (lag == null) return "unknown";
  return lag === 0 ? "no" : some(lag, "block");
}

function lastFailure({ last_failure: last }, now) {
  if (last == null) return "none seen";
  const status = last.status == null ? "" : `, HTTP ${last.status}`;
  return [
    `${classWords(last.class)} (${last.class}), ${last.method}${status}, `,
    ...time(last.at_ms, now),
  ];
}

function more(route, endpoint, now) {
  const methods = Object.entries(endpoint.methods ?? {}).sort(
    ([, a], [, b]) => b.requests - a.requests,
  );
  const { score, weight, slow, disagreements } = endpoint;
  const chain = { ok: "the route's", wrong: "another" };
  return el(
    "details.more",
    {},
    el("summary", {}, "More", el("span.hidden", {}, ` about ${endpoint.name}`)),
    el(
      "dl.facts",
      {},
      fact(
        "Breaker",
        `${stateWords(endpoint.state)} since ${ago(endpoint.since_ms, now)}; opened ${some(endpoint.trips_total, "time")}`,
      ),
      fact(
        "In the Worker that answered",
        stateWords(endpoint.local_state),
        endpoint.local_state == null,
      ),
      fact("Failed tests in a row", count(endpoint.consecutive_failures)),
      fact("Asked in all", `${count(endpoint.requests)}, ${count(endpoint.failures)} failed`),
      route.protocol === "evm" && [
        fact("Finalized block", count(endpoint.finalized)),
        fact("Chain id", chain[endpoint.chain_id] ?? "unknown"),
      ],
      score != null && fact("Weight and score", `${weight} × ${score.value.toFixed(2)}`),
      slow > 0 && fact("So slow that another was asked", some(slow, "time")),
      disagreements > 0 && fact("Outvoted by others", some(disagreements, "time")),
      fact("Does not do", list(endpoint.gaps ?? []) || "nothing known"),
    ),
    methods.length > 0 && methodTable(methods, endpoint.name),
  );
}

function methodTable(methods, name) {
  const row = ([method, { requests, failures }]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, method),
      el("td", {}, count(requests)),
      el("td", {}, count(failures)),
    );
  const heads = ["Method", "Asked", "Failed"].map((head) => el("th", { scope: "col" }, head));
  return el(
    "div.scroll",
    { tabindex: 0, role: "region", "aria-label": `Methods of ${name}` },
    el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, methods.map(row))),
  );
}
