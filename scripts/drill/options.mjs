/**
 * The drill's command line.
 */
import { readArguments, Usage, whole } from "../console/arguments.mjs";

export const KINDS = ["down", "slow", "stale"];

export const USAGE = `usage: ADMIN_TOKEN=… npm run drill -- URL-of-a-deployment
  --route NAME       which route; needed with more than one, unless the URL names it
  --endpoint NAME    which endpoint (default: the one that serves)
  --kinds LIST       of down, slow, stale, in this order (default all; x402: down, slow)
  --for SECONDS      how long each is played, 5 to 600 (default 30)
  --rate N           reads a second meanwhile, 1 to 20 (default 2)
  --slow-ms N        how late it is (default: half a second more than an attempt has)
  --stale-blocks N   how far behind it is (default 100)
  --force            also where nothing is left to fail over to
  --json             the result as JSON on standard output
  --key KEY          client key for a deployment that wants one (or CLIENT_KEY in the environment)
ADMIN_TOKEN is taken from the environment alone.`;

/**
 * @typedef {object} Asked
 * @property {string} target URL
 * @property {string} token secret
 * @property {{ route?: string, key?: string }} which
 * @property {string} [endpoint]
 * @property {string[] | undefined} kinds
 * @property {number} forMs
 * @property {number} rate reads a second
 * @property {number} [slowMs]
 * @property {number} staleBlocks
 * @property {boolean} force
 * @property {boolean} json
 */

/** @param {string[]} args @param {Record<string, string | undefined>} env @returns {Asked} */
export function readOptions(args, env) {
  const text = { type: "string" };
  const flag = { type: "boolean", default: false };
  const names = ["route", "endpoint", "kinds", "for", "rate", "slow-ms", "stale-blocks", "key"];
  const { values, positionals } = readArguments(
    args,
    { ...Object.fromEntries(names.map((name) => [name, text])), force: flag, json: flag },
    USAGE,
  );
  if (positionals.length !== 1) throw new Usage(USAGE);
  const token = env.ADMIN_TOKEN?.trim();
  if (!token) throw new Usage("ADMIN_TOKEN is not in the environment: a drill is the operator's");
  const number = (name, least, most, usual) => whole(name, values[name], { least, most, usual });
  return {
    target: positionals[0],
    token,
    which: { route: values.route, key: values.key ?? env.CLIENT_KEY },
    endpoint: values.endpoint,
    kinds: values.kinds === undefined ? undefined : readKinds(values.kinds),
    forMs: number("for", 5, 600, 30) * 1000,
    rate: number("rate", 1, 20, 2),
    slowMs: number("slow-ms", 1, 600_000, undefined),
    staleBlocks: number("stale-blocks", 1, 1_000_000_000, 100),
    force: values.force,
    json: values.json,
  };
}

function readKinds(list) {
  const kinds = list.split(",").map((kind) => kind.trim());
  const odd = kinds.find((kind) => !KINDS.includes(kind));
  if (odd === undefined) return kinds;
  throw new Usage(`--kinds takes ${KINDS.join(", ")}, not ${JSON.stringify(odd)}`);
}
