/**
 * How far endpoints are from each other. Pure.
 *
 * @typedef {object} Head
 * @property {number} number
 * @property {number | null} time_s when the block was made, by its own word
 *
 * @typedef {object} Lag
 * @property {number} blocks
 * @property {number | null} seconds between the blocks' own times
 */

/** An endpoint alone with a head of the future says nothing about the others. */
const FUTURE_S = 300;

/**
 * @param {(Head | undefined)[]} heads as read at one moment
 * @param {number} now_s
 * @returns {Head | undefined} the highest
 */
export function reference(heads, now_s) {
  const known = heads.filter((head) => head && (head.time_s ?? 0) <= now_s + FUTURE_S);
  return known.sort((a, b) => b.number - a.number)[0];
}

/** @param {Head | undefined} head @param {Head | undefined} first @returns {Lag | null} */
export function lagOf(head, first) {
  if (!head || !first) return null;
  const blocks = Math.max(0, first.number - head.number);
  const timed = head.time_s !== null && first.time_s !== null;
  return { blocks, seconds: timed ? Math.max(0, first.time_s - head.time_s) : null };
}

/** What holds in both looks: news needs a moment to get around. */
export function least(lags) {
  const known = lags.filter((lag) => lag !== null);
  return known.sort((a, b) => a.blocks - b.blocks)[0] ?? null;
}

/**
 * @param {Head | undefined} before @param {Head | undefined} after
 * @param {boolean} chainMoved whether any endpoint showed a new block meanwhile
 * @returns {boolean | null} whether its head advances; null: nobody can tell
 */
export function advances(before, after, chainMoved) {
  if (!before || !after) return null;
  if (after.number > before.number) return true;
  return chainMoved ? false : null;
}

/** @returns {number | null} seconds a block takes */
export function blockTime(before, after) {
  const blocks = (after?.number ?? 0) - (before?.number ?? 0);
  const seconds = (after?.time_s ?? 0) - (before?.time_s ?? 0);
  return before && blocks > 0 && seconds > 0 ? seconds / blocks : null;
}

/**
 * @param {(string | undefined)[]} hashes of one block, by endpoint
 * @returns {(boolean | null)[]} whether each is the one that most give; null: nobody can tell
 */
export function agreement(hashes) {
  const count = (hash) => hashes.filter((other) => other === hash).length;
  const most = Math.max(0, ...hashes.filter(Boolean).map(count));
  const known = hashes.filter(Boolean).length;
  return hashes.map((hash) =>
    hash && most * 2 > known && known > 1 ? count(hash) === most : null,
  );
}
