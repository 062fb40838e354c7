/**
 * Purchases while facilitators fail at random, with a token on a chain and the x402 project's own
 * facilitators. Each purchase has a seller of its own, so that his balance tells what it cost.
 *
 *     SEED=17 RUNS=1 node --test tests/clients/x402_matrix.test.mjs
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { facilitators } from "../support/facilitators.mjs";
import { purchase } from "../support/purchases.mjs";
import { AMOUNT, payer, startToken } from "../support/token/token.mjs";

const RUNS = Number(process.env.RUNS ?? 150);
const SEED = Number(process.env.SEED ?? 1);
const NAMES = ["a", "b", "c"];
/** What a client left alone may still be on its way. */
const SETTLED_MS = 1000;

let token;
let t;
let buyer;
before(async () => {
  token = await startToken();
  buyer = token.account();
  await token.mint(buyer.address, AMOUNT * 1_000_000n);
  t = await facilitators({
    names: ["a", "b", { name: "c", strict: true }],
    engine: (_, __, strict) => token.engine(strict),
    route: { attempt_timeout_ms: 600, trip_after: 4, cooldown_ms: 200, cooldown_max_ms: 400 },
    more: { isolates: 2 },
  });
});
after(async () => {
  await t?.stop();
  await token?.stop();
});

test(`${RUNS} purchases, the token moves once at most`, async (context) => {
  const purchases = [];
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    const seller = privateKeyToAddress(generatePrivateKey());
    const world = { t, names: NAMES, pay: payer(buyer, seller), patienceMs: 1200 };
    purchases.push({ seed, seller, ...(await purchase(world, seed)) });
  }
  await sleep(SETTLED_MS);
  const counts = { paid: 0, unpaid: 0, "paid, not told": 0 };
  for (const { seed, seller, told, story } of purchases) {
    const paid = await token.balance(seller);
    const all = `SEED=${seed}: paid ${paid}\n${story.join("\n")}`;
    assert.ok(paid === 0n || paid === AMOUNT, all);
    if (told) assert.equal(paid, AMOUNT, all);
    counts[told ? "paid" : paid > 0n ? "paid, not told" : "unpaid"] += 1;
  }
  context.diagnostic(JSON.stringify(counts));
});
