/**
 * `npm run bench`: large answers through Breakwater, beside two Workers that do nothing but pass them
 * on. Twenty of 20 MB in a row, several rounds; CPU and memory of each workerd process. Whatever the
 * machine does beside it, the ratios are of one run.
 *
 *     node bench/large.mjs [ROUNDS]
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { readProject } from "../local/project.mjs";
import { runWorker } from "../local/workerd.mjs";
import { builtKind } from "../scripts/inputs.mjs";

const ANSWERS = 20;
const WARM_UP = 300;
const rounds = Number(process.argv[2] ?? 8);

const log = { address: `0x${"11".repeat(20)}`, data: `0x${"ab".repeat(100)}`, logIndex: "0x1" };
const result = Array.from({ length: 71_000 }, () => log);
const large = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
const small = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" }));

if (builtKind() !== "release") throw new Error("a release of the present sources: npm run build");
const upstream = await listen((body) => (body.includes("eth_getLogs") ? large : small));
const workers = [
  ["pass-through", await bare("pass")],
  ["native pipe", await bare("pipe")],
  ["Breakwater", await breakwater()],
];

console.log(`${ANSWERS} answers of ${(large.length / 1e6).toFixed(1)} MB, ${rounds} rounds`);
for (const [, worker] of workers) await load(worker.url, "eth_chainIdOfUpstream", WARM_UP, small);
const warm = workers.map(([, worker]) => usage(worker.pid).mib);
const cpu = workers.map(() => []);
for (let round = 0; round < rounds; round += 1) {
  for (const [i, [, worker]] of workers.entries()) {
    const before = usage(worker.pid).ms;
    await load(worker.url, "eth_getLogs", ANSWERS, large);
    cpu[i].push(usage(worker.pid).ms - before);
  }
}
report();
await Promise.all(workers.map(([, worker]) => worker.stop()));
upstream.close();

function report() {
  const middle = (figures) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
  const rows = workers.map(([name, worker], i) => ({
    Worker: name,
    "CPU ms, median": middle(cpu[i]),
    "least to most": `${Math.min(...cpu[i])} to ${Math.max(...cpu[i])}`,
    "of pass-through": ratio(middle(cpu[i]), middle(cpu[0])),
    "of native pipe": ratio(middle(cpu[i]), middle(cpu[1])),
    "MiB before": warm[i],
    "MiB grown by": usage(worker.pid).mib - warm[i],
  }));
  console.table(rows);
}

function ratio(a, b) {
  return Number((a / b).toFixed(2));
}

/** A Worker of `bench/workers`. */
function bare(name) {
  const build = fileURLToPath(new URL(`workers/${name}`, import.meta.url));
  const project = { ...readProject(), build, entry: "index.js", objects: [] };
  return runWorker({ project, vars: { UPSTREAM: upstream.url } });
}

function breakwater() {
  const endpoints = [{ name: "only", url: upstream.url }];
  const route = { protocol: "evm", chain_id: 1, poll_ms: 600_000, endpoints };
  return runWorker({ vars: { SERVICE: { default_route: "local" }, ROUTE_LOCAL: route } });
}

/** An endpoint that costs as little as one can. */
async function listen(answer) {
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const body = answer(Buffer.concat(parts));
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": body.length,
      });
      response.end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** Asks so often, one after the other. Every byte is compared. */
async function load(url, method, times, expected) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [{}] });
  for (let i = 0; i < times; i += 1) {
    const answer = await fetch(`${url}/`, { method: "POST", body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (!bytes.equals(expected)) throw new Error(`${url} gave other bytes: ${bytes.length}`);
  }
}

/** CPU spent so far and resident memory of a process. Linux counts time in hundredths. */
function usage(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  const kib = readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1];
  return { ms: (Number(fields[11]) + Number(fields[12])) * 10, mib: Math.round(kib / 1024) };
}
