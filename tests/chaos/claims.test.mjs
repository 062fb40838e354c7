/**
 * A payment whose object is away: what an isolate has sent it does not call unsent.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startIsolate, startObjects } from "../../chaos/processes.mjs";
import { Ledger, ledgerEngine, startFacilitator } from "../../local/facilitator.mjs";
import { send } from "../support/answer.mjs";
import { payment } from "../support/facilitators.mjs";

let objects;
let isolates;
let facilitator;

before(async () => {
  facilitator = await startFacilitator({ name: "fa", engine: ledgerEngine("fa", new Ledger()) });
  const endpoints = [{ name: "fa", url: facilitator.url }];
  const vars = {
    SERVICE: { default_route: "pay" },
    ROUTE_PAY: { protocol: "x402", endpoints },
  };
  objects = await startObjects(vars);
  isolates = await Promise.all([1, 2].map(() => startIsolate(vars, objects.url)));
});
after(() => Promise.all([...(isolates ?? []), objects, facilitator].map((each) => each?.stop())));

const settle = (isolate, body) =>
  send(`${isolate.url}/pay/settle`, { method: "POST", body, headers: {} });

test("a repeat at the isolate that sent it is unknown, elsewhere and for others not sent", async () => {
  const [one, other] = isolates;
  const body = payment();
  await facilitator.set({ mode: "status", status: 502, method: "settle", forward: true });
  const first = await settle(one, body);
  assert.deepEqual([first.status, first.body.outcome], [200, "unknown"]);
  await objects.stop();
  const repeat = await settle(one, body);
  assert.deepEqual([repeat.status, repeat.body.outcome], [200, "unknown"]);
  const unclaimed = { error: "no_claim", outcome: "not_sent", attempts: [] };
  for (const answer of [await settle(other, body), await settle(one, payment())]) {
    assert.deepEqual([answer.status, answer.body], [503, unclaimed]);
  }
  assert.equal(facilitator.hits("settle"), 1);
});
