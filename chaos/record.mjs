/**
 * What a run has seen: counts, what must not be, and when which fault came, so that the one can be
 * traced to the other.
 */

/** Of one kind of violation so many are told; all are counted. */
const TOLD_MAX = 5;
/** Events before a violation that are told with it. */
const TRACE_MS = 20_000;

export class Record {
  /** @type {Map<string, number>} */
  counts = new Map();
  /** @type {Map<string, string[]>} stories by kind */
  violations = new Map();
  /** @type {{ at: number, text: string }[]} */
  events = [];
  #began = performance.now();
  #listener;

  /** @param {(line: string) => void} [listener] hears each event and violation as it comes */
  constructor(listener = () => {}) {
    this.#listener = listener;
  }

  /** @returns {number} ms since the beginning */
  now() {
    return performance.now() - this.#began;
  }

  /** @param {string} what happened once more @param {number} [times] */
  count(what, times = 1) {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  /** @param {string} text */
  event(text) {
    const at = this.now();
    this.events.push({ at, text });
    this.#listener(`${seconds(at)} ${text}`);
  }

  /** @param {string} kind @param {string} story */
  violation(kind, story) {
    this.count(`VIOLATION ${kind}`);
    const told = this.violations.get(kind) ?? [];
    this.violations.set(kind, told);
    this.#listener(`${seconds(this.now())} VIOLATION ${kind}: ${story}`);
    if (told.length >= TOLD_MAX) return;
    told.push(`${seconds(this.now())} ${story}\n${this.#trace()}`);
  }

  #trace() {
    const from = this.now() - TRACE_MS;
    const lately = this.events.filter(({ at }) => at >= from);
    return lately.map(({ at, text }) => `      ${seconds(at)} ${text}`).join("\n");
  }
}

/** @param {number} ms @returns {string} */
export const seconds = (ms) => `${(ms / 1000).toFixed(2).padStart(8)}s`;
