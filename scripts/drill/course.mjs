/**
 * The course of a drill: reads all along, one fault after the other, and an end that is always made.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { backAt, find } from "./findings.mjs";

const LOOK_MS = 1_000;
/** Reads before the first order. */
const BASE_READS = 5;
const BASE_MS = 60_000;

export class Course {
  #admin;
  #reads;
  #progress;
  #signal;

  /**
   * @param {import("./admin.mjs").Admin} admin
   * @param {import("./reads.mjs").Reads} reads
   * @param {import("../console/progress.mjs").Progress} progress
   * @param {AbortSignal} signal ends it early
   */
  constructor(admin, reads, progress, signal) {
    this.#admin = admin;
    this.#reads = reads;
    this.#progress = progress;
    this.#signal = signal;
  }

  /**
   * @param {import("./plan.mjs").Plan} plan
   * @returns {Promise<import("./findings.mjs").Finding[]>}
   */
  async run(plan) {
    const findings = [];
    this.#reads.start();
    try {
      for (const fault of plan.faults) findings.push(await this.#play(fault, plan));
    } finally {
      await this.#reads.stop();
    }
    return findings;
  }

  async #play(fault, { endpoint, mode, backMs }) {
    const { kind, value, for_ms } = fault;
    const since = Date.now();
    const mine = () => this.#reads.done.filter(({ at_ms }) => at_ms >= since);
    this.#progress.stage(`${kind}: reads as usual`);
    await this.#until(() => mine().length >= BASE_READS, BASE_MS);
    const looks = [];
    const began_ms = Date.now();
    try {
      this.#progress.stage(`${kind}: ${endpoint} for ${for_ms / 1000} s`);
      await this.#admin.begin(endpoint, { kind, value, for_ms });
      const ended_ms = Date.now() + for_ms;
      await this.#watch(endpoint, looks, () => Date.now() >= ended_ms, for_ms * 2);
      this.#progress.stage(`${kind}: until ${endpoint} is back`);
      const played = { endpoint, mode, began_ms, ended_ms };
      await this.#watch(endpoint, looks, () => backAt(played, mine(), looks) !== undefined, backMs);
      return find(fault, played, mine(), looks);
    } finally {
      await this.#end(endpoint, fault, began_ms);
    }
  }

  /** Looks at the status once a second until `done`, or for so long. */
  async #watch(endpoint, looks, done, mostMs) {
    const end = Date.now() + mostMs;
    while (!done() && Date.now() < end) {
      const status = await this.#admin.status().catch(() => undefined);
      const one = status?.endpoints.find(({ name }) => name === endpoint);
      if (one) looks.push(lookOf(one));
      this.#progress.step(`${this.#reads.done.length} reads; ${one?.state ?? "no status"}`);
      await sleep(LOOK_MS, undefined, { signal: this.#signal });
    }
  }

  async #until(holds, mostMs) {
    const end = Date.now() + mostMs;
    while (!holds() && Date.now() < end) await sleep(50, undefined, { signal: this.#signal });
  }

  /** Whatever happened before. */
  async #end(endpoint, { kind, for_ms }, began_ms) {
    try {
      await this.#admin.reset(endpoint);
      this.#progress.stage(`${kind}: ended, ${endpoint} is reset`);
    } catch (error) {
      const at = new Date(began_ms + for_ms + LOOK_MS).toISOString();
      this.#progress.stage(
        `${kind}: could not be reset (${error.message}); it ends by itself at ${at}`,
      );
    }
  }
}

const lookOf = ({ state, local_state, lag_blocks, fault }) => ({
  at_ms: Date.now(),
  state,
  local_state,
  lag_blocks,
  played: fault !== null,
});
