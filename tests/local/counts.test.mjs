/**
 * `npm test` must not report a success that is none.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { removeFolder, scratchFolder } from "../../local/scratch.mjs";
import { chromium } from "../../scripts/chromium.mjs";
import {
  cargoCounts,
  failedFiles,
  nodeCounts,
  nodeSkipped,
  verdict,
} from "../../scripts/counts.mjs";
import { prometheus, promtool } from "../../scripts/prometheus.mjs";
import { run } from "../../scripts/run.mjs";
import { missingPackages } from "../../scripts/setup.mjs";
import {
  GZIP_LIMIT_KIB,
  inBrowser,
  onceMore,
  uploadSize,
  withPrometheus,
} from "../../scripts/steps.mjs";

test("cargo's counts are added up over its binaries", () => {
  const output = `running 2 tests
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
test result: FAILED. 10 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out
     12 passed, but not on a result line`;
  assert.deepEqual(cargoCounts(output), { passed: 12, failed: 3 });
});

test("node's cancelled tests count as failed", () => {
  const output = "✔ a test\nℹ tests 9\nℹ pass 6\nℹ fail 1\nℹ cancelled 2\nℹ skipped 0\n";
  assert.deepEqual(nodeCounts(output), { passed: 6, failed: 3 });
});

test("what this node skips is told, and counts for nothing", async () => {
  const folder = scratchFolder();
  const file = join(folder, "some.test.mjs");
  writeFileSync(
    file,
    `import { describe, test } from "node:test";
    const fails = () => { throw new Error("it ran"); };
    test("runs", () => {});
    test("bare", { skip: true }, fails);
    describe("a suite", { skip: "no tools" }, () => test("in it", fails));
    describe("another", () => test("within", { skip: "too slow" }, fails));`,
  );
  // Otherwise it takes itself for a part of this run.
  const env = { NODE_TEST_CONTEXT: undefined };
  const { code, output } = await run(["node", "--test", "--test-reporter=spec", file], { env });
  removeFolder(folder);
  assert.deepEqual([code, nodeCounts(output)], [0, { passed: 1, failed: 0 }], output);
  assert.deepEqual(nodeSkipped(output), ["bare", "a suite: no tools", "within: too slow"]);
  assert.deepEqual(verdict(0, nodeCounts("ℹ pass 0\nℹ fail 0\nℹ skipped 4\n")), {
    passed: 0,
    failed: 1,
  });
});

test("the files of failed tests are read, and a few of them run once more", () => {
  const at = (file) =>
    `test at tests/worker/${file}.test.mjs:5:3\n✖ it breaks (12.3ms)\n  Error\n\n`;
  const list = (...files) =>
    `test at no/failure.test.mjs:1:1\n✖ failing tests:\n\n${files.map(at).join("")}`;
  assert.deepEqual(failedFiles(list("a", "b", "a")), [
    "tests/worker/a.test.mjs",
    "tests/worker/b.test.mjs",
  ]);
  assert.deepEqual(failedFiles("✖ it breaks (12.3ms)\n"), []);
  assert.equal(onceMore(list("a", "b")).at(-1), "tests/worker/b.test.mjs");
  assert.equal(onceMore(list("a", "b", "c")), undefined);
  assert.equal(onceMore("all is well"), undefined);
  const helper = list("a").replace("tests/worker/a.test.mjs", "tests/support/victim.mjs");
  assert.equal(onceMore(helper), undefined, "no file of tests");
});

test("a step that failed, or ran nothing, is a failure whatever was counted", () => {
  assert.deepEqual(verdict(0), { passed: 1, failed: 0 });
  assert.deepEqual(verdict(1), { passed: 0, failed: 1 });
  assert.deepEqual(verdict(0, { passed: 5, failed: 0 }), { passed: 5, failed: 0 });
  assert.deepEqual(verdict(1, { passed: 5, failed: 2 }), { passed: 5, failed: 2 });
  assert.deepEqual(verdict(101, { passed: 5, failed: 0 }), { passed: 5, failed: 1 });
  assert.deepEqual(verdict(0, { passed: 0, failed: 0 }), { passed: 0, failed: 1 });
});

test("the upload may not grow past its limit, nor go unmeasured", () => {
  const upload = (kib) => uploadSize(`Total Upload: 900.00 KiB / gzip: ${kib} KiB`);
  assert.equal(upload(`${GZIP_LIMIT_KIB}.00`).ok, true);
  assert.equal(upload(`${GZIP_LIMIT_KIB}.01`).ok, false);
  assert.equal(uploadSize("--dry-run: exiting now.").ok, false);
});

test("without a browser its tests are skipped, with the reason", () => {
  assert.equal(chromium({}), undefined);
  assert.equal(chromium({ CHROMIUM_BIN: "/no/such/browser", PATH: "/no/such/folder" }), undefined);
  assert.equal(chromium({ CHROMIUM_BIN: process.execPath }), process.execPath);
  const [step] = inBrowser([{ name: "tests/browser" }], undefined);
  assert.match(step.skip, /^SKIPPED: no Chromium/);
  assert.equal(inBrowser([{ name: "tests/browser" }], "chromium")[0].skip, undefined);
});

test("without Prometheus and its tool their tests are skipped, with the reason", () => {
  assert.deepEqual([prometheus({}), promtool({})], [undefined, undefined]);
  assert.equal(prometheus({ PROMETHEUS_BIN: process.execPath }), process.execPath);
  assert.equal(promtool({ PROMTOOL_BIN: process.execPath }), process.execPath);
  const [step] = withPrometheus([{ name: "tests/monitoring" }], undefined);
  assert.match(step.skip, /^SKIPPED: no Prometheus/);
  assert.equal(withPrometheus([{ name: "tests/monitoring" }], "promtool")[0].skip, undefined);
});

test("npm ci is due when a package is absent or old, not for one made for other machines", () => {
  const lock = {
    packages: {
      "": {},
      "node_modules/a": { version: "1.0.0" },
      "node_modules/other-cpu": { version: "1.0.0", optional: true },
    },
  };
  const installed = (version) => ({ packages: { "node_modules/a": { version } } });
  assert.deepEqual(missingPackages(lock, installed("1.0.0")), []);
  assert.deepEqual(missingPackages(lock, installed("0.9.0")), ["node_modules/a"]);
  assert.deepEqual(missingPackages(lock, { packages: {} }), ["node_modules/a"]);
});
