/**
 * Endpoints of one chain, each with an ailment of its own, and a wrangler.toml that lists them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "smol-toml";
import { startChain } from "../../local/chain.mjs";
import { startEndpoint } from "../../local/endpoint.mjs";
import { scratchFolder } from "../../local/scratch.mjs";
import { secret } from "./calls.mjs";

const CHAIN_ID = 31337;
/** anvil mines some hundred at a time. */
const MINED_AT_ONCE = 300;
const missing = (method) => {
  const message = `the method ${method} does not exist/is not available`;
  return { mode: "rpc_error", code: -32601, message, method };
};

/** @type {Record<string, (import("../../local/endpoint.mjs").Fault | string)[]>} faults by name */
export const AILMENTS = {
  slow: [{ mode: "slow", ms: 400 }],
  stale: [{ mode: "stale", blocks: 40 }],
  pruned: [
    { mode: "pruned", blocks: 128 },
    missing("eth_getProof"),
    missing("debug_traceTransaction"),
    missing("trace_block"),
  ],
  lone: [{ mode: "batch_limit", max: 1 }],
  narrow: [{ mode: "range_limit", max: 500 }],
  foreign: [{ mode: "wrong_chain", chain_id: 1 }],
  dead: ["refuse"],
  well: [],
};
/** Not started: its secret is missing. */
export const KEYLESS = "keyless";

/**
 * @param {{ blocks?: number, names?: string[], route?: object }} [options] `blocks`: how long the
 *   chain is at first, one a second since then; `names`: of `AILMENTS`, in this order; `route`:
 *   further keys
 * @returns {Promise<{ file: string, url: string, chain: import("../../local/chain.mjs").Chain,
 *   endpoint: Record<string, import("../../local/endpoint.mjs").Endpoint>, stop: () => Promise<void> }>}
 */
export async function startAiling({ blocks = 600, names = Object.keys(AILMENTS), route } = {}) {
  const bornS = Math.floor(Date.now() / 1000) - blocks;
  const chain = await startChain({ chainId: CHAIN_ID, bornS, blockTimeS: 1 });
  for (let left = blocks; left > 0; left -= MINED_AT_ONCE) {
    await chain.rpc("anvil_mine", [Math.min(left, MINED_AT_ONCE), 1]);
  }
  const started = await Promise.all(
    names.map((name) => startEndpoint({ name, upstream: chain.url })),
  );
  const endpoints = started.map(({ name, url }) => ({ name, url }));
  for (const one of started) {
    for (const fault of AILMENTS[one.name]) await one.set(fault);
  }
  const keyless = { name: KEYLESS, url: `http://127.0.0.1:9/v2/${secret("RPC_KEY")}` };
  const file = join(scratchFolder(), "wrangler.toml");
  const local = {
    protocol: "evm",
    chain_id: CHAIN_ID,
    ...route,
    endpoints: [...endpoints, keyless],
  };
  writeFileSync(file, stringify({ name: "ailing", vars: { ROUTE_LOCAL: local } }));
  return {
    file,
    chain,
    endpoint: Object.fromEntries(started.map((one) => [one.name, one])),
    stop: async () => {
      await Promise.all(started.map((one) => one.stop()));
      await chain.stop();
    },
  };
}
