/**
 * A hundred thousand requests through one Worker that is warm: memory of the process and of the wasm must stay as
 * they are. Then a while at 50 requests a second: how often the Durable Object is asked.
 *
 *     npm run build && node bench/endurance.mjs [REQUESTS]        default 100000
 */
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { residentMib } from "../chaos/gauges.mjs";
import { runWorker } from "../local/workerd.mjs";
import { scripted } from "../tests/support/calls.mjs";
import { harness } from "../tests/support/harness.mjs";
import { standIn } from "../tests/support/stand_in.mjs";
import { wasmMib, watched } from "../tests/support/watched.mjs";

const REQUESTS = Number(process.argv[2] ?? 100_000);
const STEP = REQUESTS / 5;
/** Until V8's heap has the size that it keeps. */
const WARM_UP = 40_000;
const AT_ONCE = 32;
/** Growth between the first step and the last. */
const BAR_PERCENT = 5;
const RATE = 50;
const RATE_S = 60;
const HAND_INS_BAR = 5;

const call = (method, id) => ({ jsonrpc: "2.0", id, method, params: [] });
const batch = (n) => Array.from({ length: 10 }, (_, i) => call("eth_call", `${n}-${i}`));
/** What the n-th request is, and the status of its answer. */
const kinds = [
  ...Array(14).fill((n) => [call("eth_call", n), 200]),
  (n) => [call("eth_gasPrice", n), 200],
  (n) => [batch(n), 200],
  (n) => [call("eth_estimateGas", n), 200], // a revert
  (n) => [call("eth_getProof", n), 200], // the first endpoint answers 500
  (n) => [call("eth_getStorageAt", n), 503], // both do
  () => ["no JSON", 200],
];

const failing = new Set(["eth_getStorageAt"]);
const first = await listen(new Set(["eth_getProof", ...failing]));
const second = await listen(failing);
const worker = await runWorker({ project: watched().project, vars: configure() });
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

const rows = [];
let closed = 0;
await load(0, WARM_UP);
const began = performance.now();
for (let done = 0; done < REQUESTS; done += STEP) {
  await load(done, done + STEP);
  const wasm = await wasmMib(worker.url);
  const mib = residentMib(worker.pid);
  rows.push({ requests: done + STEP, "resident MiB": mib, "wasm MiB": wasm });
}
const perSecond = REQUESTS / ((performance.now() - began) / 1000);
agent.destroy();
await worker.stop();
for (const one of [first, second]) one.close();
const handIns = await handInsPerThousand();
report();

function report() {
  console.table(rows.map((row) => ({ ...row, "resident MiB": row["resident MiB"].toFixed(1) })));
  const growth = (what) => 100 * (rows.at(-1)[what] / rows[0][what] - 1);
  const [resident, wasm] = ["resident MiB", "wasm MiB"].map(growth);
  console.log(`${perSecond.toFixed(0)} requests a second, ${AT_ONCE} at a time`);
  if (closed > 0) console.log(`${closed} idle connections were closed`);
  console.log(`resident ${resident.toFixed(1)} %, wasm ${wasm.toFixed(1)} %, bar ${BAR_PERCENT} %`);
  console.log(`${handIns.toFixed(1)} requests to the object per 1000, bar ${HAND_INS_BAR}`);
  if (Math.max(resident, wasm) > BAR_PERCENT || handIns > HAND_INS_BAR) process.exitCode = 1;
}

function configure() {
  const endpoints = [first, second].map(({ url }, i) => ({ name: `e${i}`, url }));
  const breaker = { trip_after: 10_000, trip_min: 10_000, trip_ratio: 1 };
  const route = { protocol: "evm", chain_id: 1, endpoints, ...breaker };
  return { SERVICE: { default_route: "local" }, ROUTE_LOCAL: route };
}

/** An endpoint that fails at some methods. */
async function listen(failing) {
  const server = createServer((req, res) => {
    const parts = [];
    req.on("data", (part) => parts.push(part));
    req.on("end", () => answer(JSON.parse(Buffer.concat(parts)), res, failing));
  });
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(asked, res, failing) {
  if (failing.has(asked.method)) return res.writeHead(500).end("no");
  const text = JSON.stringify(Array.isArray(asked) ? asked.map(reply) : reply(asked));
  res.writeHead(200, { "content-type": "application/json" }).end(text);
}

function reply({ id, method }) {
  if (method === "eth_chainId") return { jsonrpc: "2.0", id, result: "0x1" };
  if (method !== "eth_estimateGas") return { jsonrpc: "2.0", id, result: "0x64" };
  return { jsonrpc: "2.0", id, error: { code: 3, message: "execution reverted", data: "0x" } };
}

async function load(from, until) {
  let next = from;
  const one = async () => {
    while (next < until) {
      const n = next++;
      const [body, status] = kinds[n % kinds.length](n);
      const got = await post(typeof body === "string" ? body : JSON.stringify(body));
      if (got.status !== status) throw new Error(`${n}: ${got.status} ${got.text}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

function post(body) {
  return new Promise((resolve, reject) => {
    const options = {
      method: "POST",
      agent,
      headers: { "content-length": Buffer.byteLength(body) },
    };
    const sent = request(worker.url, options, (res) => {
      const parts = [];
      res.on("data", (part) => parts.push(part));
      res.on("end", () => resolve({ status: res.statusCode, text: `${Buffer.concat(parts)}` }));
    });
    sent.on("error", (error) => {
      // A connection that was closed while it was idle.
      if (!sent.reusedSocket || error.code !== "ECONNRESET") return reject(error);
      closed += 1;
      post(body).then(resolve, reject);
    });
    sent.end(body);
  });
}

/** With all well; a stand-in counts. */
async function handInsPerThousand() {
  const t = await harness({
    chain: false,
    endpoints: [scripted("a"), scripted("b")],
    worker: standIn("counts"),
  });
  const end = performance.now() + RATE_S * 1000;
  const asked = [];
  for (let n = 0; performance.now() < end; n += 1) {
    asked.push(t.rpc("eth_call"));
    await sleep(Math.max(0, end - RATE_S * 1000 + (n + 1) * (1000 / RATE) - performance.now()));
  }
  const answers = await Promise.all(asked);
  if (answers.some(({ status }) => status !== 200)) throw new Error("not all were answered");
  const count = t.events("hand_in").length;
  await t.stop();
  return (count / answers.length) * 1000;
}
