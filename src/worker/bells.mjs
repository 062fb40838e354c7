/**
 * Rings at several times with one timer of the runtime's: of those each costs as much as reading a small
 * answer does, and most of a request's never ring.
 */
export class Bells {
  constructor() {
    this.bells = [];
    /** When the runtime's timer strikes; what was asked for since may be earlier or gone. */
    this.strikes = Infinity;
  }

  /**
   * @param {number} ms
   * @param {() => void} ring
   * @returns what {@link silence} takes
   */
  ring(ms, ring) {
    const bell = { at: Date.now() + ms, ring };
    this.bells.push(bell);
    if (bell.at < this.strikes) this.#arm(bell.at, ms);
    return bell;
  }

  silence(bell) {
    const at = this.bells.indexOf(bell);
    if (at >= 0) this.bells.splice(at, 1);
    if (this.bells.length === 0 && this.strikes !== Infinity) {
      clearTimeout(this.timer);
      this.strikes = Infinity;
    }
  }

  #arm(at, ms) {
    if (this.strikes !== Infinity) clearTimeout(this.timer);
    this.strikes = at;
    this.timer = setTimeout(() => this.#strike(), ms);
  }

  #strike() {
    const now = Math.max(Date.now(), this.strikes);
    this.strikes = Infinity;
    for (const bell of this.bells.filter(({ at }) => at <= now)) {
      // One before it may have silenced it.
      const at = this.bells.indexOf(bell);
      if (at < 0) continue;
      this.bells.splice(at, 1);
      bell.ring();
    }
    const next = Math.min(...this.bells.map(({ at }) => at));
    if (next < this.strikes) this.#arm(next, next - now);
  }
}
