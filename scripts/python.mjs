/**
 * Python with the packages that examples and tests of Python clients want, in `.tools/python`. They
 * are nothing that Breakwater needs: without them those tests are skipped, and say so.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readText, toolsDir } from "./paths.mjs";
import { run } from "./run.mjs";
import { step } from "./say.mjs";

const LISTS = ["examples/python/requirements.txt", "tests/clients/requirements.txt"];
const folder = join(toolsDir, "python");
/** What was installed, left there when all of it was. */
const stamp = join(folder, "installed.txt");
const program = (name) =>
  process.platform === "win32" ? join(folder, "Scripts", `${name}.exe`) : join(folder, "bin", name);

export const NO_PYTHON = "SKIPPED: its packages are not installed (npm test does it, with python3)";

/** @returns {string | undefined} the interpreter, if it has what the lists name */
export function python() {
  const wanted = LISTS.map(readText).join("");
  const is = existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
  return is ? program("python") : undefined;
}

/** Makes it, once. That it cannot be had is told and is no error. */
export async function installPython() {
  if (python()) return;
  rmSync(folder, { recursive: true, force: true });
  const done = step("install Python packages for tests (once)");
  const lists = LISTS.flatMap((list) => ["-r", list]);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1"];
  for (const command of [
    ["python3", "-m", "venv", folder],
    [program("python"), ...pip, ...lists],
  ]) {
    const { code, output } = await run(command);
    if (code === 0) continue;
    return done("–", `not to be had: ${output.trim().split("\n").at(-1)}`);
  }
  writeFileSync(stamp, LISTS.map(readText).join(""));
  return done("✓");
}
