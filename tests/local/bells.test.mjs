/**
 * One timer of the runtime's for many.
 */
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Bells } from "../../src/worker/bells.mjs";

let heard;
let timers;

beforeEach(() => {
  heard = [];
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000 });
  timers = mock.method(globalThis, "setTimeout");
});
afterEach(() => {
  timers.mock.restore();
  mock.timers.reset();
});

const hear = (name) => () => heard.push(name);

test("each rings in its time, whatever the order they were asked for", () => {
  const bells = new Bells();
  bells.ring(300, hear("late"));
  bells.ring(100, hear("early"));
  bells.ring(100, hear("with it"));
  bells.ring(200, hear("between"));
  for (const [ms, names] of [
    [99, []],
    [1, ["early", "with it"]],
    [100, ["early", "with it", "between"]],
    [100, ["early", "with it", "between", "late"]],
    [1_000, ["early", "with it", "between", "late"]],
  ]) {
    mock.timers.tick(ms);
    assert.deepEqual(heard, names);
  }
});

test("a silenced one does not ring, others do", () => {
  const bells = new Bells();
  const first = bells.ring(100, hear("first"));
  bells.ring(200, hear("second"));
  bells.silence(first);
  bells.silence(first);
  mock.timers.tick(1_000);
  assert.deepEqual(heard, ["second"]);
});

test("what is asked for later than the next costs no timer, nor does what is silenced leave one", () => {
  const bells = new Bells();
  const all = [100, 200, 300].map((ms) => bells.ring(ms, hear(ms)));
  assert.equal(timers.mock.callCount(), 1);
  for (const bell of all) bells.silence(bell);
  const again = bells.ring(400, hear("again"));
  assert.equal(timers.mock.callCount(), 2);
  bells.silence(again);
  mock.timers.tick(1_000);
  assert.deepEqual(heard, []);
});

test("one that rings may ask for another, or silence what is due with it", () => {
  const bells = new Bells();
  let other;
  bells.ring(100, () => {
    heard.push("first");
    bells.silence(other);
    bells.ring(100, hear("next"));
  });
  other = bells.ring(100, hear("other"));
  mock.timers.tick(100);
  assert.deepEqual(heard, ["first"]);
  mock.timers.tick(1_000);
  assert.deepEqual(heard, ["first", "next"]);
});
