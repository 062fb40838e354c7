/**
 * How slow this machine is just now, how much memory each process takes, how often the objects are
 * asked.
 */
import { readFileSync } from "node:fs";

const STEP_MS = 50;
const KEPT_MS = 120_000;

/** Delays of this process's own timers: whoever judges a time has to allow for them. */
export class Delays {
  /** @type {{ at: number, ms: number }[]} */
  #seen = [];
  #last = performance.now();
  #timer = setInterval(() => this.#look(), STEP_MS);

  #look() {
    const at = performance.now();
    this.#seen.push({ at, ms: Math.max(0, at - this.#last - STEP_MS) });
    this.#last = at;
    while (this.#seen[0].at < at - KEPT_MS) this.#seen.shift();
  }

  /** @param {number} from @param {number} until as `performance.now()` gives it @returns {number} ms */
  longest(from, until) {
    this.#look();
    return this.#seen.reduce(
      (most, { at, ms }) => (at >= from && at - ms <= until ? Math.max(most, ms) : most),
      0,
    );
  }

  stop() {
    clearInterval(this.#timer);
  }
}

/** @param {number} pid @returns {number} MiB of resident memory; 0 when there is no such process. Linux. */
export function residentMib(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)?.[1]) / 1024;
  } catch {
    return 0;
  }
}

/** The memory of processes that come and go, each from its own beginning. */
export class Memory {
  /** @type {Map<number, { name: string, began: number, samples: { age: number, mib: number }[] }>} */
  lives = new Map();

  /** @param {string} name @param {number | undefined} pid */
  look(name, pid) {
    const mib = pid ? residentMib(pid) : 0;
    if (!mib) return;
    const now = performance.now();
    const life = this.lives.get(pid) ?? { name, began: now, samples: [] };
    this.lives.set(pid, life);
    life.samples.push({ age: now - life.began, mib });
  }
}

/** What the objects' process counted, over all its lives. */
export class Calls {
  #before = {};
  #now = {};

  /** @param {string} url of that process */
  async look(url) {
    try {
      const signal = AbortSignal.timeout(1_000);
      const now = await (await fetch(`${url}/calls`, { signal })).json();
      const restarted = Object.entries(this.#now).some(([name, count]) => (now[name] ?? 0) < count);
      if (restarted) this.#before = this.total();
      this.#now = now;
    } catch {
      // It is away.
    }
  }

  /** @returns {Record<string, number>} by binding */
  total() {
    const sum = { ...this.#before };
    for (const [name, count] of Object.entries(this.#now)) sum[name] = (sum[name] ?? 0) + count;
    return sum;
  }
}
