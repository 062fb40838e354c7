/**
 * The Worker puts another `queueMicrotask` in place of the runtime's: it must do the same.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cheapen } from "../../src/worker/wakes.mjs";

const { queueMicrotask: own, reportError } = globalThis;
const reported = [];

before(() => {
  globalThis.reportError = (error) => reported.push(error.message);
  cheapen();
});

after(() => Object.assign(globalThis, { queueMicrotask: own, reportError }));

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("callbacks run in their order, after what runs now and before any event", async () => {
  assert.notEqual(globalThis.queueMicrotask, own);
  const seen = [];
  setImmediate(() => seen.push("event"));
  queueMicrotask(() => {
    seen.push("first");
    queueMicrotask(() => seen.push("third"));
  });
  queueMicrotask(() => seen.push("second"));
  seen.push("now");
  await turn();
  assert.deepEqual(seen, ["now", "first", "second", "third", "event"]);
});

test("what one throws is reported, and holds up no other", async () => {
  const seen = [];
  queueMicrotask(() => {
    throw new Error("broken");
  });
  queueMicrotask(() => seen.push("next"));
  await turn();
  assert.deepEqual([reported, seen], [["broken"], ["next"]]);
});
