/**
 * Purchases while facilitators fail at random: a merchant that does what current ones do, a buyer
 * that pays anew whenever he is asked to. Whatever happens, money moves once per purchase at most.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/** Payments that a buyer makes for one thing, and settles of one payment by the merchant. */
const PAYMENTS_MAX = 3;
const SETTLES_MAX = 2;

const PENDING = JSON.stringify({
  success: false,
  errorReason: "settlement_pending",
  transaction: "0xd8bb",
  network: "eip155:84532",
});

/** @type {import("../../local/endpoint.mjs").Fault[]} what may befall one call */
const FAULTS = ["verify", "settle"].map((method) => [
  ...[true, false].flatMap((forward) => [
    { mode: "reset", when: "after", method, forward },
    { mode: "status", status: 502, method, forward },
    { mode: "hang", method, forward },
    { mode: "html", method, forward },
    { mode: "empty", method, forward },
  ]),
  { mode: "cut", method },
  { mode: "slow", ms: 60, method },
  { mode: "status", status: 429, body: "{}", headers: { "retry-after": "1" }, method },
  { mode: "status", status: 400, body: '{"error":"no"}', method },
  ...(method === "settle"
    ? [{ mode: "status", status: 200, body: PENDING, method, forward: true, times: 1 }]
    : []),
]);

/** @param {number} seed @returns {() => number} in 0..1, the same for the same seed */
function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * @typedef {object} World
 * @property {any} t a Breakwater in front of facilitators, with two isolates
 * @property {string[]} names of the facilitators
 * @property {() => Promise<unknown> | unknown} pay a new payment: the body of a verify and a settle
 * @property {number} patienceMs how long the merchant's client waits for one call
 * @property {(one: string, other: string) => void} [same] hears what two were told who settled one
 *   payment at the same time. Default: it must be the same.
 *
 * @typedef {object} Seen
 * @property {boolean} told the merchant has heard that it was paid
 * @property {unknown[]} payments
 * @property {string[]} story
 */

/** @param {World} world @param {number} seed @returns {Promise<Seen>} */
export async function purchase(world, seed) {
  const roll = dice(seed);
  const seen = { told: false, payments: [], story: [] };
  for (let n = 0; n < PAYMENTS_MAX; n++) {
    const body = await world.pay();
    seen.payments.push(body);
    const outcome = await sell(world, body, roll, seen);
    seen.story.push(outcome);
    if (outcome !== "pay again") break;
  }
  await mend(world);
  return seen;
}

const pick = (roll, list) => list[Math.floor(roll() * list.length)];

/** Gives each facilitator its faults, for the calls that follow. */
async function trouble({ t, names }, roll, seen) {
  for (const name of names) {
    if (roll() < 0.12) {
      await t.endpoint[name].set("refuse");
      seen.story.push(`${name} refuses`);
      continue;
    }
    await t.endpoint[name].set("answer");
    for (const faults of FAULTS) {
      if (roll() > 0.25) continue;
      const fault = pick(roll, faults);
      await t.endpoint[name].set(fault);
      seen.story.push(`${name} ${JSON.stringify(fault)}`);
    }
  }
}

async function mend({ t, names }) {
  for (const name of names) await t.endpoint[name].set("answer");
}

/** What the merchant makes of one payment. */
async function sell(world, body, roll, seen) {
  const { same = mustBeSame } = world;
  await trouble(world, roll, seen);
  const verified = await call(world, "verify", body, roll);
  if (verified?.body?.isValid !== true) return "pay again";
  if (roll() < 0.6) await trouble(world, roll, seen);
  for (let n = 0; n < SETTLES_MAX; n++) {
    const twice = roll() < 0.15;
    const [settled, other] = await Promise.all([
      call(world, "settle", body, roll),
      twice ? call(world, "settle", body, roll) : undefined,
    ]);
    if (settled && other && (waited(settled) || waited(other))) {
      same(kind(other), kind(settled));
    }
    const outcome = means(best([settled, other]), seen);
    seen.story.push(`settle: ${settled?.status} ${settled?.text}`);
    // What it calls pending, and what its client lost sight of, the merchant settles once more.
    const again = settled?.body?.errorReason === "settlement_pending";
    const anyway = outcome === "unknown" && settled !== undefined && roll() < 0.5;
    if (!again && !anyway) return outcome;
    if (roll() < 0.5) await trouble(world, roll, seen);
  }
  return "unknown";
}

/** Whether it came while another was under way: a settle that comes later is sent again. */
const waited = (answer) => answer?.attempts === 0 && answer.status === 200;

/** Of two answers to one payment the merchant goes by the one that knows more. */
const best = (answers) =>
  answers.find((answer) => answer?.body?.success === true) ??
  answers.find((answer) => answer && answer.body?.outcome !== "not_sent") ??
  answers[0];

const mustBeSame = (one, other) => assert.equal(one, other, "the same for both");
const kind = ({ status, body }) => `${status} ${body?.success} ${body?.outcome}`;

/** As `@x402/express` takes a facilitator's answer. */
function means(settled, seen) {
  if (settled === undefined) return "unknown";
  if (settled.body?.success === true) {
    seen.told = true;
    return "paid";
  }
  if (settled.body?.errorReason === "settlement_pending") return "unknown";
  // What was used by a settle of its own the merchant does not take for unpaid.
  if (/used/.test(settled.body?.errorReason ?? "")) return seen.told ? "paid" : "pay again";
  if (settled.status === 200 && settled.body?.success === undefined) return "unknown";
  return "pay again";
}

/** One call through any isolate; undefined when the client lost patience. */
async function call({ t, patienceMs }, path, body, roll) {
  const isolate = pick(roll, ["a", "b"]);
  const cf = { continent: pick(roll, ["EU", "AS"]) };
  const signal = AbortSignal.timeout(patienceMs);
  try {
    return await t.post(`/pay/${path}`, body, {}, { isolate, cf, signal });
  } catch {
    await sleep(5);
    return undefined;
  }
}
