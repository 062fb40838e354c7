/**
 * The schedule of faults: the same for a seed, and never without an endpoint that is well.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "../../chaos/faults.mjs";
import { schedule } from "../../chaos/schedule.mjs";

const MINUTE_MS = 60_000;
const ENDPOINTS = ["alpha", "beta", "gamma"];
const plan = (seed, ms = 20 * MINUTE_MS) =>
  schedule({ seed, ms, endpoints: ENDPOINTS, isolates: ["a", "b"] });
const of = (events, target) => events.filter((event) => event.target === target);

/** Longest that a request takes. */
const REQUEST_MS = 9_000;

test("a seed gives the same faults again, another seed others", () => {
  assert.deepEqual(plan(7), plan(7));
  assert.notDeepEqual(plan(7), plan(8));
});

test("whatever begins outside of a blackout has an endpoint that is well all along", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const events = plan(seed);
    const meets = (from, until) => (event) => event.at < until && event.until > from;
    for (let at = 0; at < 20 * MINUTE_MS; at += 500) {
      const met = events.filter(meets(at, at + REQUEST_MS));
      if (met.some(({ blackout }) => blackout)) continue;
      const well = ENDPOINTS.filter((name) => of(met, name).length === 0);
      assert.ok(well.length > 0, `seed ${seed} at ${at}`);
    }
  }
});

test("an endpoint has one fault at a time, and in the end none", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    for (const name of ENDPOINTS) {
      const own = of(plan(seed), name);
      assert.ok(own.every((event, i) => i === 0 || event.at >= own[i - 1].until));
      assert.ok(own.every(({ until }) => until <= 20 * MINUTE_MS));
    }
  }
});

test("in an hour every kind of fault comes, and blackouts do", () => {
  const events = plan(3, 60 * MINUTE_MS);
  const kinds = new Set(
    events.filter(({ target }) => ENDPOINTS.includes(target)).map((e) => e.kind),
  );
  assert.deepEqual(
    [...Object.keys(faults)].filter((kind) => !kinds.has(kind)),
    [],
  );
  assert.ok(events.some(({ blackout }) => blackout));
  for (const who of ["object", "a", "b"]) assert.ok(of(events, who).length > 10, who);
});
