/**
 * The example shop and its buyer, with real facilitators of which the first is killed between two
 * purchases.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Example } from "../support/example.mjs";
import { facilitators } from "../support/facilitators.mjs";
import { AMOUNT, startToken } from "../support/token/token.mjs";

/** Whom the shop has paid. */
const MERCHANT = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";

let token;
let t;
let shop;
before(async () => {
  token = await startToken();
  // The first account is the one that the example takes by default.
  await token.mint(token.account().address, AMOUNT * 10n);
  t = await facilitators({ engine: () => token.engine() });
  shop = new Example(process.execPath, ["examples/x402/merchant.mjs", `${t.url}/pay`, "0"]);
});
after(async () => {
  await shop?.stop();
  await t?.stop();
  await token?.stop();
});

async function buy() {
  const [, url] = await shop.says(/^(http:\S+) costs \$0\.01/);
  const before = await token.balance(MERCHANT);
  const buyer = new Example(process.execPath, ["examples/x402/buyer.mjs", url]);
  const code = await buyer.end();
  return { code, said: buyer.lines, paid: (await token.balance(MERCHANT)) - before };
}

test("a purchase goes through, and another with the first facilitator dead", async () => {
  for (const [dead, by] of [
    ["", "a"],
    ["a", "b"],
  ]) {
    if (dead) await t.endpoint[dead].set("refuse");
    const { code, said, paid } = await buy();
    assert.equal(code, 0, said.join("\n"));
    assert.equal(said[0], '200 {"sentence":"You have paid, once."}');
    assert.match(said[1], /^settled: true, transaction 0x[\da-f]{64}$/);
    assert.equal(paid, AMOUNT);
    assert.equal(t.endpoint[by].hits("settle"), 1, by);
  }
});
