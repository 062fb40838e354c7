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
import { printTable } from "../support/table.mjs";
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

  test("hears a no under a 400 as the error it is", async () => {
    const [payload, own] = await pay();
    const no = (method, body) =>
      t.endpoint.a.set({ mode: "status", status: 400, body: JSON.stringify(body), method });
    await no("verify", { isValid: false, invalidReason: "bad_payload" });
    await assert.rejects(client().verify(payload, own), {
      name: "VerifyError",
      statusCode: 400,
      invalidReason: "bad_payload",
    });
    await no("settle", { success: false, errorReason: "no", transaction: "", network: NETWORK });
    await assert.rejects(client().settle(payload, own), {
      name: "SettleError",
      statusCode: 400,
      errorReason: "no",
    });
    assert.deepEqual([t.endpoint.b.hits("verify"), t.endpoint.b.hits("settle")], [0, 0]);
  });

  test("takes null for what may be absent", async () => {
    const [payload, own] = await pay();
    const says = (method, body) =>
      t.endpoint.a.set({ mode: "status", status: 200, body: JSON.stringify(body), method });
    await says("verify", { isValid: true, invalidReason: null, payer: null });
    assert.equal((await client().verify(payload, own)).isValid, true);
    const settled = { success: true, transaction: "0x1", network: NETWORK };
    await says("settle", { ...settled, errorReason: null, payer: null });
    const { success, transaction } = await client().settle(payload, own);
    assert.deepEqual([success, transaction], [true, "0x1"]);
  });

  test("is told that a payment that was made is not valid any more", async () => {
    const [payload, own] = await pay();
    await client().settle(payload, own);
    const { isValid, invalidReason } = await client().verify(payload, own);
    assert.equal(isValid, false);
    assert.match(invalidReason, /nonce|simulation/);
    assert.equal(t.endpoint.b.hits("verify"), 0, "a no is not asked for twice");
  });

  test("learns what is taken although the first is down when it starts", async () => {
    await t.endpoint.a.set("refuse");
    const server = new x402ResourceServer(client()).register(NETWORK, new ExactEvmServer());
    await server.initialize();
    assert.equal(server.getSupportedKind(2, NETWORK, "exact").network, NETWORK);
    assert.equal(t.endpoint.b.hits("supported"), 1);
  });
});

describe("a whole shop of version 2", () => {
  let shop;
  let url;
  /** What Breakwater answered to settles, and what came of each case. */
  let settled = [];
  const seen = [];
  const { fetch: plain } = globalThis;
  before(async () => {
    globalThis.fetch = async (...args) => {
      const response = await plain(...args);
      if (String(args[0]).endsWith("/settle")) settled.push(response.status);
      return response;
    };
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
  after(() => {
    globalThis.fetch = plain;
    shop?.close();
    const columns = ["Fault", "Answers to settle", "Merchant", "Settles at a, b", "Moved"];
    printTable("A purchase", columns, seen);
  });

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

  const no = (errorReason, transaction = "") =>
    JSON.stringify({ success: false, errorReason, transaction, network: NETWORK });
  const says = (status, body) => ({ mode: "status", status, body, method: "settle" });
  const CASES = {
    "all is well": ["answer", [402, 200], AMOUNT],
    "the first is refused": ["refuse", [402, 200], AMOUNT],
    "the first is slow to settle": [
      { mode: "slow", ms: 800, method: "settle" },
      [402, 200],
      AMOUNT,
    ],
    "the first verifies badly": [{ mode: "html", method: "verify" }, [402, 200], AMOUNT],
    "the first throttles verifies": [
      { mode: "status", status: 429, body: "{}", method: "verify" },
      [402, 200],
      AMOUNT,
    ],
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
    "the first says 504 in JSON": [says(504, '{"error":"late"}'), [402, 502], 0n],
    "the first says 502, and no": [says(502, no("failed")), [402, 402], 0n],
    "the first says 400, and no": [says(400, no("failed")), [402, 402], 0n],
    "the first says pending, and which transaction": [
      { ...says(200, no("settlement_pending", "0xab")), times: 1 },
      [402, 200],
      AMOUNT,
      2,
    ],
    "the first says pending, and nothing more": [
      { ...says(200, no("settlement_pending")), times: 1 },
      [402, 402],
      0n,
    ],
  };
  for (const [name, [fault, expected, amount, settles = 1]] of Object.entries(CASES)) {
    test(name, async () => {
      settled = [];
      await t.endpoint.a.set(fault);
      const { paid, result } = await paidBy(buy);
      const each = ["a", "b"].map((name) => t.endpoint[name].hits("settle"));
      seen.push([name, settled, result, each, paid]);
      assert.deepEqual([result, paid], [expected, amount]);
      assert.deepEqual(new Set(each), new Set([0, settles]), "sent to one of them");
    });
  }

  test("nobody can verify", async () => {
    for (const name of ["a", "b"]) {
      await t.endpoint[name].set({ mode: "status", status: 503, method: "verify" });
    }
    const { paid, result } = await paidBy(buy);
    assert.deepEqual([result, paid], [[402, 402], 0n]);
    assert.deepEqual([t.endpoint.a.hits("settle"), t.endpoint.b.hits("settle")], [0, 0]);
  });
});
