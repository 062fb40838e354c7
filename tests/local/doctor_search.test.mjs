/**
 * Searching for a limit: what is found, and with how few questions.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { largest, roundest } from "../../scripts/doctor/search.mjs";

const LADDER = [1, 2, 5, 10, 20, 50, 100];

/** Asks something that takes so much. */
async function search(limit, how, ladder = LADDER) {
  const asked = [];
  const found = await largest(
    ladder,
    async (n) => {
      asked.push(n);
      return n <= limit;
    },
    how,
  );
  return { ...found, asked };
}

test("the exact limit, whatever it is", async () => {
  for (let limit = 0; limit < 100; limit += 1) {
    const { good, bad, sure, asked } = await search(limit);
    assert.deepEqual([good, bad, sure], [limit, limit + 1, true]);
    assert.equal(new Set(asked).size, asked.length, "nothing is asked twice");
    assert.ok(asked.length <= 10, `${limit}: ${asked}`);
  }
});

test("what takes all of the ladder is not asked for more", async () => {
  assert.deepEqual(await search(5000), { good: 100, bad: null, sure: true, asked: [10, 50, 100] });
});

test("nothing above the most is asked", async () => {
  for (const most of [1, 7, 100, 700]) {
    const { good, bad, asked } = await search(Infinity, { most });
    assert.deepEqual([good, bad], [most, null]);
    assert.ok(Math.max(...asked) === most);
  }
});

test("to a share: less is asked, and the limit is at most so far off", async () => {
  const ladder = [1, 100, 1_000, 10_000, 100_000];
  for (const limit of [3, 99, 128, 800, 1_024, 2_047, 45_000]) {
    const { good, bad, asked } = await search(limit, { share: 1 / 16 }, ladder);
    assert.ok(good <= limit && limit < bad && bad - good <= Math.max(1, good / 16), `${limit}`);
    assert.ok(asked.length <= 12, `${limit}: ${asked}`);
  }
  const { good, asked } = await search(800, { share: 1 / 16 }, ladder);
  assert.deepEqual([good, asked.includes(800)], [800, true], "round numbers are tried");
});

test("what is known to be refused bounds the search", async () => {
  const { good, asked } = await search(150, { refused: 200, share: 1 / 16 });
  assert.ok(good > 140 && good <= 150 && !asked.includes(200), `${good}, ${asked}`);
});

test("when nobody can tell, it ends with what it knows", async () => {
  const words = [true, undefined];
  const found = await largest(LADDER, async () => words.shift());
  assert.deepEqual(found, { good: 10, bad: null, sure: false });
  assert.equal(words.length, 0);
});

test("round numbers between two, never one of the two", () => {
  for (let low = 0; low < 60; low += 1) {
    for (let high = low + 2; high < 200; high += 1) {
      const n = roundest(low, high);
      assert.ok(Number.isInteger(n) && n > low && n < high, `${low} ${high}: ${n}`);
    }
  }
  assert.deepEqual(
    [roundest(500, 1000), roundest(1000, 10_000), roundest(128, 1000)],
    [800, 5000, 500],
  );
});
