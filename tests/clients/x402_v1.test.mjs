/**
 * Clients of x402 version 1. Their packages weigh 700 MB, so they are not among the project's own:
 *
 *     npm i --no-save x402@1.2.0 x402-express@1.2.0 x402-fetch@1.2.0
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, beforeEach, describe, test } from "node:test";
import express from "express";
import { facilitators } from "../support/facilitators.mjs";
import { NETWORK_V1, startToken, TOKEN } from "../support/token/token.mjs";

const AMOUNT = 10_000n;

const installed = await Promise.all([
  import("x402/verify"),
  import("x402/schemes"),
  import("x402-express"),
  import("x402-fetch"),
]).catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
});
const skip = installed ? false : "the packages of version 1 are not installed";

describe("clients of version 1", { skip }, () => {
  const [{ useFacilitator }, { exact }, { paymentMiddleware }, { wrapFetchWithPayment }] =
    installed ?? [{}, {}, {}, {}];
  let token;
  let t;
  let buyer;
  let merchant;

  before(async () => {
    token = await startToken();
    [buyer, merchant] = [token.account(), token.account()];
    await token.mint(buyer.address, 1_000_000_000n);
    t = await facilitators({
      engine: () => token.engine(),
      more: { service: { state: "isolate" } },
    });
  });
  after(async () => {
    await t?.stop();
    await token?.stop();
  });
  beforeEach(async () => {
    await t.heal();
    await t.worker.restart();
  });

  async function paidBy(happens) {
    const before = await token.balance(merchant.address);
    const result = await happens();
    return { paid: (await token.balance(merchant.address)) - before, result };
  }

  for (const fault of ["answer", "refuse"]) {
    test(`useFacilitator, the first facilitator: ${fault}`, async () => {
      const { supported, verify, settle } = useFacilitator({ url: `${t.url}/pay` });
      await t.endpoint.a.set(fault);
      assert.equal((await supported()).kinds.length, 2);
      const requirements = {
        scheme: "exact",
        network: NETWORK_V1,
        maxAmountRequired: String(AMOUNT),
        resource: "https://shop.example/paid",
        description: "a thing",
        mimeType: "application/json",
        payTo: merchant.address,
        maxTimeoutSeconds: 60,
        asset: TOKEN,
        extra: { name: "USDC", version: "2" },
      };
      const header = await exact.evm.createPaymentHeader(buyer, 1, requirements);
      const payload = exact.evm.decodePayment(header);
      const { paid, result } = await paidBy(async () => {
        assert.equal((await verify(payload, requirements)).isValid, true);
        return settle(payload, requirements);
      });
      assert.deepEqual([result.success, paid], [true, AMOUNT]);
    });
  }

  test("a whole shop", async () => {
    const app = express();
    const routes = { "GET /paid": { price: "$0.01", network: NETWORK_V1 } };
    app.use(paymentMiddleware(merchant.address, routes, { url: `${t.url}/pay` }));
    app.get("/paid", (_, res) => res.json({ here: "you are" }));
    const shop = app.listen(0, "127.0.0.1");
    await once(shop, "listening");
    try {
      const paying = wrapFetchWithPayment(fetch, buyer, AMOUNT);
      await t.endpoint.a.set("hang");
      const { vars } = t;
      const quick = { ...vars.ROUTE_PAY, attempt_timeout_ms: 2000 };
      await t.worker.restart({ vars: { ...vars, ROUTE_PAY: quick } });
      const url = `http://127.0.0.1:${shop.address().port}/paid`;
      const { paid, result } = await paidBy(() => paying(url));
      assert.deepEqual(
        [result.status, await result.json(), paid],
        [200, { here: "you are" }, AMOUNT],
      );
      assert.equal(t.endpoint.b.hits("settle"), 1);
    } finally {
      shop.close();
    }
  });
});
