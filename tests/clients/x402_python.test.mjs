/**
 * The Python client of x402, of the version that `requirements.txt` beside this file names.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { NO_PYTHON, python } from "../../scripts/python.mjs";
import { facilitators } from "../support/facilitators.mjs";
import { AMOUNT, payer, startToken } from "../support/token/token.mjs";

const PYTHON = python();
const SCRIPT = fileURLToPath(new URL("../support/token/client.py", import.meta.url));

describe("the Python client", { skip: !PYTHON && NO_PYTHON }, () => {
  let token;
  let t;
  let buyer;
  let seller;
  before(async () => {
    token = await startToken();
    [buyer, seller] = [token.account(), token.account().address];
    await token.mint(buyer.address, AMOUNT * 100n);
    t = await facilitators({
      engine: () => token.engine(),
      more: { service: { state: "isolate" } },
    });
  });
  after(async () => {
    await t?.stop();
    await token?.stop();
  });
  beforeEach(() => t.heal());

  async function paid() {
    const payment = await payer(buyer, seller)();
    const before = await token.balance(seller);
    const said = await new Promise((resolve, reject) => {
      const child = execFile(PYTHON, [SCRIPT, `${t.url}/pay`], (error, out, err) =>
        error ? reject(new Error(err)) : resolve(JSON.parse(out)),
      );
      child.stdin.end(JSON.stringify(payment));
    });
    return { ...said, paid: (await token.balance(seller)) - before };
  }

  for (const fault of ["answer", "refuse"]) {
    test(`pays, the first facilitator: ${fault}`, async () => {
      await t.endpoint.a.set(fault);
      const expected = { kinds: 2, valid: true, success: true, reason: null, paid: AMOUNT };
      assert.deepEqual(await paid(), expected);
    });
  }

  test("cannot read an unknown outcome, and takes it for no answer", async () => {
    await t.worker.restart();
    await t.endpoint.a.set({ mode: "status", status: 502, method: "settle", forward: true });
    const { success, error, paid: moved } = await paid();
    assert.deepEqual([success, moved], [undefined, AMOUNT]);
    assert.ok(error);
  });
});
