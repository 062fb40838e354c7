/**
 * Runs commands to their end, within a time.
 */
import { startChild, stopChild } from "../local/children.mjs";
import { root } from "./paths.mjs";
import { step, Trouble } from "./say.mjs";

const TAIL_LINES = 40;

/**
 * @typedef {object} Ran
 * @property {number} code exit code; 127 when the command could not be started, 124 on timeout
 * @property {string} output standard output and error, as they came
 */

/**
 * @param {string[]} command program and arguments
 * @param {{ env?: Record<string, string>, timeoutMs?: number }} [options] `env` is added to the
 *   process's own; `timeoutMs` defaults to ten minutes
 * @returns {Promise<Ran>}
 */
export async function run([program, ...args], { env = {}, timeoutMs = 600_000 } = {}) {
  const child = startChild(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    group: process.platform !== "win32",
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stopChild(child, 2000);
  }, timeoutMs);
  const code = await new Promise((resolve) => {
    child.once("error", (error) => {
      output += `${error.message}\n`;
      resolve(127);
    });
    child.once("close", (exit) => resolve(exit ?? 1));
  });
  clearTimeout(timer);
  if (late) return { code: 124, output: `${output}\nstopped after ${timeoutMs / 1000} s\n` };
  return { code, output };
}

/**
 * Runs a command as a step of its own and throws when it fails.
 *
 * @param {string} label
 * @param {string[]} command
 * @param {Parameters<typeof run>[1]} [options]
 * @returns {Promise<string>} its output
 * @throws {Trouble} with the end of the output
 */
export async function mustRun(label, command, options) {
  const done = step(label);
  const { code, output } = await run(command, options);
  done(code === 0 ? "✓" : "✗");
  if (code !== 0) throw new Trouble(`${command.join(" ")} failed:\n${tail(output)}`);
  return output;
}

/** @param {string} text @param {number} [lines] @returns {string} its last lines */
export function tail(text, lines = TAIL_LINES) {
  return text.trimEnd().split("\n").slice(-lines).join("\n");
}
