/**
 * Purchases over x402 while facilitators fail at random. The ledger is a careless one: it lets each
 * facilitator move a payment once more, as no real token would. So money moves twice wherever a
 * payment is settled at two facilitators, or a buyer is asked to pay again for what moved.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { send } from "../tests/support/answer.mjs";
import { known, payment } from "../tests/support/facilitators.mjs";
import { purchase } from "../tests/support/purchases.mjs";

const PATIENCE_MS = 4_000;
const NETWORK = "eip155:84532";

/** @param {string} name @param {Map<string, Set<string>>} moves who moved a payment */
export function careless(name, moves) {
  return {
    supported: () => ({ kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }] }),
    verify: () => ({ isValid: true }),
    settle: (body) => {
      const by = moves.get(known(body)) ?? new Set();
      moves.set(known(body), by);
      const used = { errorReason: "invalid_exact_evm_nonce_already_used", transaction: "" };
      if (by.has(name)) return { success: false, network: NETWORK, ...used };
      by.add(name);
      return { success: true, transaction: `0x${moves.size}`, network: NETWORK };
    },
  };
}

/** Buys until the world is over. */
export async function buy(world, seed) {
  const t = {
    endpoint: world.facilitator,
    post: (path, body, headers, { isolate, ...how }) =>
      send(`${world.isolate[isolate].url}${path}`, { method: "POST", body, headers, ...how }),
  };
  const names = Object.keys(world.facilitator);
  world.purchases = [];
  for (let n = 0; !world.over; n += 1) {
    const from = performance.now();
    const same = (...told) => differ(world, from, told.sort());
    const seen = await purchase(
      { t, names, pay: payment, patienceMs: PATIENCE_MS, same },
      seed + n,
    );
    world.purchases.push({ seed: seed + n, ...seen });
    world.record.count(`purchases: ${seen.story.at(-1)}`);
    await sleep(200);
  }
}

/** By a facilitator that is asked again after it has settled. */
const USED = "200 false undefined";
const YES = "200 true undefined";

/**
 * Who comes when the other's settle is over has one of his own, which may hear "used"; who cannot
 * reach the payment's object hears that nothing was sent. Whether money moved twice is checked at the
 * end.
 */
function differ(world, from, [one, other]) {
  if (one === other) return;
  const away = ["object", "a", "b"].some((who) => world.wasAway(who, from));
  if (one === USED && other === YES) world.record.count("settles after the other's was over");
  else world.record.count(`settles told differently${away ? " while a process was away" : ""}`);
}

/**
 * A repeat of a settle of unknown outcome at another isolate, while the payment's object could not be reached: it is told
 * "not_sent", which is true of the repeat alone. See docs/chaos.md.
 */
const UNCLAIMED = /"outcome":"unknown"[^\n]*\nsettle: 503 \{"error":"no_claim"/;
const KNOWN = "KNOWN paid twice, by a merchant that took the not_sent of a repeat for all of it";

/** Each thing was paid for once at most, and whoever was told so has been paid. */
export function checkPurchases({ purchases, moves, record }) {
  for (const { seed, told, payments, story } of purchases) {
    const moved = payments.flatMap((body) => [...(moves.get(known(body)) ?? [])]);
    const all = `SEED=${seed}: moved by ${moved}\n${story.join("\n")}`;
    if (moved.length > 1 && UNCLAIMED.test(all)) record.count(KNOWN);
    else if (moved.length > 1) record.violation("paid twice", all);
    if (told && moved.length === 0) record.violation("told it was paid", all);
  }
}
