/**
 * `npm start`: Breakwater on this machine, with a chain and three endpoints that can be broken by
 * hand. Needs no network once things are installed.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "./build.mjs";
import { root } from "./paths.mjs";
import { program, step } from "./say.mjs";
import { setup } from "./setup.mjs";

/** What runs, as the doctor reads it. */
const CONFIG = join(".local", "wrangler.toml");
const NAMES = ["alpha", "beta", "gamma"];
/** They keep their accounts in memory: play money. */
const FACILITATORS = ["delta", "epsilon"];
const WORKER_PORT = 8787;
const CONTROL_PORT = 8790;
const BLOCK_TIME_S = 2;
/** Opens `/admin` of this Worker, which listens on loopback only. */
const ADMIN_TOKEN = "local";

/** @returns {Promise<{ url: string, control: string, stop: () => Promise<void> }>} all of it running */
async function startAll() {
  // Only now: these need what setup has installed.
  const { startChain } = await import("../local/chain.mjs");
  const { startControl } = await import("../local/control.mjs");
  const { startEndpoint } = await import("../local/endpoint.mjs");
  const { Ledger, ledgerEngine, startFacilitator } = await import("../local/facilitator.mjs");
  const { freePort } = await import("../local/ports.mjs");
  const { runWorker } = await import("../local/workerd.mjs");
  const { stringify } = await import("smol-toml");

  const chain = await startChain({ blockTimeS: BLOCK_TIME_S });
  const endpoints = await Promise.all(
    NAMES.map((name) => startEndpoint({ name, upstream: chain.url })),
  );
  const ledger = new Ledger();
  const facilitators = await Promise.all(
    FACILITATORS.map((name) => startFacilitator({ name, engine: ledgerEngine(name, ledger) })),
  );
  const all = [...endpoints, ...facilitators];
  const control = await startControl(all, await freePort(CONTROL_PORT));
  // A new chain begins at block 0, so what the objects knew of the last one would be wrong.
  const storageDir = join(root, ".local", "storage");
  rmSync(storageDir, { recursive: true, force: true });
  const vars = localVars(endpoints, facilitators, chain.chainId);
  mkdirSync(dirname(join(root, CONFIG)), { recursive: true });
  writeFileSync(join(root, CONFIG), stringify({ vars }));
  const worker = await runWorker({
    vars,
    secrets: { ADMIN_TOKEN },
    port: await freePort(WORKER_PORT),
    storageDir,
  });
  const parts = [worker, control, ...all, chain];
  worker.logs.onLine((line) => console.log(`  ${line}`));
  return {
    url: worker.url,
    control: control.url,
    stop: async () => {
      for (const part of parts) await part.stop();
    },
  };
}

/** The configuration: breakers trip and recover sooner than by default, for people who watch. */
function localVars(endpoints, facilitators, chainId) {
  const listed = (parts) => parts.map(({ name, url }) => ({ name, url }));
  const quick = { trip_after: 3, cooldown_ms: 5000 };
  return {
    SERVICE: { default_route: "local" },
    ROUTE_LOCAL: { protocol: "evm", chain_id: chainId, ...quick, endpoints: listed(endpoints) },
    ROUTE_PAY: { protocol: "x402", ...quick, endpoints: listed(facilitators) },
  };
}

function welcome({ url, control }) {
  const admin = `curl -X POST -H 'Authorization: Bearer ${ADMIN_TOKEN}' ${url}/admin/routes/local`;
  const rpc = `curl -iw '\\n' ${url} -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'`;
  console.log(`
Breakwater is running.

  RPC URL     ${url}   (chain 31337, alpha, beta and gamma behind it)
  x402        ${url}/pay   (facilitators delta and epsilon behind it, with play money)
  Status      ${url}/status/local   (or open ${url} in a browser)

Ask it something; x-breakwater-endpoint in the answer says who answered:

  ${rpc}

Take alpha down, ask again (three times open its breaker), look at the status a second later:

  curl -X POST ${control}/alpha/down
  curl ${url}/status/local

Bring it back, and see it come into use again after its cooldown:

  curl -X POST ${control}/alpha/up

Play the same without breaking anything (a drill, which ends by itself), and end it early:

  ${admin}/endpoints/alpha/fault -d '{"kind":"down","for_ms":60000}'
  ${admin}/endpoints/alpha/reset

Have the endpoints examined, and outages played with reads going on:

  npm run doctor -- ${CONFIG}
  ADMIN_TOKEN=${ADMIN_TOKEN} npm run drill -- ${url}

More faults (slow, rate-limit, hang, html, …): curl ${control}
Ctrl-C stops everything. What the Worker logs appears below.
`);
}

await program(import.meta.url, async () => {
  await setup();
  await build();
  const done = step("start the chain, endpoints, facilitators and the Worker");
  const running = await startAll();
  done("✓");
  welcome(running);
  const signal = await new Promise((resolve) => {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(name, () => resolve(name));
  });
  console.log(`\n${signal}: stopping`);
  await running.stop();
});
