/**
 * `npm test`: everything, one line a step; `npm test -- rust lint` runs parts. The last line is
 * `N passed, N failed`, over all steps: each check is one, test runners' own counts are added.
 */
import { verdict } from "./counts.mjs";
import { installPython } from "./python.mjs";
import { run, tail } from "./run.mjs";
import { program, step, Trouble } from "./say.mjs";
import { setup } from "./setup.mjs";
import { limitMs, PARTS, steps } from "./steps.mjs";

const SHOWN_LINES = 200;
const WITH_PYTHON = ["clients", "examples"];
const CARGO_PROGRESS = /^ +(?:Compiling|Checking|Downloaded|Downloading|Updating|Locking) .*\n/gm;

/** @param {import("./steps.mjs").Step} what @returns {Promise<import("./counts.mjs").Counts>} */
async function runStep(what) {
  const done = step(what.name);
  if (what.skip) {
    done("–", what.skip);
    return { passed: 0, failed: 0 };
  }
  const { command, env, count, skipped, judge } = what;
  const { code, output } = await run(command, { env, timeoutMs: limitMs(what) });
  const judged = code === 0 && judge ? judge(output) : { ok: code === 0, remark: "" };
  const counts = verdict(judged.ok ? 0 : code || 1, count?.(output));
  const told = count ? `${counts.passed} passed, ${counts.failed} failed` : judged.remark;
  done(counts.failed === 0 ? "✓" : "✗", told);
  for (const each of skipped?.(output) ?? []) console.log(`    skipped: ${each}`);
  if (counts.failed === 0) return counts;
  console.log(failures(output));
  return secondTry(what, output, counts);
}

/** Runs the failed files once more, alone, where the step can: what passes now is told, and counts. */
async function secondTry(what, output, counts) {
  const command = counts.passed > 0 && what.again?.(output);
  if (!command) return counts;
  const done = step(`${what.name}, failed files once more`);
  const { code } = await run(command, { env: what.env, timeoutMs: limitMs(what) });
  done(code === 0 ? "!" : "✗", code === 0 ? "unsteady: passed this time" : "failed again");
  return code === 0 ? { passed: counts.passed + counts.failed, failed: 0 } : counts;
}

/** The part of the output that tells what went wrong: node's own list, or the end. */
function failures(output) {
  const list = output.indexOf("✖ failing tests:");
  const told = list < 0 ? output.replace(CARGO_PROGRESS, "") : output.slice(list);
  return tail(told, SHOWN_LINES).replace(/^/gm, "    ");
}

/** @param {string[]} asked @returns {(what: import("./steps.mjs").Step) => boolean} */
function chosen(asked) {
  const unknown = asked.find((part) => !PARTS.includes(part));
  if (unknown) throw new Trouble(`no part ${unknown}; there are ${PARTS.join(", ")}`);
  return ({ parts }) => asked.length === 0 || parts.some((part) => asked.includes(part));
}

/** Runs the steps one after the other; a failure does not stop the next. */
async function runAll(asked) {
  const wanted = chosen(asked);
  await setup();
  const chosenSteps = steps().filter(wanted);
  if (chosenSteps.some(({ parts }) => parts.some((part) => WITH_PYTHON.includes(part)))) {
    await installPython();
  }
  const total = { passed: 0, failed: 0 };
  for (const what of chosenSteps) {
    const { passed, failed } = await runStep(what);
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}

await program(import.meta.url, async () => {
  const total = await runAll(process.argv.slice(2)).catch((error) => {
    console.log(error instanceof Trouble ? error.message : error);
    return { passed: 0, failed: 1 };
  });
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
});
