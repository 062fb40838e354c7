/**
 * Which methods an endpoint is sent, and a route serves, by configuration; as `src/config/methods.rs`
 * and `src/method/policy.rs` have it.
 */

const SERVED = ["eth_*", "net_*", "web3_*"];

/**
 * @param {{ allow?: string[], deny?: string[] } | undefined} methods of a route: `allow` adds
 * @param {string} method not one that needs a node's own keys
 * @returns {boolean} whether callers may ask it
 */
export function offers({ allow = [], deny = [] } = {}, method) {
  const among = (patterns) => patterns.some((pattern) => fits(pattern, method));
  return !among(deny) && (among(allow) || among(SERVED));
}

/**
 * @param {{ allow?: string[], deny?: string[] } | undefined} methods of an endpoint: `allow` limits,
 *   nothing listed is no limit
 * @param {string} method
 * @returns {boolean}
 */
export function serves({ allow = [], deny = [] } = {}, method) {
  if (deny.some((pattern) => fits(pattern, method))) return false;
  return allow.length === 0 || allow.some((pattern) => fits(pattern, method));
}

const fits = (pattern, method) =>
  pattern.endsWith("*") ? method.startsWith(pattern.slice(0, -1)) : pattern === method;
