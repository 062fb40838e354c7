/**
 * The Worker's clock: read once a turn.
 */
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { now, turn } from "../../src/worker/clock.mjs";

beforeEach(() => mock.timers.enable({ apis: ["Date"], now: 1_000 }));
afterEach(() => mock.timers.reset());

test("within a turn time stands still, outside it goes on", () => {
  const seen = [];
  const look = () => {
    seen.push(now());
    mock.timers.setTime(seen.at(-1) + 500);
    seen.push(now());
  };
  look();
  turn(look);
  turn(look);
  look();
  assert.deepEqual(seen, [1_000, 1_500, 1_500, 1_500, 2_000, 2_000, 2_500, 3_000]);
});

test("a turn that throws is over", () => {
  assert.throws(() =>
    turn(() => {
      now();
      throw new Error("broken");
    }),
  );
  mock.timers.setTime(5_000);
  assert.equal(now(), 5_000);
});
