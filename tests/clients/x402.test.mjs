/**
 * The x402 project's own clients through Breakwater: a merchant's server with one facilitator URL, a
 * buyer that pays it, a token that moves.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, beforeEach, describe, test } from "node:test";
import { HTTPFacilitatorClient, x402ResourceServer } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { ExactEvmScheme as ExactEvmServer } from "@x402/evm/exact/server";
import { paymentMiddleware } from "@x402/express";
import { wrapFetchWithPaymentFromConfig } from "@x402/fetch";
import express from "express";
import { facilitators } from "../support/facilitators.mjs";
import { AMOUNT, NETWORK, PRICE, payer, startToken } from "../support/token/token.mjs";

let token;
let t;
let buyer;
let merchant;

before(async () => {
  token = await startToken();
  [buyer, merchant] = [token.account(), token.account()];
  await token.mint(buyer.address, 1_000_000_000n);
  t = await facilitators({
    names: ["a", { name: "b", strict: true }],
    engine: (_, __, strict) => token.engine(strict),
    route: { trip_after: 100, trip_min: 1000 },
    more: { service: { state: "isolate" } },
  });
});
after(async () => {
  await t?.stop();
  await token?.stop();
});
beforeEach(async () => {
  await t.heal();
  // What was learned of a facilitator in one case is not to count in the next.
  await t.worker.restart();
});

/** How much the merchant gets while something happens. */
async function paidBy(happens) {
  const before = await token.balance(merchant.address);
  const result = await happens();
  return { paid: (await token.balance(merchant.address)) - before, result };
}

describe("the facilitator client of version 2", () => {
  const client = () => new HTTPFacilitatorClient({ url: `${t.url}/pay/`, timeoutMs: 10_000 });
  /** A new payment, as the client takes it. */
  const pay = async () => {
    const { paymentPayload, paymentRequirements } = await payer(buyer, merchant.address)();
    return [paymentPayload, paymentRequirements];
  };

  test("asks, verifies and settles", async () => {
    const { kinds } = await client().getSupported();
    assert.deepEqual(
      kinds.map(({ x402Version, network }) => [x402Version, network]),
      [
        [2, NETWORK],
        [1, "base-sepolia"],
      ],
    );
    const [payload, own] = await pay();
    const { paid, result } = await paidBy(async () => {
      assert.equal((await client().verify(payload, own)).isValid, true);
      return client().settle(payload, own);
    });
    assert.deepEqual([result.success, paid], [true, AMOUNT]);
    const again = await paidBy(() => client().settle(payload, own));
    assert.deepEqual([again.result.success, again.paid], [false, 0n]);
    assert.deepEqual([t.endpoint.a.hits("settle"), t.endpoint.b.hits("settle")], [2, 0]);
  });

  test("settles where it verified, though the other insists on that", async () => {
    await t.endpoint.a.set({ mode: "status", status: 503, method: "verify" });
    const [payload, own] = await pay();
    const { paid, result } = await paidBy(async () => {
      assert.equal((await client().verify(payload, own)).isValid, true);
      return client().settle(payload, own);
    });
    assert.deepEqual([result.success, paid, t.endpoint.b.hits("settle")], [true, AMOUNT, 1]);
  });

  test("hears a refusal as a refusal, an unknown outcome as none it can read", async () => {
    const [first, own] = await pay();
    const poor = { ...first };
    poor.payload = { ...poor.payload, signature: `0x${"11".repeat(65)}` };
    const { isValid } = await client().verify(poor, own);
    assert.equal(isValid, false);

    const [payload] = await pay();
    await t.endpoint.a.set({ mode: "status", status: 502, method: "settle", forward: true });
    const { paid } = await paidBy(() =>
      assert.rejects(client().settle(payload, own), { name: "FacilitatorResponseError" }),
    );
    assert.equal(paid, AMOUNT, "it had settled");
  });
});

describe("a whole shop of version 2", () => {
  let shop;
  let url;
  before(async () => {
    const facilitator = new HTTPFacilitatorClient({ url: `${t.url}/pay`, timeoutMs: 5000 });
    const server = new x402ResourceServer(facilitator).register(NETWORK, new ExactEvmServer());
    const accepts = { scheme: "exact", network: NETWORK, payTo: merchant.address, price: PRICE };
    const app = express();
    app.use(paymentMiddleware({ "GET /paid": { accepts, description: "a thing" } }, server));
    app.get("/paid", (_, res) => res.json({ here: "you are" }));
    shop = app.listen(0, "127.0.0.1");
    await once(shop, "listening");
    url = `http://127.0.0.1:${shop.address().port}/paid`;
  });
  after(() => shop?.close());

  /** Statuses that the buyer saw: the one that asks for payment, the one after he paid. */
  async function buy() {
    const statuses = [];
    const watched = async (...args) => {
      const response = await fetch(...args);
      statuses.push(response.status);
      return response;
    };
    const paying = wrapFetchWithPaymentFromConfig(watched, {
      schemes: [{ network: "eip155:*", client: new ExactEvmScheme(buyer) }],
    });
    await paying(url).catch(() => {});
    return statuses;
  }

  const CASES = {
    "all is well": ["answer", [402, 200], AMOUNT],
    "the first is refused": ["refuse", [402, 200], AMOUNT],
    "the first is slow to settle": [
      { mode: "slow", ms: 800, method: "settle" },
      [402, 200],
      AMOUNT,
    ],
    "the first verifies badly": [{ mode: "html", method: "verify" }, [402, 200], AMOUNT],
    "the first settles, and says 502": [
      { mode: "status", status: 502, method: "settle", forward: true },
      [402, 502],
      AMOUNT,
    ],
    "the first settles, and resets": [
      { mode: "reset", when: "after", method: "settle", forward: true },
      [402, 502],
      AMOUNT,
    ],
    "the first breaks without settling": [
      { mode: "reset", when: "after", method: "settle" },
      [402, 502],
      0n,
    ],
    "the first throttles settles": [
      { mode: "status", status: 429, body: "{}", method: "settle" },
      [402, 402],
      0n,
    ],
    "the first never answers": [{ mode: "hang", method: "settle" }, [402, 502], 0n],
  };
  for (const [name, [fault, expected, amount]] of Object.entries(CASES)) {
    test(name, async () => {
      await t.endpoint.a.set(fault);
      const { paid, result } = await paidBy(buy);
      assert.deepEqual([result, paid], [expected, amount]);
    });
  }
});
