/**
 * Who can be asked at all.
 */
import { advice, fitOnes, listed, note, problem } from "./advice.mjs";

const SAY = {
  unreachable: ({ name, trouble }) =>
    problem(name, `does not answer eth_chainId (${trouble}): nothing else was asked of it`),
  refused: ({ name, trouble }) =>
    problem(name, `refuses its key or plan (${trouble}): look at its account, or take it out`),
  wrong_chain: ({ name, chain_id }, wanted) =>
    problem(name, `chain id is wrong: it serves ${chain_id}, the route is ${wanted}. Remove it`),
  no_secret: ({ name, missing_secrets }) =>
    problem(
      name,
      `left out: ${listed(missing_secrets)} is neither in .dev.vars nor in the environment`,
      `npx wrangler secret put ${missing_secrets[0]}`,
    ),
};

/** @type {import("./advice.mjs").Rule} */
export const unfit = (_, { endpoints, chain_id }) =>
  endpoints
    .filter(({ state }) => state !== "fit")
    .map((finding) => SAY[finding.state](finding, chain_id));

/** @type {import("./advice.mjs").Rule} */
export function tooFew(route, examined) {
  const fit = fitOnes(route, examined).map(({ finding }) => finding.name);
  if (fit.length > 1) return [];
  const who = fit.length === 1 ? `only ${fit[0]} is fit` : "no endpoint is fit";
  return [
    problem(null, `${who} of ${examined.endpoints.length}: there is nothing to fail over to`),
  ];
}

/** @type {import("./advice.mjs").Rule} */
export const brokenOff = (route, examined) =>
  fitOnes(route, examined)
    .filter(({ finding }) => finding.given_up)
    .map(({ finding: { name, given_up, requests } }) =>
      problem(name, `was not asked to the end: after ${requests} requests, ${given_up}`),
    );

/** @type {import("./advice.mjs").Rule} */
export const forked = (route, examined) =>
  fitOnes(route, examined)
    .filter(({ finding }) => finding.agrees === false)
    .map(({ finding: { name } }) =>
      problem(
        name,
        "an old block has another hash there than elsewhere: it is on a fork. Remove it",
      ),
    );

/** @type {import("./advice.mjs").Rule} */
export const throttled = (route, examined) =>
  fitOnes(route, examined)
    .filter(({ finding }) => finding.throttles > 0)
    .map(({ finding: { name, throttles, requests } }) =>
      advice(
        name,
        `throttled ${throttles} of ${requests} requests made one at a time: under load it will ` +
          "rest often. Give it a plan that fits, or a place behind the others",
      ),
    );

/** @type {import("./advice.mjs").Rule} */
export function sameHost(route) {
  const byHost = new Map();
  for (const { name, url, missing } of route.endpoints) {
    if (missing.length > 0 || !URL.canParse(url)) continue;
    const { host } = new URL(url);
    byHost.set(host, [...(byHost.get(host) ?? []), name]);
  }
  return [...byHost.values()]
    .filter((names) => names.length > 1)
    .map((names) => note(null, `${listed(names)} are on one host: they will fail together`));
}
