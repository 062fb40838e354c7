/**
 * Resident memory of a workerd process with Breakwater beside one with a bare Worker that passes
 * answers on, as calls go by; and what of it is the process's own ("private") rather than pages of
 * workerd's program file that were touched. Linux only; a release build.
 *
 *     node bench/memory.mjs
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { readProject } from "../local/project.mjs";
import { runWorker } from "../local/workerd.mjs";
import { builtKind } from "../scripts/inputs.mjs";

const CALLS = [0, 1, 300, 3000];
const answer = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" });
const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_gasPrice", params: [] });

if (builtKind() !== "release") throw new Error("a release of the present sources: npm run build");
const upstream = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
});
await new Promise((resolve) => upstream.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${upstream.address().port}/`;

const build = fileURLToPath(new URL("workers/pass", import.meta.url));
const bare = { ...readProject(), build, entry: "index.js", objects: [] };
const route = {
  protocol: "evm",
  chain_id: 1,
  poll_ms: 600_000,
  endpoints: [{ name: "only", url }],
};
const vars = (state) => ({ SERVICE: { default_route: "local", state }, ROUTE_LOCAL: route });
console.table([
  await measure("pass-through", { project: bare, vars: { UPSTREAM: url } }),
  await measure("Breakwater", { vars: vars("region") }),
  await measure("Breakwater without its object", { vars: vars("isolate") }),
]);
upstream.close();

/** @returns {Promise<Record<string, string>>} MiB resident, and of it private, after so many calls */
async function measure(name, options) {
  const worker = await runWorker(options);
  const row = { name };
  let made = 0;
  for (const calls of CALLS) {
    for (; made < calls; made += 1) await ask(worker.url);
    row[`${calls} calls`] = memory(worker.pid);
  }
  await worker.stop();
  return row;
}

async function ask(to) {
  const response = await fetch(`${to}/`, { method: "POST", body: call });
  const text = await response.text();
  if (JSON.parse(text).result !== "0x1") throw new Error(`${to} answered ${text}`);
}

function memory(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const mib = (field) => Math.round(text.match(new RegExp(`^${field}:\\s+(\\d+)`, "m"))[1] / 1024);
  return `${mib("Rss")} (${mib("Anonymous")})`;
}
