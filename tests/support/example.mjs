/**
 * An example, run as the document says, with the URL of a test's Worker.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild, stopChild } from "../../local/children.mjs";
import { root } from "../../scripts/paths.mjs";

/** Longer than anything takes that goes on. */
const LIMIT_MS = 120_000;
/** Two endpoints of a chain that goes on, and a route on which a slow machine is no fault. */
export const FOLLOWED = {
  endpoints: ["first", "second"],
  chain: { blockTimeS: 1 },
  route: { attempt_timeout_ms: 10_000, total_timeout_ms: 30_000 },
};

export class Example {
  /** What it has printed, both ways. */
  lines = [];
  #child;
  #ended;

  /** @param {string} program @param {string[]} args */
  constructor(program, args) {
    this.#child = startChild(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => this.lines.push(line));
    }
    this.#ended = once(this.#child, "close");
  }

  /** @param {RegExp} pattern @returns {Promise<RegExpMatchArray>} of the first line that has it */
  async says(pattern) {
    const end = Date.now() + LIMIT_MS;
    while (Date.now() < end) {
      const found = this.lines.map((line) => line.match(pattern)).find(Boolean);
      if (found) return found;
      if (this.#child.exitCode !== null) break;
      await sleep(20);
    }
    throw new Error(`${pattern} was not said:\n${this.lines.join("\n")}`);
  }

  /** @returns {Promise<number>} its exit code */
  async end() {
    const timer = setTimeout(() => stopChild(this.#child), LIMIT_MS);
    const [code] = await this.#ended;
    clearTimeout(timer);
    return code;
  }

  stop() {
    return stopChild(this.#child);
  }
}
