/**
 * The examples that follow a chain, while the endpoint that they hear it from is killed.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { NO_PYTHON, python } from "../../scripts/python.mjs";
import { Example, FOLLOWED } from "../support/example.mjs";
import { harness } from "../support/harness.mjs";

const BLOCKS = 6;
const BLOCK = /^block (\d+) from (\w+): \d+ transactions, [\d.]+ gwei$/;

const EXAMPLES = {
  "viem.mjs": [process.execPath, "examples/viem.mjs"],
  "ethers.mjs": [process.execPath, "examples/ethers.mjs"],
  "python/blocks.py": [python(), "examples/python/blocks.py"],
};

describe("an example that follows a chain misses nothing of an outage", () => {
  for (const [name, [program, path]] of Object.entries(EXAMPLES)) {
    test(name, { skip: !program && NO_PYTHON }, async (context) => {
      const t = await harness(FOLLOWED);
      context.after(() => t.stop());
      const example = new Example(program, [path, t.url, String(BLOCKS)]);
      context.after(() => example.stop());

      await example.says(/^block \d+ from first:/);
      await t.endpoint.first.set("refuse");
      assert.equal(await example.end(), 0, example.lines.join("\n"));

      const [said, ...blocks] = example.lines;
      assert.equal(said, `chain 31337 at ${t.url}`);
      const seen = blocks.map((line) => line.match(BLOCK) ?? assert.fail(line));
      const numbers = seen.map(([, number]) => Number(number)).sort((a, b) => a - b);
      const expected = numbers.map((_, i) => numbers[0] + i);
      assert.deepEqual(numbers, expected, "none is missing, none comes twice");
      assert.ok(numbers.length >= BLOCKS);
      assert.equal(seen.at(-1)[2], "second");
    });
  }
});
