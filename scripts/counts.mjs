/**
 * Reads how many tests passed and failed, and which were skipped, from what test runners print.
 *
 * @typedef {{ passed: number, failed: number }} Counts
 */

const sum = (output, pattern) =>
  [...output.matchAll(pattern)].reduce((total, [, n]) => total + Number(n), 0);

/** @param {string} output of `cargo test`, any number of binaries @returns {Counts} */
export function cargoCounts(output) {
  return {
    passed: sum(output, /^test result: .*?(\d+) passed/gm),
    failed: sum(output, /^test result: .*?(\d+) failed/gm),
  };
}

/** @param {string} output of `node --test` with the spec reporter @returns {Counts} */
export function nodeCounts(output) {
  return {
    passed: sum(output, /^ℹ pass (\d+)$/gm),
    failed: sum(output, /^ℹ (?:fail|cancelled) (\d+)$/gm),
  };
}

/**
 * Node's own count leaves out suites that are skipped as a whole, so the lines are read.
 *
 * @param {string} output of `node --test` with the spec reporter
 * @returns {string[]} what was skipped, with the reason if one was given: neither passed nor failed
 */
export function nodeSkipped(output) {
  const lines = output.matchAll(/^ *﹣ (.*) \([\d.]+ms\) # (.*)$/gm);
  return [...lines].map(([, name, why]) => (why === "SKIP" ? name : `${name}: ${why}`));
}

/**
 * @param {string} output of `node --test` with the spec reporter
 * @returns {string[]} the files in which tests failed, each once
 */
export function failedFiles(output) {
  const list = output.split("✖ failing tests:")[1] ?? "";
  return [...new Set([...list.matchAll(/^test at (.+?):\d+:\d+$/gm)].map(([, file]) => file))];
}

/**
 * A step's own verdict: the runner's count, but a step that failed or counted nothing never looks
 * like a success.
 *
 * @param {number} code the command's exit code
 * @param {Counts} [counted] absent: the step is one check
 * @returns {Counts}
 */
export function verdict(code, counted) {
  if (!counted) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const bad = code !== 0 || counted.passed + counted.failed === 0;
  return { passed: counted.passed, failed: bad ? Math.max(1, counted.failed) : counted.failed };
}
