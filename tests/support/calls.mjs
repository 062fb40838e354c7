/**
 * JSON-RPC requests, and endpoints whose answers tell them apart.
 */

/** @param {string} method @param {unknown} [params] @param {unknown} [id] @returns {object} */
export const call = (method, params = [], id = 1) => ({ jsonrpc: "2.0", id, method, params });

/** @param {string} text @returns {string} its bytes as `0x…` */
export const hex = (text) => `0x${Buffer.from(text).toString("hex")}`;

/** @param {string} name @returns {string} the place where configuration puts that secret */
export const secret = (name) => `\${${name}}`;

const POLLED = ["eth_chainId", "eth_blockNumber"];

/**
 * @param {{ methods: string[], body: string }} request as an endpoint saw it
 * @returns {boolean} whether the object asked, or a client the same
 */
export const isPoll = ({ methods, body }) =>
  methods.every((method) => POLLED.includes(method)) || body.includes('"finalized"');

/**
 * An endpoint without a chain: chain id 31337, block 100, `eth_call` gives its own name in hex, any balance is 1.
 *
 * @param {string} name
 * @param {Record<string, unknown>} [config] of the endpoint; `script` adds answers
 * @returns {import("./harness.mjs").EndpointOptions}
 */
export function scripted(name, { script = {}, ...config } = {}) {
  const own = { eth_chainId: "0x7a69", eth_blockNumber: "0x64", eth_call: hex(name) };
  return { name, script: { ...own, eth_getBalance: "0x1", ...script }, ...config };
}
