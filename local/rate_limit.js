/**
 * What a `[[ratelimits]]` binding is on Cloudflare, for local workerd, which has none: `limit({ key })`
 * resolves to `{ success }`. Counts begin anew when a period has passed since the first call.
 */

class RateLimit {
  #simple;
  #ends = 0;
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
    if (Date.now() >= this.#ends) {
      this.#counts.clear();
      this.#ends = Date.now() + this.#simple.period * 1000;
    }
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return { success: count <= this.#simple.limit };
  }
}

/** @param {{ simple: { limit: number, period: number } }} env */
export default function make(env) {
  return new RateLimit(env.simple);
}
