/**
 * The Python client of x402, where there is one:
 *
 *     pip install 'x402[clients,evm]==2.25.0'
 *
 * `X402_PYTHON` names the interpreter that has it. Default `python3`.
 */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { after, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { facilitators } from "../support/facilitators.mjs";
import { AMOUNT, payer, startToken } from "../support/token/token.mjs";

const PYTHON = process.env.X402_PYTHON ?? "python3";
const SCRIPT = fileURLToPath(new URL("../support/token/client.py", import.meta.url));
const found = spawnSync(PYTHON, ["-c", "import x402.http"]).status === 0;

describe("the Python client", { skip: !found && "x402 is not installed for Python" }, () => {
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
