/**
 * Dice that fall the same way for the same seed.
 */

/** @typedef {() => number} Roll in 0..1 */

/** @param {number} seed @param {string} [name] whose dice: each has its own @returns {Roll} */
export function dice(seed, name = "") {
  let state = seed >>> 0;
  for (const letter of name) state = (Math.imul(state, 31) + letter.charCodeAt(0)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @template T @param {Roll} roll @param {T[]} list @returns {T} */
export const pick = (roll, list) => list[Math.floor(roll() * list.length)];

/** @param {Roll} roll @returns {number} whole, from `least` to `most` */
export const between = (roll, least, most) => least + Math.floor(roll() * (most - least + 1));
