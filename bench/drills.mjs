/**
 * Breaks the first of three endpoints in each way there is, in each mode, and tells what clients got,
 * what was asked of whom, and which lines of the status noticed.
 *
 *     node bench/drills.mjs [FAULT …]        default: all
 */
import { setTimeout as sleep } from "node:timers/promises";
import { harness } from "../tests/support/harness.mjs";
import { faults, MODES, NAMES, ROUTE, readFor, simulated, through } from "./simulated.mjs";

const WARM_MS = 4_000;
const BROKEN_MS = 12_000;
/** Finalized blocks are polled once a minute. */
const LONGER = { "stale finalized": 75_000 };
/** What only comparing can see. */
const UNSEEN = {
  ordered: ["pruned null", "missing logs"],
  weighted: ["pruned null", "missing logs"],
};

async function drill(fault, mode) {
  const t = await harness({
    chain: false,
    endpoints: NAMES.map(simulated),
    route: { ...ROUTE, ...MODES[mode] },
  });
  try {
    await readFor(through(t), WARM_MS);
    for (const endpoint of Object.values(t.endpoint)) endpoint.clear();
    await faults[fault](t.endpoint.alpha);
    const seen = await readFor(through(t), LONGER[fault] ?? BROKEN_MS);
    await sleep(1_000);
    const asked = NAMES.map((name) => t.endpoint[name].hits());
    return row(fault, mode, seen, asked, await t.status());
  } finally {
    await t.stop();
  }
}

function row(fault, mode, seen, asked, { endpoint, serving }) {
  const { right, wrong, errors, all, p50, p99, wrongBy } = seen;
  const kinds = Object.entries(wrongBy).map(([name, count]) => `${count} ${name}`);
  return {
    fault,
    mode,
    right,
    wrong: wrong ? `${wrong} (${kinds.join(", ")})` : 0,
    errors,
    "ms p50 p99": `${p50} ${p99}`,
    "asked alpha beta gamma": asked.join(" "),
    "per read": (asked.reduce((sum, hits) => sum + hits, 0) / all).toFixed(2),
    serving: serving ?? "–",
    "the status noticed": noticed(endpoint).join("; ") || "nothing",
  };
}

/** What sets the first endpoint apart from the others. */
function noticed({ alpha, ...others }) {
  const most = (of) => Math.max(...Object.values(others).map(of));
  const lines = [];
  if (alpha.state !== "closed") lines.push(`state ${alpha.state}`);
  if (alpha.failures > 0) lines.push(`failures ${alpha.failures} (${alpha.last_failure?.class})`);
  if (alpha.lag_blocks > 10) lines.push(`lag_blocks ${alpha.lag_blocks}`);
  const finalized = most((one) => one.finalized ?? 0);
  if (finalized - (alpha.finalized ?? finalized) > 100)
    lines.push(`finalized ${alpha.finalized} of ${finalized}`);
  if (alpha.disagreements > most((one) => one.disagreements) + 2)
    lines.push(`disagreements ${alpha.disagreements}`);
  if (alpha.score && alpha.score.value < 0.7) lines.push(`score ${alpha.score.value.toFixed(2)}`);
  if ((alpha.latency_ms.p50 ?? 0) > 5 * most((one) => one.latency_ms.p50 ?? 0))
    lines.push(`latency_ms.p50 ${alpha.latency_ms.p50}`);
  else if ((alpha.latency_ms.p99 ?? 0) > 5 * most((one) => one.latency_ms.p99 ?? 0))
    lines.push(`latency_ms.p99 ${alpha.latency_ms.p99}`);
  return lines;
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(faults);
const rows = [];
for (const fault of wanted) {
  rows.push(...(await Promise.all(Object.keys(MODES).map((mode) => drill(fault, mode)))));
}
console.table(rows);
const bad = rows.filter(({ mode, fault, wrong, errors, ...row }) => {
  const unseen = UNSEEN[mode]?.includes(fault);
  const misled = mode === "quorum" && wrong !== 0;
  return misled || errors > 0 || (!unseen && row["the status noticed"] === "nothing");
});
for (const { fault, mode } of bad) console.log(`not as it should be: ${fault}, ${mode}`);
process.exitCode = bad.length === 0 ? 0 : 1;
