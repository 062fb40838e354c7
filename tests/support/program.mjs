/**
 * A script of the project, run as its user would.
 */
import { startChild } from "../../local/children.mjs";
import { root } from "../../scripts/paths.mjs";

/**
 * @param {string} script path in the project
 * @param {string[]} args
 * @param {Record<string, string>} [env] besides the process's own
 * @returns {{ child: import("node:child_process").ChildProcess,
 *   ended: Promise<{ code: number, out: string, err: string }> }}
 */
export function begin(script, args, env = {}) {
  const child = startChild(process.execPath, [script, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said.err += text;
  });
  const ended = new Promise((resolve) =>
    child.once("close", (code, signal) => resolve({ code: code ?? signal, ...said })),
  );
  return { child, ended };
}

/** The same, to its end. @param {Parameters<typeof begin>} how */
export const runScript = (...how) => begin(...how).ended;
