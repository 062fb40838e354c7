/**
 * Child processes that do not outlive this one. Each is ended by its own process id, never by name.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/** @type {Map<ChildProcess, (signal: NodeJS.Signals) => void>} living children and how to signal them */
const living = new Map();
let watching = false;

/**
 * Spawns a child that is killed when this process exits, for whatever reason it can notice.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions & { group?: boolean }} [options] `group`: the
 *   child leads a process group of its own: signals from here go to the whole group, and Ctrl-C in
 *   the terminal comes here alone.
 * @returns {ChildProcess}
 */
export function startChild(command, args, { group = false, ...options } = {}) {
  watchExit();
  const child = spawn(command, args, { ...options, detached: group });
  living.set(child, (signal) => (group ? signalGroup(child, signal) : child.kill(signal)));
  child.once("exit", () => living.delete(child));
  child.once("error", () => living.delete(child));
  return child;
}

/**
 * Ends a child: SIGTERM, and SIGKILL if it is still there after the grace.
 *
 * @param {ChildProcess} child
 * @param {number} [graceMs] milliseconds between the two; 0 kills at once. Default 500.
 */
export async function stopChild(child, graceMs = 500) {
  const signal = living.get(child);
  if (!signal) return;
  const gone = once(child, "exit");
  signal(graceMs > 0 ? "SIGTERM" : "SIGKILL");
  const timer = setTimeout(() => signal("SIGKILL"), graceMs);
  await gone;
  clearTimeout(timer);
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** Node runs no exit handlers when a signal ends it, so those signals become an orderly exit. */
function watchExit() {
  if (watching) return;
  watching = true;
  process.on("exit", () => {
    for (const signal of living.values()) signal("SIGKILL");
  });
  for (const [name, number] of [
    ["SIGHUP", 1],
    ["SIGINT", 2],
    ["SIGTERM", 15],
  ]) {
    process.on(name, () => {
      // Somebody else who listens (`npm start`) shuts down in their own order.
      if (process.listenerCount(name) === 1) process.exit(128 + number);
    });
  }
}
