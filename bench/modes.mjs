/**
 * Breakwater's three modes beside viem's `fallback` with ranking and ethers' `FallbackProvider` with a
 * quorum of two, each with three endpoints of its own that are broken in the same ways: who gives wrong
 * answers, how many upstream requests a read costs, how long it takes.
 *
 *     node bench/modes.mjs [FAULT …]        default: all, and none
 */
import { FallbackProvider, JsonRpcProvider } from "ethers";
import { createPublicClient, fallback, http } from "viem";
import { startEndpoint } from "../local/endpoint.mjs";
import { harness } from "../tests/support/harness.mjs";
import {
  faults,
  MODES,
  NAMES,
  ROUTE,
  readFor,
  simulated,
  through,
  USUAL_MS,
} from "./simulated.mjs";

const WARM_MS = 6_000;
const BROKEN_MS = 12_000;
const CHAIN_ID = 31337;

async function breakwater(mode) {
  const t = await harness({
    chain: false,
    endpoints: NAMES.map(simulated),
    route: { ...ROUTE, ...MODES[mode] },
  });
  return {
    endpoints: NAMES.map((name) => t.endpoint[name]),
    ask: through(t),
    stop: () => t.stop(),
  };
}

const bare = () => Promise.all(NAMES.map((name) => startEndpoint(simulated(name))));
const stopAll = (endpoints) => Promise.all(endpoints.map((endpoint) => endpoint.stop()));

/** Ranking as often as it allows itself here; everything else is its default. */
async function viem() {
  const endpoints = await bare();
  const transports = endpoints.map(({ url }) => http(url));
  const client = createPublicClient({
    cacheTime: 0,
    transport: fallback(transports, { rank: { interval: 1_000, sampleCount: 5 } }),
  });
  const stop = async () => {
    await stopAll(endpoints);
  };
  return { endpoints, ask: (read) => client.request(read), stop };
}

async function ethers() {
  const endpoints = await bare();
  const options = { staticNetwork: true, batchMaxCount: 1, cacheTimeout: -1 };
  const each = endpoints.map(({ url }) => new JsonRpcProvider(url, CHAIN_ID, options));
  const provider = new FallbackProvider(each, CHAIN_ID, { quorum: 2, cacheTimeout: -1 });
  const stop = async () => {
    provider.destroy();
    await stopAll(endpoints);
  };
  return { endpoints, ask: (read, _, name) => asEthers(provider, name, read), stop };
}

/** The same reads in the words of ethers, which decides how to compare by them. */
async function asEthers(provider, name, { params: [first] }) {
  switch (name) {
    case "head":
      return provider.getBlockNumber();
    case "logs":
      return provider.getLogs(first);
    case "call":
      return provider.call(first);
    default:
      return provider.getBlock(first);
  }
}

const contenders = {
  "breakwater ordered": () => breakwater("ordered"),
  "breakwater weighted": () => breakwater("weighted"),
  "breakwater quorum 2 of 3": () => breakwater("quorum"),
  "viem fallback, rank": viem,
  "ethers FallbackProvider, quorum 2": ethers,
};

async function run(fault, name) {
  const { endpoints, ask, stop } = await contenders[name]();
  try {
    await readFor(ask, WARM_MS);
    for (const endpoint of endpoints) endpoint.clear();
    await faults[fault]?.(endpoints[0]);
    const { right, wrong, errors, all, p50, p99, wrongBy } = await readFor(ask, BROKEN_MS);
    const asked = endpoints.reduce((sum, endpoint) => sum + endpoint.hits(), 0);
    return {
      fault,
      contender: name,
      reads: all,
      right,
      wrong: wrong ? `${wrong} (${Object.keys(wrongBy).join(", ")})` : 0,
      errors,
      "asked per read": (asked / all).toFixed(2),
      "p50 / endpoint's": (p50 / USUAL_MS).toFixed(1),
      "p99 / endpoint's": (p99 / USUAL_MS).toFixed(1),
    };
  } finally {
    await stop();
  }
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : ["none", ...Object.keys(faults)];
const rows = [];
for (const fault of wanted) {
  rows.push(...(await Promise.all(Object.keys(contenders).map((name) => run(fault, name)))));
}
console.table(rows);
// viem's ranking has no end of its own.
process.exit(
  rows.some((row) => row.contender.includes("quorum 2 of 3") && row.wrong !== 0) ? 1 : 0,
);
