/**
 * Large answers through Breakwater, beside two Workers that do nothing but pass them
 * on. Twenty of 20 MB in a row, several rounds; CPU and memory of each workerd process. Whatever the
 * machine does beside it, the ratios are of one run.
 *
 *     node bench/large.mjs [ROUNDS]
 */
import { bare, breakwater, listen, middle, usage } from "./measure.mjs";

const ANSWERS = 20;
const WARM_UP = 300;
const rounds = Number(process.argv[2] ?? 8);

const log = { address: `0x${"11".repeat(20)}`, data: `0x${"ab".repeat(100)}`, logIndex: "0x1" };
const result = Array.from({ length: 71_000 }, () => log);
const large = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
const small = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" }));

const upstream = await listen((body) => (body.includes("eth_getLogs") ? large : small));
const workers = [
  ["pass-through", await bare("pass", { UPSTREAM: upstream.url })],
  ["native pipe", await bare("pipe", { UPSTREAM: upstream.url })],
  ["Breakwater", await breakwater(upstream.url)],
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

/** Asks so often, one after the other. Every byte is compared. */
async function load(url, method, times, expected) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [{}] });
  for (let i = 0; i < times; i += 1) {
    const answer = await fetch(`${url}/`, { method: "POST", body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (!bytes.equals(expected)) throw new Error(`${url} gave other bytes: ${bytes.length}`);
  }
}
