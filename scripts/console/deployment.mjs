/**
 * A deployment of Breakwater as it is named on a command line.
 */
import { Usage } from "./arguments.mjs";

/** First segments of a path that are no route. */
const OWN = ["status", "health", "ready", "metrics", "admin"];

/**
 * @typedef {object} Deployment
 * @property {string} origin without a trailing slash
 * @property {string} [route] public name or chain id
 * @property {string} [key] client key. Secret.
 */

/**
 * @param {string} text `https://host`, `https://host/route` or `https://host/route/key`
 * @param {{ route?: string, key?: string }} [given] by options: these win
 * @returns {Deployment}
 * @throws {Usage} never with the URL in it, which may hold a key
 */
export function readDeployment(text, { route, key } = {}) {
  const url = URL.canParse(text) && new URL(text);
  if (!url || !["https:", "http:"].includes(url.protocol))
    throw new Usage("that is no http(s) URL");
  if (url.username || url.password) throw new Usage("a URL with a user name is not taken");
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "http:" && !loopback) throw new Usage("http is taken for loopback only");
  const [named, shown, ...more] = url.pathname.split("/").filter(Boolean);
  if (more.length > 0 || url.search || OWN.includes(named))
    throw new Usage("the URL of a deployment is its origin, or that and /route");
  return { origin: url.origin, route: route ?? named, key: key ?? shown };
}

/** @param {Deployment} of @returns {Record<string, string>} headers that show the client key */
export const keyHeaders = ({ key }) => (key ? { "x-api-key": key } : {});

/**
 * @param {Deployment} at
 * @param {number} [timeoutMs]
 * @returns {Promise<any[]>} the status of each route asked for
 * @throws {Usage} when no Breakwater answers, or not with a status
 */
export async function readStatuses(at, timeoutMs = 15_000) {
  const response = await fetch(`${at.origin}/status`, {
    headers: { accept: "application/json", ...keyHeaders(at) },
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error) => {
    throw new Usage(`the deployment cannot be reached (${error.cause?.code ?? error.name})`);
  });
  if (response.status === 401)
    throw new Usage("the deployment wants a client key: --key, or CLIENT_KEY");
  const body = await response.json().catch(() => undefined);
  if (response.status !== 200 || !Array.isArray(body?.routes))
    throw new Usage(`no Breakwater answers there: its /status gave HTTP ${response.status}`);
  return chosen(body.routes, at.route);
}

function chosen(routes, name) {
  if (name === undefined) return routes;
  const found = routes.filter((one) => one.route === name || String(one.chain_id) === name);
  if (found.length > 0) return found.slice(0, 1);
  throw new Usage(`no such route; there are ${routes.map(({ route }) => route).join(", ")}`);
}
