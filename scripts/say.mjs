/**
 * What the scripts print: one line a step, with the seconds it takes.
 */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

const HEARTBEAT_MS = 30_000;
const live = process.stdout.isTTY && !process.env.CI;

/** Something the person at the keyboard can put right: printed without a stack. */
export class Trouble extends Error {}

/** @param {number} ms @returns {string} `0.4 s`, `12 s`, `2 min 5 s` */
export function seconds(ms) {
  const s = ms / 1000;
  if (s < 9.95) return `${s.toFixed(1)} s`;
  if (s < 59.5) return `${Math.round(s)} s`;
  const whole = Math.round(s);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/**
 * Shows that a step is running: a ticking line on a terminal, a line every 30 s in a log.
 *
 * @param {string} label
 * @returns {(mark: string, remark?: string) => void} ends the step, `mark` in front of the label
 */
export function step(label) {
  const began = Date.now();
  const tick = () => {
    const line = `  ${label} … ${seconds(Date.now() - began)}`;
    if (live) process.stdout.write(`\r\x1b[2K${line}`);
    else console.log(line);
  };
  if (live) tick();
  const timer = setInterval(tick, live ? 1000 : HEARTBEAT_MS);
  return (mark, remark = "") => {
    clearInterval(timer);
    if (live) process.stdout.write("\r\x1b[2K");
    console.log(`${mark} ${label}${remark && `: ${remark}`} (${seconds(Date.now() - began)})`);
  };
}

/**
 * Runs `main` when the module is the program, not an import, and prints what goes wrong.
 *
 * @param {string} moduleUrl `import.meta.url`
 * @param {() => Promise<void>} main
 */
export async function program(moduleUrl, main) {
  if (!process.argv[1] || realpathSync(process.argv[1]) !== fileURLToPath(moduleUrl)) return;
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Trouble ? `\nerror: ${error.message}` : error);
    process.exit(1);
  }
}
