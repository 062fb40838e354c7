/**
 * A drill is ended, however it goes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { silent } from "../../scripts/console/progress.mjs";
import { Course } from "../../scripts/drill/course.mjs";

const PLAN = {
  endpoint: "a",
  faults: [{ kind: "down", value: 0, for_ms: 60_000, must_move: true }],
  backMs: 1,
};

/** An operator's side that notes what it is asked for. */
function fakeAdmin(own = {}) {
  const orders = [];
  const note =
    (word, then) =>
    async (...args) => {
      orders.push(word);
      return then?.(...args);
    };
  return {
    orders,
    begin: note("begin", own.begin),
    reset: note("reset", own.reset),
    status: note("status", own.status ?? (() => ({ endpoints: [] }))),
  };
}

const fakeReads = () => ({
  done: Array.from({ length: 5 }, () => ({ at_ms: Date.now() + 60_000, ms: 1, endpoint: "a" })),
  stopped: false,
  start() {},
  async stop() {
    this.stopped = true;
  },
});

const course = (admin, reads, signal, progress = silent()) =>
  new Course(admin, reads, progress, signal ?? new AbortController().signal).run(PLAN);

test("an order that fails is taken back, since some regions may have it", async () => {
  const reads = fakeReads();
  const admin = fakeAdmin({
    begin: () => {
      throw new Error("HTTP 503");
    },
  });
  await assert.rejects(course(admin, reads), /HTTP 503/);
  assert.deepEqual(admin.orders, ["begin", "reset"]);
  assert.equal(reads.stopped, true);
});

test("a signal ends it in the middle", async () => {
  const controller = new AbortController();
  const admin = fakeAdmin({ status: () => controller.abort() });
  await assert.rejects(course(admin, fakeReads(), controller.signal), { name: "AbortError" });
  assert.deepEqual(admin.orders, ["begin", "status", "reset"]);
});

test("what cannot be reset is told, with the time at which it ends by itself", async () => {
  const told = [];
  const controller = new AbortController();
  const admin = fakeAdmin({
    status: () => controller.abort(),
    reset: () => {
      throw new Error("gone");
    },
  });
  const progress = { ...silent(), stage: (line) => told.push(line) };
  await assert.rejects(course(admin, fakeReads(), controller.signal, progress));
  assert.match(told.at(-1), /could not be reset \(gone\); it ends by itself at \d{4}-/);
});
