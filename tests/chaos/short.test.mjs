/**
 * The beginning of a chaos run: a minute and a quarter of faults, with all its clients and checks.
 * `npm run chaos` is the long form.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { play } from "../../chaos/play.mjs";
import { report } from "../../chaos/report.mjs";

const SEED = 5;
const MS = 75_000;

test(`faults of all kinds for ${MS / 1000} s: nothing is wrong`, async (context) => {
  const { record, world } = await play({ seed: SEED, ms: MS });
  const said = report(record, world);
  assert.equal(
    record.violations.size,
    0,
    `${said}\nnpm run chaos -- --minutes 1.25 --seed ${SEED}`,
  );
  const { counts } = record;
  const seen = (what) => [...counts].reduce((n, [key, c]) => n + (key.startsWith(what) ? c : 0), 0);
  for (const what of [
    "answers compared",
    "transfers told: success",
    "filters polled",
    "purchases",
  ]) {
    assert.ok(seen(what) > 0, what);
  }
  assert.ok(seen("fault: ") >= 10, "few faults");
  context.diagnostic(`${seen("requests: ")} requests, ${seen("fault: ")} faults`);
});
