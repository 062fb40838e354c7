/**
 * `npm run bench`: Breakwater beside a Worker that only passes on, one that asks the runtime for all that
 * Breakwater does and decides nothing, a hand-written JavaScript twin with failover, and no Worker at all. CPU of the workerd processes, requests a second, latency. Each round
 * measures all of them, in rotating order; ratios are of one round. docs/benchmark.md tells more.
 *
 *     node bench/beside.mjs [ROUNDS]         default: 8
 */
import { Agent, request as ask } from "node:http";
import { bare, breakwater, listen, middle, usage } from "./measure.mjs";

const rounds = Number(process.argv[2] ?? 8);

const address = `0x${"11".repeat(20)}`;
const log = { address, data: `0x${"ab".repeat(100)}`, blockNumber: "0x112a880", logIndex: "0x1" };
const logs = (bytes) => Array.from({ length: bytes / JSON.stringify(log).length }, () => log);
const call = (id) => ({
  jsonrpc: "2.0",
  id,
  method: "eth_call",
  params: [{ to: address, data: `0x70a08231${"0".repeat(400)}` }, "latest"],
});
const number = (id) => ({
  jsonrpc: "2.0",
  id,
  method: "eth_getTransactionCount",
  params: [address],
});
const ofSize = (kib) => ({ jsonrpc: "2.0", id: 1, method: "eth_getLogs", params: [{ kib }] });
const small = Array.from({ length: 20 }, (_, id) => (id % 2 ? call(id) : number(id)));

/** Requests of a run, how many at once, and what the endpoint takes for one. */
const CELLS = {
  "small call": { body: call(1), answer: result(1, `0x${"0".repeat(400)}`), times: 8_000, at: 32 },
  "batch of 20": {
    body: small,
    answer: small.map(({ id }) => result(id, `0x${"0".repeat(200)}`)),
    times: 5_000,
    at: 32,
  },
  "100 KB": { body: ofSize(100), answer: result(1, logs(100_000)), times: 3_000, at: 32 },
  "5 MB": { body: ofSize(5_000), answer: result(1, logs(5_000_000)), times: 120, at: 4 },
  "small call, 20 ms away": {
    body: call(1),
    answer: result(1, "0x1"),
    times: 600,
    at: 32,
    latencyMs: 20,
  },
  "small call, 20 ms away, alone": {
    body: call(1),
    answer: result(1, "0x1"),
    times: 60,
    at: 1,
    latencyMs: 20,
  },
};
/** V8 compiles wasm for good after some seconds of work; until then it costs twice as much. */
const WARM_UP = 8_000;

function result(id, value) {
  return { jsonrpc: "2.0", id, result: value };
}

/** Chain 1 to probes. */
const probed = Buffer.from(JSON.stringify(result(1, "0x1")));

function answerTo(body) {
  return body.includes("eth_call") || body.includes("eth_getLogs") ? cell.answer : probed;
}

const cell = { answer: undefined, latencyMs: 0 };
const endpoint = await listen(answerTo, () => cell.latencyMs);
const other = await listen(answerTo);
const vars = { UPSTREAM: endpoint.url, OTHER: other.url };
const workers = {
  "pass-through": await bare("pass", vars),
  "asks alone": await bare("asks", vars),
  "JavaScript twin": await bare("twin", vars),
  Breakwater: await breakwater(endpoint.url, other.url),
};
const subjects = { direct: { url: endpoint.url }, ...workers };

console.log(`Node ${process.version}, workerd of package.json, ${rounds} rounds\n`);
for (const [name, { body, answer, times, at, latencyMs = 0 }] of Object.entries(CELLS)) {
  cell.answer = Buffer.from(JSON.stringify(answer));
  cell.latencyMs = latencyMs;
  const sent = JSON.stringify(body);
  const runs = Object.fromEntries(Object.keys(subjects).map((subject) => [subject, []]));
  for (const { url } of Object.values(subjects))
    await load(url, sent, Math.min(times, WARM_UP), at);
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of rotated(Object.keys(subjects), round))
      runs[subject].push(await run(subjects[subject], sent, times, at));
  }
  report(`${name}: ${times} a run, ${at} at once`, runs);
}
await Promise.all(Object.values(workers).map((worker) => worker.stop()));
for (const one of [endpoint, other]) one.close();

function rotated(list, by) {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

/** One run: CPU of the Worker's process, requests a second, the middle latency. */
async function run({ url, pid }, sent, times, at) {
  const before = pid && usage(pid).ms;
  const began = performance.now();
  const latencies = await load(url, sent, times, at);
  const ms = performance.now() - began;
  const cpuUs = pid && ((usage(pid).ms - before) * 1_000) / times;
  return { cpuUs, rate: (times / ms) * 1_000, p50: middle(latencies) };
}

/** Asks so often, so many at once; how long each took, in milliseconds. */
async function load(url, sent, times, at) {
  const agent = new Agent({ keepAlive: true, maxSockets: at });
  const latencies = [];
  let left = times;
  const client = async () => {
    while (left-- > 0) {
      const began = performance.now();
      const bytes = await post(url, sent, agent);
      if (!bytes.equals(cell.answer)) throw new Error(`${url} gave other bytes: ${bytes}`);
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: at }, client));
  agent.destroy();
  return latencies;
}

function post(url, sent, agent) {
  return new Promise((resolve, reject) => {
    const asked = ask(url, {
      method: "POST",
      agent,
      headers: { "content-type": "application/json" },
    });
    asked.on("response", (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => resolve(Buffer.concat(parts)));
      response.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(sent);
  });
}

/** A table in Markdown. */
function report(title, runs) {
  const columns = [
    "",
    "CPU µs",
    "÷ pass-through",
    "÷ asks alone",
    "÷ twin",
    "req/s ÷ pass-through",
    "p50 ms",
    "÷ direct",
  ];
  const rows = Object.entries(runs).map(([name, own]) => [
    name,
    own[0].cpuUs === undefined ? "" : middle(own.map(({ cpuUs }) => cpuUs)).toFixed(0),
    ratio(own, runs["pass-through"], "cpuUs"),
    ratio(own, runs["asks alone"], "cpuUs"),
    ratio(own, runs["JavaScript twin"], "cpuUs"),
    ratio(own, runs["pass-through"], "rate"),
    middle(own.map(({ p50 }) => p50)).toFixed(2),
    ratio(own, runs.direct, "p50"),
  ]);
  console.log(`**${title}**\n`);
  for (const row of [columns, columns.map(() => "---"), ...rows])
    console.log(`| ${row.join(" | ")} |`);
  console.log();
}

/** The middle of the rounds' ratios, the least and the most. */
function ratio(own, others, figure) {
  if (own[0][figure] === undefined || others[0][figure] === undefined) return "";
  const ratios = own.map((one, round) => one[figure] / others[round][figure]);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  return `${middle(ratios).toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
}
