/**
 * What workerd prints: one JSON object a line, the Worker's own console lines among them.
 */
import { createInterface } from "node:readline";

/** @typedef {{ level: string, message: string }} Line */

/** The lines so far, and those to come. */
export class Logs {
  /** @type {string[]} what the Worker wrote with `console` */
  lines = [];
  /** @type {Line[]} what workerd itself had to say: uncaught exceptions and the like */
  runtime = [];
  /** @type {((line: string) => void)[]} */
  #listeners = [];

  /** @param {import("node:stream").Readable} stream */
  read(stream) {
    createInterface({ input: stream }).on("line", (line) => this.#take(line));
  }

  /** @param {(line: string) => void} listener called with each later console line */
  onLine(listener) {
    this.#listeners.push(listener);
  }

  /**
   * The Worker's events: those of its console lines that are JSON objects with an `event`.
   *
   * @param {string} [kind] only this kind
   * @returns {Record<string, unknown>[]}
   */
  events(kind) {
    return this.lines.map(asEvent).filter((e) => e && (kind === undefined || e.event === kind));
  }

  /** Forgets what came so far. */
  clear() {
    this.lines.length = 0;
    this.runtime.length = 0;
  }

  #take(line) {
    const entry = parse(line);
    if (!entry || "source" in entry) {
      this.runtime.push({ level: entry?.level ?? "error", message: entry?.message ?? line });
      return;
    }
    this.lines.push(entry.message);
    for (const listener of this.#listeners) listener(entry.message);
  }
}

function asEvent(line) {
  const value = parse(line);
  return typeof value?.event === "string" ? value : undefined;
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
