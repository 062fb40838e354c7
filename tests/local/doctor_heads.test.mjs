/**
 * Comparing heads: who is behind whom, who moves, who is on a fork.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  advances,
  agreement,
  blockTime,
  lagOf,
  least,
  reference,
} from "../../scripts/doctor/heads.mjs";
import { percentile } from "../../scripts/doctor/percentiles.mjs";

const head = (number, time_s = number * 12) => ({ number, time_s });
const NOW_S = 12_000;

test("the reference is the highest head that is not of the future", () => {
  assert.deepEqual(reference([head(900), undefined, head(1_000)], NOW_S), head(1_000));
  assert.deepEqual(reference([head(900), head(5_000)], NOW_S), head(900));
  assert.deepEqual(reference([head(900, null), head(950, null)], NOW_S), head(950, null));
  assert.equal(reference([undefined], NOW_S), undefined);
});

test("lag in blocks and seconds, unknown where unknown", () => {
  assert.deepEqual(lagOf(head(990), head(1_000)), { blocks: 10, seconds: 120 });
  assert.deepEqual(lagOf(head(990, null), head(1_000)), { blocks: 10, seconds: null });
  assert.deepEqual(lagOf(head(1_001), head(1_000)), { blocks: 0, seconds: 0 });
  assert.deepEqual([lagOf(undefined, head(1)), lagOf(head(1), undefined)], [null, null]);
  assert.deepEqual(least([{ blocks: 3, seconds: 1 }, null, { blocks: 1, seconds: 9 }]).blocks, 1);
  assert.equal(least([null, null]), null);
});

test("a head stands still only where others move", () => {
  assert.equal(advances(head(1), head(2), true), true);
  assert.equal(advances(head(1), head(1), true), false);
  assert.equal(advances(head(1), head(1), false), null);
  assert.equal(advances(undefined, head(1), true), null);
});

test("what a block takes", () => {
  assert.equal(blockTime(head(10), head(12)), 12);
  assert.equal(blockTime(head(10), head(10)), null);
  assert.equal(blockTime(undefined, head(10)), null);
});

test("forks need a majority to be told", () => {
  assert.deepEqual(agreement(["x", "x", "y"]), [true, true, false]);
  assert.deepEqual(agreement(["x", "y"]), [null, null]);
  assert.deepEqual(agreement(["x", undefined, "x"]), [true, null, true]);
  assert.deepEqual(agreement(["x"]), [null]);
  assert.deepEqual(agreement([]), []);
});

test("percentiles are values that were seen", () => {
  assert.equal(percentile([3, 1, 2], 0.5), 2);
  assert.equal(percentile([1, 2, 3, 4], 0.99), 4);
  assert.equal(percentile([], 0.5), null);
});
