/**
 * What to write into a program to use a route.
 */

const quoted = JSON.stringify;

const currency = ({ name, symbol, decimals }) =>
  `{ name: ${quoted(name)}, symbol: ${quoted(symbol)}, decimals: ${decimals} }`;

const chain = (
  { chain_id: id, chain_name: name, currency: paid },
  url,
) => `const chain = defineChain({
  id: ${id},
  name: ${quoted(name)},
  nativeCurrency: ${currency(paid)},
  rpcUrls: { default: { http: [${quoted(url)}] } },
});`;

const viem = (route, url) => `import { createPublicClient, defineChain, http } from "viem";

${chain(route, url)}
const client = createPublicClient({ chain, transport: http() });`;

const wagmi = (route, url) => `import { createConfig, http } from "wagmi";
import { defineChain } from "viem";

${chain(route, url)}
const config = createConfig({ chains: [chain], transports: { [chain.id]: http() } });`;

const ethers = ({ chain_id: id }, url) => `import { JsonRpcProvider } from "ethers";

const provider = new JsonRpcProvider(${quoted(url)}, ${id}, { staticNetwork: true });`;

const web3py = ({ chain_id: id }, url) => `from web3 import Web3

w3 = Web3(Web3.HTTPProvider(${quoted(url)}))
assert w3.eth.chain_id == ${id}`;

const core = (_, url) => `import { HTTPFacilitatorClient } from "@x402/core/server";

const facilitator = new HTTPFacilitatorClient({ url: ${quoted(url)} });`;

const express = (_, url) => `import { paymentMiddleware } from "x402-express";

app.use(paymentMiddleware(payTo, routes, { url: ${quoted(url)} }));`;

/** @param {any} route @param {string} url @returns {[string, string][]} for what, and the text */
export function snippets(route, url) {
  const made =
    route.protocol === "x402"
      ? { "@x402/core": core, "x402-express": express }
      : { viem, wagmi, ethers, "web3.py": web3py };
  return Object.entries(made).map(([name, make]) => [name, make(route, url)]);
}
