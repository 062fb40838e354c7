/**
 * What a new process takes to its first answer, beside a bare Worker that hands the upstream's answer
 * on: what reading the configuration and compiling the wasm cost. Both ask an upstream, in turns.
 * What counts is the CPU time of the thread that serves, which is the least time that it can take:
 * whatever else runs here only adds to the time by the clock. Linux.
 *
 *     npm run build && node bench/start.mjs [REPETITIONS]        default 12
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { readProject } from "../local/project.mjs";
import { Workerd } from "../local/workerd.mjs";

const REPETITIONS = Number(process.argv[2] ?? 12);
/** More than the bare Worker takes. */
const BAR_MS = 20;

const CALL = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_gasPrice", params: [] });
const ANSWER = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" });

const upstream = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.end(ANSWER));
});
upstream.listen(0, "127.0.0.1");
await once(upstream, "listening");
const url = `http://127.0.0.1:${upstream.address().port}/`;

/** No objects: they would be a second Worker to compile in the same process. */
const alone = { ...readProject(), objects: [] };
const bare = fileURLToPath(new URL("workers/pass", import.meta.url));
const route = { protocol: "evm", chain_id: 1, endpoints: [{ name: "only", url }] };
const workers = {
  "pass-through": new Workerd({
    project: { ...alone, build: bare, entry: "index.js" },
    vars: { UPSTREAM: url },
  }),
  Breakwater: new Workerd({ project: alone, vars: { SERVICE: {}, ROUTE_LOCAL: route } }),
};

const seen = Object.fromEntries(Object.keys(workers).map((name) => [name, []]));
for (let n = 0; n <= REPETITIONS; n += 1) {
  for (const [name, worker] of Object.entries(workers)) {
    const times = await start(worker);
    // The first ones read the files from the disk.
    if (n > 0) seen[name].push(times);
  }
}
await Promise.all(Object.values(workers).map((worker) => worker.stop()));
upstream.close();
report();

async function start(worker) {
  const began = performance.now();
  await worker.start();
  const response = await fetch(worker.url, { method: "POST", body: CALL });
  const text = await response.text();
  const times = { ms: performance.now() - began, cpu: cpuMs(worker.pid) };
  if (text !== ANSWER) throw new Error(text);
  await worker.halt();
  return times;
}

/** CPU time of a process's first thread. */
function cpuMs(pid) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

function report() {
  const middle = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
  const of = (name, what) => seen[name].map((times) => times[what]);
  const told = (all) => `${middle(all).toFixed(1)} (${Math.min(...all).toFixed(1)} at best)`;
  const rows = Object.keys(seen).map((name) => ({
    Worker: name,
    "CPU ms, median": told(of(name, "cpu")),
    "ms by the clock, median": told(of(name, "ms")),
  }));
  console.table(rows);
  const more = middle(of("Breakwater", "cpu")) - middle(of("pass-through", "cpu"));
  console.log(`Breakwater takes ${more.toFixed(1)} ms more, bar ${BAR_MS} ms`);
  if (more > BAR_MS) process.exitCode = 1;
}
