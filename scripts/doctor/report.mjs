/**
 * The findings for people.
 */
import { grouped, hanging, table } from "../console/table.mjs";
import { listed } from "./advice/advice.mjs";
import { METHODS } from "./methods.mjs";

/**
 * @typedef {import("./result.mjs").Result} Result
 * @typedef {import("./examine.mjs").Finding} Finding
 */

const NONE = "–";
const MARKS = { problem: "✗", advice: "→", note: "·" };

/** @param {Result} result @returns {string} */
export function report(result) {
  const { problem, advice, note } = result.counts;
  const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const all = `${plural(problem, "problem")}, ${plural(advice, "piece")} of advice, ${plural(note, "note")}`;
  return `${result.routes.map(ofRoute).join("\n\n")}\n\n${all}`;
}

function ofRoute(route) {
  const fit = route.endpoints.filter(({ state }) => state === "fit").length;
  const chain = route.chain_id === null ? route.protocol : `chain ${route.chain_id}`;
  const blocks = route.block_time_s
    ? `, a block every ${Number(route.block_time_s.toFixed(1))} s`
    : "";
  const head = route.deployed
    ? `${route.route} (${chain}), through Breakwater`
    : `${route.route} (${chain}): ${fit} of ${route.endpoints.length} endpoints are fit${blocks}`;
  const tables =
    route.protocol === "x402"
      ? [facilitators(route.endpoints)]
      : [overview(route.endpoints), speeds(route.endpoints), lacks(route.endpoints)];
  const behind = route.deployed ? [statuses(route.deployed)] : [];
  const parts = [head, ...tables, ...behind, advices(route.advice)];
  return parts.filter(Boolean).join("\n\n");
}

const number = (n) => (n === null || n === undefined ? NONE : grouped(n));

/** @param {Finding[]} endpoints */
function overview(endpoints) {
  const heads = ["endpoint", "state", "head", "lag", "finalized", "history", "batch", "log range"];
  return table(
    heads,
    endpoints.map((one) => [
      one.name,
      stateOf(one),
      number(one.head),
      lagOf(one),
      number(one.finalized),
      depthOf(one.state_depth),
      found(one.batch),
      one.logs?.all ? "all blocks" : found(one.logs),
    ]),
  );
}

const stateOf = ({ state, agrees, advances, given_up }) => {
  if (state !== "fit") return state.replace("_", " ");
  if (agrees === false) return "on a fork";
  if (given_up) return "gave up";
  return advances === false ? "stands still" : "fit";
};

const lagOf = ({ lag }) => {
  if (!lag) return NONE;
  const seconds = lag.seconds === null ? "" : ` (${grouped(Math.round(lag.seconds))} s)`;
  return lag.blocks === 0 ? "0" : `${grouped(lag.blocks)}${seconds}`;
};

const depthOf = (depth) => {
  if (!depth || depth.kind === "unknown") return NONE;
  if (depth.kind === "archive") return "archive";
  return depth.kind === "none" ? "none" : `~${grouped(depth.blocks)} blocks`;
};

/** `100+`: more was not tried, or could not be. */
const found = (search) => {
  if (!search) return NONE;
  if (search.good === 0) return search.sure ? "none" : NONE;
  return `${grouped(search.good)}${search.bad === null || !search.sure ? "+" : ""}`;
};

/** Methods down, endpoints across. @param {Finding[]} endpoints */
function speeds(endpoints) {
  const asked = endpoints.filter(({ latency }) => Object.keys(latency).length > 0);
  const methods = [...new Set(asked.flatMap(({ latency }) => Object.keys(latency)))];
  if (methods.length === 0) return "";
  const cell = ({ latency }, method) => {
    const { p50, p99, failed } = latency[method] ?? {};
    if (p50 === undefined || p50 === null) return NONE;
    return `${p50} / ${p99}${failed > 0 ? ` (${failed} failed)` : ""}`;
  };
  return table(
    ["ms p50 / p99", ...asked.map(({ name }) => name)],
    methods.map((method) => [method, ...asked.map((one) => cell(one, method))]),
  );
}

/** Only methods that some endpoint does not do. @param {Finding[]} endpoints */
function lacks(endpoints) {
  const asked = endpoints.filter(({ methods }) => Object.keys(methods).length > 0);
  const cell = ({ methods }, method) => {
    const { word, code } = methods[method] ?? { word: "unknown" };
    return word === "error" ? `error ${code ?? ""}`.trim() : word.replace("_", " ");
  };
  const odd = Object.keys(METHODS).filter((method) =>
    asked.some((one) => one.methods[method]?.word !== "yes"),
  );
  if (asked.length === 0) return "";
  const all = Object.keys(METHODS).length;
  if (odd.length === 0) return `All ${all} methods are there.`;
  const heads = ["method", ...asked.map(({ name }) => name)];
  const rows = odd.map((method) => [method, ...asked.map((one) => cell(one, method))]);
  return `${table(heads, rows)}\n(${all - odd.length} of ${all} are there everywhere)`;
}

function facilitators(endpoints) {
  return table(
    ["facilitator", "state", "x402", "ms p50 / p99", "scheme@network"],
    endpoints.map(({ name, state, versions, latency, kinds }) => {
      const { p50 = null, p99 } = latency.supported ?? {};
      const ms = p50 === null ? NONE : `${p50} / ${p99}`;
      const versioned = versions.map((n) => `v${n}`).join(" ") || NONE;
      return [name, state.replace("_", " "), versioned, ms, kinds.join(" ") || NONE];
    }),
  );
}

function statuses(endpoints) {
  return table(
    ["behind it", "state", "head", "lag", "finalized lag", "requests", "failed", "ms p50 / p99"],
    endpoints.map((one) => [
      one.name,
      one.state.replace("_", " "),
      ...[one.head, one.lag_blocks, one.finalized_lag_blocks, one.requests, one.failures].map(
        number,
      ),
      one.latency_ms?.p50 === null ? NONE : `${one.latency_ms?.p50} / ${one.latency_ms?.p99}`,
    ]),
  );
}

function advices(list) {
  const lines = list.map(({ level, endpoints, write, why }) => {
    const who = endpoints.length > 0 ? `${listed(endpoints)}: ` : "";
    const said = hanging(`${MARKS[level]} `, who + why);
    return write ? `${said}\n      ${write}` : said;
  });
  return lines.join("\n");
}
