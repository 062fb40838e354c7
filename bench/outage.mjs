/**
 * Outages of the first endpoint, seen from the clients of three isolates that share one Durable
 * Object: who noticed, how fast it was left, how often it was still asked, when it was used again.
 *
 *     node bench/outage.mjs [KIND …]        refuse, hang, throttle, flap, stale; default: all
 */
import { setTimeout as sleep } from "node:timers/promises";
import { harness } from "../tests/support/harness.mjs";
import { standIn } from "../tests/support/stand_in.mjs";

const ISOLATES = ["a", "b", "c"];
/** Requests a second and isolate. */
const RATE = Number(process.env.RATE ?? 20);
const WARM_UP_MS = 6_000;
const HEALTHY_MS = 20_000;
const OUTAGE_MS = 30_000;
const FLAP_MS = 1_500;
const AFTERWARDS_MS = 6_000;
const ROUTE = {
  attempt_timeout_ms: 1_000,
  cooldown_ms: 5_000,
  cooldown_max_ms: 10_000,
  poll_ms: 2_000,
  max_lag_ms: 2_000,
};
/** Longest that a return may take: the longest cooldown, a tenth of jitter, and 6 s for probes. */
const RETURN_MS = ROUTE.cooldown_max_ms * 1.1 + 6_000;

const DOWN = { mode: "status", status: 500 };
const kinds = {
  refuse: (first) => first.set("refuse"),
  hang: (first) => first.set("hang"),
  throttle: (first) => first.set({ mode: "rate_limit", retry_after: 2 }),
  flap: (first) => flap(first),
  stale: (first) => lag(first, 100),
};

async function drill(kind) {
  const t = await harness({
    chain: false,
    endpoints: ["first", "second", "third"].map((name) => ({ name, script: chainless(name) })),
    isolates: ISOLATES.length,
    route: ROUTE,
    worker: standIn("counts"),
  });
  const clients = startClients(t);
  await sleep(WARM_UP_MS);
  const marks = [phase(t, clients)];
  await sleep(HEALTHY_MS);
  marks.push(phase(t, clients));
  const began = Date.now();
  await kinds[kind](t.endpoint.first);
  await sleep(OUTAGE_MS);
  const returned = Date.now();
  marks.push(phase(t, clients));
  await mend(t.endpoint.first);
  await t.until(
    () => clients.answers.slice(-30).every(({ by }) => by === "first"),
    RETURN_MS + 9_000,
  );
  await sleep(AFTERWARDS_MS);
  await clients.stop();
  marks.push(phase(t, clients));
  const { transitions } = await t.status();
  const row = report(kind, { t, clients, marks, began, returned, transitions });
  await t.stop();
  return row;
}

/** One a second: a block. */
function chainless(name) {
  const head = () => Math.floor(Date.now() / 1000);
  const script = {
    behind: 0,
    eth_blockNumber: () => `0x${(head() - script.behind).toString(16)}`,
    eth_call: () => `0x${Buffer.from(name).toString("hex")}`,
    eth_chainId: "0x7a69",
    eth_getBlockByNumber: () => ({ number: `0x${(head() - script.behind).toString(16)}` }),
  };
  return script;
}

function lag(first, blocks) {
  first.script.behind = blocks;
}

let flapping;
function flap(first) {
  let up = true;
  const turn = () => {
    up = !up;
    first.set(up ? "answer" : DOWN);
  };
  turn();
  flapping = setInterval(turn, FLAP_MS);
}

async function mend(first) {
  clearInterval(flapping);
  lag(first, 0);
  await first.set("answer");
}

/** Reads that depend on the head, at a steady rate whatever the answers do. */
function startClients(t) {
  const answers = [];
  const pending = new Set();
  const ask = async (isolate) => {
    const at = Date.now();
    try {
      const { status, result, error, endpoint, reason, ms } = await t.rpc(
        "eth_call",
        [{}, "latest"],
        {
          isolate,
        },
      );
      const good = status === 200 && !error && Boolean(result);
      const tried = endpoint === "first" || (reason ?? "").includes("first=");
      answers.push({ at, ms, by: endpoint, tried, good });
    } catch (error) {
      answers.push({ at, ms: Date.now() - at, by: undefined, good: false, error });
    }
  };
  const timers = ISOLATES.map((isolate) =>
    setInterval(() => {
      const asked = ask(isolate);
      pending.add(asked);
      asked.then(() => pending.delete(asked));
    }, 1000 / RATE),
  );
  const stop = async () => {
    timers.forEach(clearInterval);
    await Promise.all(pending);
  };
  return { answers, stop };
}

function report(kind, { t, clients, marks, began, returned, transitions }) {
  const during = clients.answers.filter(({ at }) => at >= began && at < returned);
  const hits = t.endpoint.first.requests.filter(({ at }) => at >= began && at < returned);
  const probes = hits.filter(({ methods }) => methods.includes("eth_blockNumber"));
  const moves = transitions.filter(({ endpoint }) => endpoint === "first").toReversed();
  const opened = moves.find(({ to, at_ms }) => to === "open" && at_ms >= began)?.at_ms;
  const closed = moves.find(({ to, at_ms }) => to === "closed" && at_ms >= returned)?.at_ms;
  // A closed port sees no probe; the breaker tells of it.
  const tested = moves.find(({ to, at_ms }) => to === "half_open" && at_ms >= opened)?.at_ms;
  const probed = probes.find((probe) => probe.at > opened)?.at ?? tested;
  const left = during.find(({ by }) => by !== "first");
  const back = clients.answers.find(({ at, by }) => at >= returned && by === "first");
  const ms = during.map((answer) => answer.ms).toSorted((a, b) => a - b);
  const at = (share) => Math.round(ms[Math.min(ms.length - 1, Math.floor(share * ms.length))]);
  const since = (time, start) => (time === undefined ? "never" : time - start);
  return {
    kind,
    requests: clients.answers.length,
    "client errors": clients.answers.filter(({ good }) => !good).length,
    "in the outage": during.length,
    "asked of it per 1,000": perThousand(during.filter(({ tried }) => tried).length, during.length),
    "ms p50 p99 max": `${at(0.5)} ${at(0.99)} ${at(1)}`,
    "left after ms": since(left?.at, began),
    "open after ms": opened ? since(opened, began) : "stays closed",
    "first probe after ms": opened ? since(probed, opened) : "–",
    "closed after its return, ms": opened ? since(closed, returned) : "–",
    "used again after ms": since(back?.at, returned),
    transitions: moves.length,
    "object calls per 1,000: well, out, after": objectCalls(marks),
  };
}

/** How many requests there were so far, of clients and to the object. */
function phase(t, clients) {
  return { clients: clients.answers.length, object: t.events("hand_in").length };
}

function objectCalls(marks) {
  const per = marks.slice(1).map((mark, i) => {
    const before = marks[i];
    return perThousand(mark.object - before.object, mark.clients - before.clients);
  });
  return per.join(", ");
}

function perThousand(count, of) {
  return Number(((1000 * count) / of).toFixed(1));
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(kinds);
const told = [];
for (const kind of wanted) told.push(await drill(kind));
console.table(Object.fromEntries(told.map(({ kind, ...row }) => [kind, row])));
process.exitCode = told.every((row) => row["client errors"] === 0) ? 0 : 1;
