/**
 * What a `[[ratelimits]]` binding is on Cloudflare, for local workerd, which has none: `limit({ key })`
 * resolves to `{ success }`. Counts begin anew with every period of the clock.
 */

class RateLimit {
  #simple;
  #period = 0;
  /** @type {Map<string, number>} */
  #counts = new Map();

  /** @param {{ limit: number, period: number }} simple */
  constructor(simple) {
    this.#simple = simple;
  }

  /** @param {{ key: string }} options @returns {Promise<{ success: boolean }>} */
  async limit(options) {
    const { key, ...others } = options;
    if (typeof key !== "string") throw new Error(`invalid key: ${key}`);
    if (Object.keys(others).length > 0) throw new Error("bad rate limit options");
    const period = Math.floor(Date.now() / (this.#simple.period * 1000));
    if (period !== this.#period) this.#counts.clear();
    this.#period = period;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return { success: count <= this.#simple.limit };
  }
}

/** @param {{ simple: { limit: number, period: number } }} env */
export default function make(env) {
  return new RateLimit(env.simple);
}
