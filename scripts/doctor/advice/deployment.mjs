/**
 * A deployment, by its own status and by what callers get.
 */
import { grouped } from "../../console/table.mjs";
import { advice, fitOnes, listed, note, problem } from "./advice.mjs";
import { stuck } from "./freshness.mjs";

const FEW = 20;
const SHARE = 0.05;

const each = (say) => (route) => route.status.endpoints.flatMap((one) => say(one, route) ?? []);

/** @type {import("./advice.mjs").Rule} */
const outside = (_, { endpoints: [finding] }) =>
  finding.state === "fit"
    ? []
    : [problem(null, `callers get no good answer from the route (${finding.trouble})`)];

const breaker = each(({ name, state, enabled, last_failure }) => {
  if (!enabled) return [problem(name, "is disabled: by the operator, or its secret is missing")];
  if (state === "closed") return [];
  const why = last_failure ? `, last failure ${last_failure.class}` : "";
  return [problem(name, `its breaker is ${state.replace("_", " ")}${why}`)];
});

const chain = each(({ name, chain_id }) =>
  chain_id === "wrong" ? [problem(name, "chain id is wrong: remove it")] : [],
);

const resting = each(({ name, throttled_until_ms }, { status }) => {
  if (throttled_until_ms === null || throttled_until_ms <= status.now_ms) return [];
  const s = Math.round((throttled_until_ms - status.now_ms) / 1000);
  return [advice(name, `rests for ${s} s more: it throttled, or has trouble with its account`)];
});

const lagging = each(({ name, lag_blocks }) =>
  lag_blocks > 2 ? [advice(name, `its head is ${grouped(lag_blocks)} blocks behind`)] : [],
);

const finalized = each(({ name, finalized_lag_blocks }) =>
  finalized_lag_blocks > 64
    ? [advice(name, `finalized is ${grouped(finalized_lag_blocks)} behind the others'`)]
    : [],
);

const failing = each(({ name, requests, failures }) => {
  if (requests < FEW || failures < requests * SHARE) return [];
  const share = Math.round((failures / requests) * 100);
  return [
    advice(name, `${grouped(failures)} of ${grouped(requests)} attempts failed (${share} %)`),
  ];
});

const outvoted = each(({ name, disagreements }) =>
  disagreements > 0
    ? [advice(name, `was outvoted ${grouped(disagreements)} times: it may be wrong, not down`)]
    : [],
);

const timeout = each(({ name, latency_ms }, { status }) => {
  const limit = status.config.attempt_timeout_ms ?? 3500;
  if (!latency_ms?.p99 || latency_ms.p99 * 1.5 <= limit) return [];
  return [
    advice(
      name,
      `its p99 is at most ${latency_ms.p99} ms, an attempt has ${limit} ms`,
      `attempt_timeout_ms = ${Math.ceil((latency_ms.p99 * 2) / 500) * 500}`,
    ),
  ];
});

const gaps = each(({ name, gaps: known }) =>
  known?.length > 0
    ? [
        advice(
          name,
          `does not do ${listed(known)}`,
          `methods = { deny = [${known.map((method) => JSON.stringify(method)).join(", ")}] }`,
        ),
      ]
    : [],
);

const drilled = each(({ name, fault }) =>
  fault ? [note(name, `a drill (${fault.kind}) is going on`)] : [],
);

/** @type {import("./advice.mjs").Rule} */
function fewFit({ status }) {
  const fit = status.endpoints.filter(({ state, enabled }) => state === "closed" && enabled);
  if (fit.length > 1) return [];
  const who = fit.length === 1 ? `only ${fit[0].name} is fit` : "no endpoint is fit";
  return [problem(null, `${who} of ${status.endpoints.length}: there is nothing to fail over to`)];
}

/** @type {import("./advice.mjs").Rule} */
const slow = (route, examined) =>
  fitOnes(route, examined).flatMap(({ finding }) =>
    Object.entries(finding.latency)
      .filter(([, { p99 }]) => p99 > route.keys.total_timeout_ms / 2)
      .map(([method, { p99 }]) =>
        advice(null, `callers waited up to ${p99} ms for ${method}, more than half of the total`),
      ),
  );

/** @type {import("./advice.mjs").Rule[]} */
export const deploymentRules = [
  ...[outside, fewFit, breaker, chain, stuck],
  ...[resting, lagging, finalized, failing, outvoted, timeout, gaps, slow, drilled],
];
