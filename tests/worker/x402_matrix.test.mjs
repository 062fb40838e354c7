/**
 * Hundreds of purchases while facilitators fail in every way at random. The ledger is a careless one:
 * it lets each facilitator move a payment once more, as no real token would. So money moves twice
 * wherever a payment is settled at two facilitators, or a buyer is asked to pay again for what moved.
 *
 *     SEED=17 RUNS=1 node --test tests/worker/x402_matrix.test.mjs
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { facilitators, known, payment } from "../support/facilitators.mjs";
import { purchase } from "../support/purchases.mjs";

const RUNS = Number(process.env.RUNS ?? 600);
const SEED = Number(process.env.SEED ?? 1);
const NAMES = ["a", "b", "c"];

/** @type {Map<string, Set<string>>} who moved a payment */
const moved = new Map();
const USED = "invalid_exact_evm_nonce_already_used";

/** The last one insists on having verified what it settles. */
function careless(name) {
  const verified = new Set();
  const refused = (errorReason) => ({ success: false, errorReason, transaction: "", network: "n" });
  return {
    supported: () => ({ kinds: [] }),
    verify: (body) => {
      verified.add(known(body));
      return { isValid: true };
    },
    settle: (body) => {
      const payment = known(body);
      if (name === "c" && !verified.has(payment)) return refused("verify_it_here_first");
      const by = moved.get(payment) ?? new Set();
      moved.set(payment, by);
      if (by.has(name)) return refused(USED);
      by.add(name);
      return { success: true, transaction: `0x${moved.size}`, network: "n" };
    },
  };
}

let t;
before(async () => {
  t = await facilitators({
    names: NAMES,
    engine: careless,
    route: { attempt_timeout_ms: 150, trip_after: 4, cooldown_ms: 200, cooldown_max_ms: 400 },
    more: { isolates: 2 },
  });
});
after(() => t?.stop());

const movesOf = ({ payments }) => payments.flatMap((body) => [...(moved.get(known(body)) ?? [])]);

test(`${RUNS} purchases, money moves once at most`, async (context) => {
  const counts = { paid: 0, unpaid: 0, "paid, not told": 0, "left by proof": 0 };
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    const world = { t, names: NAMES, pay: payment, patienceMs: 400 };
    const seen = await purchase(world, seed);
    const moves = movesOf(seen);
    const story = `SEED=${seed}: moved by ${moves}\n${seen.story.join("\n")}`;
    assert.ok(moves.length <= 1, story);
    if (seen.told) assert.equal(moves.length, 1, story);
    counts[seen.told ? "paid" : moves.length > 0 ? "paid, not told" : "unpaid"] += 1;
  }
  counts["left by proof"] = t
    .events("failover")
    .filter(({ reason }) => reason === "unreached").length;
  context.diagnostic(JSON.stringify(counts));
  for (const [name, count] of Object.entries(counts)) {
    assert.ok(RUNS < 100 || count > 0, `the dice never gave: ${name}`);
  }
});
