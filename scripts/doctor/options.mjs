/**
 * The doctor's command line.
 */
import { readArguments, Usage, whole } from "../console/arguments.mjs";

export const USAGE = `usage: npm run doctor -- [wrangler.toml | URL of a deployment or route]
  --env NAME      an environment of wrangler.toml
  --route NAME    this route alone
  --samples N     measurements per method, 1 to 200 (default 8)
  --long          also what costs much: eth_getLogs over more than 10,000 blocks
  --pause-ms N    between two requests to an endpoint, 0 to 10000 (default 50)
  --apart-ms N    between the two looks at the heads, 0 to 600000 (default 15000)
  --json          the result as JSON on standard output
  --key KEY       client key for a deployment that wants one (or CLIENT_KEY in the environment)`;

/** Most requests to one endpoint: so many, and so many a sample. */
const REQUESTS = 200;
const REQUESTS_PER_SAMPLE = 6;
const TIMEOUT_MS = 10_000;
/** Two looks at the heads are so far apart at least: blocks of Ethereum take 12 s. */
const APART_MS = 15_000;

/**
 * @typedef {object} Settings
 * @property {number} samples
 * @property {boolean} long
 * @property {number} pauseMs
 * @property {number} timeoutMs
 * @property {number} apartMs
 * @property {number} most requests to one endpoint
 *
 * @typedef {object} Asked
 * @property {string} target
 * @property {boolean} isUrl
 * @property {{ env?: string, route?: string, key?: string }} which
 * @property {boolean} json
 * @property {Settings} settings
 */

/** @param {string[]} args @param {Record<string, string | undefined>} env @returns {Asked} */
export function readOptions(args, env) {
  const text = { type: "string" };
  const flag = { type: "boolean", default: false };
  const options = { env: text, route: text, samples: text, key: text, "pause-ms": text };
  const { values, positionals } = readArguments(
    args,
    { ...options, "apart-ms": text, long: flag, json: flag },
    USAGE,
  );
  if (positionals.length > 1) throw new Usage(USAGE);
  const [target = "wrangler.toml"] = positionals;
  const isUrl = /^https?:\/\//i.test(target);
  if (isUrl && values.env !== undefined) throw new Usage("--env is for a wrangler.toml");
  if (!isUrl && values.key !== undefined) throw new Usage("--key is for a deployment");
  const number = (name, least, most, usual) => whole(name, values[name], { least, most, usual });
  const samples = number("samples", 1, 200, 8);
  return {
    target,
    isUrl,
    which: { env: values.env, route: values.route, key: values.key ?? env.CLIENT_KEY },
    json: values.json,
    settings: {
      samples,
      long: values.long,
      pauseMs: number("pause-ms", 0, 10_000, 50),
      apartMs: number("apart-ms", 0, 600_000, APART_MS),
      timeoutMs: TIMEOUT_MS,
      most: REQUESTS + REQUESTS_PER_SAMPLE * samples,
    },
  };
}
