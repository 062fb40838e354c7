/**
 * Finds how much is taken, with few questions. Pure: the question is an argument.
 *
 * @typedef {true | false | undefined} Word taken, refused, or nobody can tell
 *
 * @typedef {object} Found
 * @property {number} good the largest that was taken; 0: none
 * @property {number | null} bad the smallest that was refused; null: none was
 * @property {boolean} sure false: the search broke off, `good` is only a lower bound
 */

/**
 * @param {number[]} ladder what may be asked first, rising
 * @param {(n: number) => Promise<Word>} ask
 * @param {{ most?: number, refused?: number, share?: number }} [how] `most`: nothing above is asked
 *   (the ladder ends with it); `refused`: known to be; `share`: the answer may be short by so much of
 *   itself. Default: exact.
 * @returns {Promise<Found>}
 */
export async function largest(ladder, ask, { most = Infinity, refused, share = 0 } = {}) {
  const steps = ladder.filter((n) => n < most);
  if (Number.isFinite(most)) steps.push(most);
  const found = { good: 0, bad: refused ?? null, sure: true };
  await bracket(steps, ask, found);
  while (found.sure && found.bad !== null && found.bad - found.good > slack(found.good, share)) {
    await take(roundest(found.good, found.bad), ask, found);
  }
  return found;
}

const slack = (good, share) => Math.max(1, Math.floor(good * share));

/** Halves the ladder. */
async function bracket(steps, ask, found) {
  let [low, high] = [0, steps.length];
  while (low < high && found.sure) {
    const middle = Math.floor((low + high) / 2);
    if (await take(steps[middle], ask, found)) low = middle + 1;
    else high = middle;
  }
}

async function take(n, ask, found) {
  const word = await ask(n);
  if (word === undefined) found.sure = false;
  else if (word) found.good = n;
  else found.bad = n;
  return word;
}

/**
 * Limits are round numbers, so round ones are asked.
 *
 * @param {number} low @param {number} high at least 2 more
 * @returns {number} the roundest whole number in the middle half between them
 */
export function roundest(low, high) {
  const [from, to] = [low + (high - low) / 4, high - (high - low) / 4];
  for (let unit = 10 ** Math.floor(Math.log10(high)); unit > 1; unit /= 10) {
    for (const part of [unit, unit / 2]) {
      const n = Math.round((low + high) / 2 / part) * part;
      if (n >= from && n <= to && Number.isInteger(n)) return n;
    }
  }
  return Math.floor((low + high) / 2);
}
