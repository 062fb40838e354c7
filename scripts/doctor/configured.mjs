/**
 * What a wrangler.toml has the doctor look at. Whether it is right in all is `check-config`'s to say.
 */
import { Usage } from "../console/arguments.mjs";
import { fill } from "./secrets.mjs";

/**
 * @typedef {object} Configured an endpoint
 * @property {string} name
 * @property {string} url secret
 * @property {Record<string, string>} headers secret
 * @property {string[]} missing names of secrets that have no value
 * @property {boolean} archive
 * @property {boolean} signed its caller's own headers are needed (`forward_headers`)
 * @property {number} [batch_max]
 * @property {number} [attempt_timeout_ms]
 * @property {{ allow?: string[], deny?: string[] }} [methods]
 *
 * @typedef {object} ConfiguredRoute
 * @property {string} route public name
 * @property {string} variable
 * @property {"evm" | "x402"} protocol
 * @property {number | null} chain_id
 * @property {Record<string, any>} keys with defaults where the doctor needs them
 * @property {Configured[]} endpoints
 */

/** As `src/config` has them; a timeout that is not set is 3500 for reads. */
const DEFAULTS = {
  mode: "ordered",
  method_timeouts_ms: {},
  total_timeout_ms: 9000,
  batch_max: 100,
  max_lag_blocks: 2,
  max_lag_ms: 15_000,
  poll_ms: 15_000,
};
const X402_DEFAULTS = { ...DEFAULTS, total_timeout_ms: 60_000 };

/**
 * @param {any} toml as parsed
 * @param {Record<string, string | undefined>} secrets
 * @param {{ env?: string, route?: string }} [asked]
 * @returns {ConfiguredRoute[]}
 * @throws {Usage} when there is nothing to look at
 */
export function readRoutes(toml, secrets, { env, route } = {}) {
  const vars = env === undefined ? toml.vars : toml.env?.[env]?.vars;
  if (!vars)
    throw new Usage(env === undefined ? "it has no [vars]" : `it has no [env.${env}.vars]`);
  const routes = Object.keys(vars)
    .filter((name) => name.startsWith("ROUTE_"))
    .map((name) => readRoute(name, tableOf(name, vars[name]), secrets));
  const wanted = routes.filter(
    (one) => !route || [one.route, String(one.chain_id)].includes(route),
  );
  if (wanted.length > 0) return wanted;
  const names = routes.map((one) => one.route).join(", ");
  throw new Usage(names ? `no route ${route}; there are ${names}` : "it has no ROUTE_ variable");
}

function tableOf(name, value) {
  try {
    const table = typeof value === "string" ? JSON.parse(value) : value;
    if (Array.isArray(table?.endpoints) && table.endpoints.every(isEndpoint)) return table;
  } catch {
    // Said below.
  }
  throw new Usage(`${name} is no route with endpoints: npm run check-config tells what is wrong`);
}

const isEndpoint = (one) => typeof one?.name === "string" && typeof one.url === "string";

function readRoute(variable, { endpoints, protocol = "evm", chain_id = null, ...keys }, secrets) {
  return {
    route: variable.slice("ROUTE_".length).toLowerCase().replaceAll("_", "-"),
    variable,
    protocol,
    chain_id,
    keys: { ...(protocol === "x402" ? X402_DEFAULTS : DEFAULTS), ...keys },
    endpoints: endpoints.map((one) => readEndpoint(one, secrets)),
  };
}

function readEndpoint({ url, headers = {}, forward_headers = [], ...one }, secrets) {
  const filled = fill(url, secrets);
  const values = Object.entries(headers).map(([name, value]) => [
    name,
    fill(String(value), secrets),
  ]);
  return {
    name: one.name,
    url: filled.text.replace(/\/$/, ""),
    headers: Object.fromEntries(values.map(([name, { text }]) => [name, text])),
    missing: [filled, ...values.map(([, value]) => value)].flatMap(({ missing }) => missing),
    archive: one.archive === true,
    signed: forward_headers.length > 0,
    batch_max: one.batch_max,
    attempt_timeout_ms: one.attempt_timeout_ms,
    methods: one.methods,
  };
}
