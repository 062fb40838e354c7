/**
 * The facilitators of an x402 route: what they support, and how fast they say so. Nothing is ever
 * verified or settled.
 */
import { Asker } from "./asker.mjs";
import { measure } from "./latency.mjs";
import { told } from "./outcome.mjs";

/**
 * @typedef {object} FacilitatorFinding
 * @property {string} name
 * @property {"fit" | "unreachable" | "refused" | "no_secret"} state
 * @property {string[]} missing_secrets
 * @property {string | null} trouble
 * @property {string[]} kinds `scheme@network`, each once
 * @property {number[]} versions of x402
 * @property {Record<string, import("./latency.mjs").Latency>} latency of `supported`
 * @property {number} requests
 * @property {number} throttles
 * @property {string | null} given_up
 */

/**
 * @param {import("./configured.mjs").ConfiguredRoute} route
 * @param {import("./options.mjs").Settings} settings
 * @param {import("../console/progress.mjs").Progress} progress
 */
export async function examineFacilitators({ route, endpoints }, settings, progress) {
  progress.stage(`${route}: /supported of ${endpoints.map(({ name }) => name).join(", ")}`);
  const findings = await Promise.all(endpoints.map((one) => examine(one, settings)));
  return { route, protocol: "x402", chain_id: null, block_time_s: null, endpoints: findings };
}

async function examine(endpoint, settings) {
  const finding = { name: endpoint.name, state: "fit", missing_secrets: endpoint.missing };
  Object.assign(finding, { trouble: null, kinds: [], versions: [], latency: {} });
  Object.assign(finding, { requests: 0, throttles: 0, given_up: null });
  if (endpoint.missing.length > 0) {
    const trouble = `the secret ${endpoint.missing.join(", ")} is not there`;
    return Object.assign(finding, { state: "no_secret", trouble });
  }
  const asker = new Asker(endpoint, settings);
  let body;
  finding.latency.supported = await measure(
    async () => {
      const outcome = await asker.supported();
      if (outcome.kind === "result") body = outcome.result;
      else finding.trouble = told(outcome);
      if (outcome.kind === "account") finding.state = "refused";
      return outcome;
    },
    "supported",
    settings.samples,
  );
  if (!body && finding.state === "fit") finding.state = "unreachable";
  if (body) Object.assign(finding, { trouble: null, ...readKinds(body) });
  const { asked: requests, throttles, gaveUp: given_up = null } = asker;
  return Object.assign(finding, { requests, throttles, given_up });
}

/** @param {any} body of `/supported` @returns {{ kinds: string[], versions: number[] }} */
export function readKinds(body) {
  const all = Array.isArray(body?.kinds) ? body.kinds.filter(Boolean) : [];
  const kinds = all.map(({ scheme, network }) => `${plain(scheme)}@${plain(network)}`);
  const versions = all.map(({ x402Version }) => x402Version).filter(Number.isInteger);
  return { kinds: [...new Set(kinds)].sort(), versions: [...new Set(versions)].sort() };
}

/** What facilitators write is shown only where it is a plain name. */
const plain = (text) => (/^[\w.:*-]{1,64}$/.test(text) ? text : "?");
