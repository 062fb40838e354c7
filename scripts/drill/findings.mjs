/**
 * What a drill showed, from the reads and the looks at the status. Pure.
 *
 * @typedef {import("./reads.mjs").Read} Read
 *
 * @typedef {object} Look at the status
 * @property {number} at_ms
 * @property {string} state of the endpoint: the region's breaker
 * @property {string} local_state the answering isolate's
 * @property {number | null} lag_blocks
 * @property {boolean} played whether the status shows the fault
 *
 * @typedef {object} Finding of one fault; times in ms, `null`: it did not happen
 * @property {string} kind
 * @property {number} value ms or blocks
 * @property {number} for_ms
 * @property {boolean} must_move whether another endpoint has to take over
 * @property {string | null} before who answered most before it
 * @property {string[]} took_over who else answered while it was played
 * @property {number | null} moved_ms from the order to the first answer of another endpoint
 * @property {number | null} opened_ms from the order to the first look at an open breaker
 * @property {number | null} back_ms from the end of the fault until it was back; null: not within the
 *   time given
 * @property {number} reads from the order on
 * @property {number} by_endpoint reads it answered itself while it was played
 * @property {Record<string, number>} reasons why it was left, with how often
 * @property {Record<string, number>} errors that clients saw, with how often
 * @property {{ before: number | null, during: number | null }} p99_ms of good reads
 */

/** So many answers in a row are a return. */
export const BACK_READS = 3;

/**
 * @typedef {object} Played
 * @property {string} endpoint
 * @property {string} mode of the route
 * @property {number} began_ms
 * @property {number} ended_ms
 *
 * @param {import("./plan.mjs").Fault} fault
 * @param {Played} played
 * @param {Read[]} reads those before the order too
 * @param {Look[]} looks since the order
 * @returns {Finding}
 */
export function find(fault, played, reads, looks) {
  const { endpoint, began_ms, ended_ms } = played;
  const before = whoBefore(played, reads);
  const usual = reads.filter((read) => read.at_ms + read.ms < began_ms);
  const after = reads.filter((read) => read.at_ms >= began_ms).sort(byEnd);
  const during = after.filter((read) => read.at_ms < ended_ms);
  const left = (read) => before === endpoint && read.endpoint && read.endpoint !== endpoint;
  const others = during.filter(left);
  const open = looks.find(({ state, local_state }) => [state, local_state].some(isOpen));
  const back = backAt(played, reads, looks);
  const since = (at) => (at === undefined ? null : Math.max(0, at - began_ms));
  return {
    ...fault,
    must_move: fault.must_move && before === endpoint,
    before,
    took_over: [...new Set(others.map((read) => read.endpoint))],
    moved_ms: others[0] ? since(others[0].at_ms + others[0].ms) : null,
    opened_ms: since(open?.at_ms),
    back_ms: back === undefined ? null : Math.max(0, back - ended_ms),
    reads: after.length,
    by_endpoint: during.filter((read) => read.endpoint === endpoint).length,
    reasons: counted(during.flatMap((read) => reasonsOf(read.reason, endpoint))),
    errors: counted(after.map((read) => read.error).filter(Boolean)),
    p99_ms: { before: p99(usual), during: p99(during) },
  };
}

const byEnd = (a, b) => a.at_ms + a.ms - (b.at_ms + b.ms);
const isOpen = (state) => state === "open" || state === "half_open";

const whoBefore = ({ began_ms }, reads) =>
  most(reads.filter((read) => read.at_ms + read.ms < began_ms).map((read) => read.endpoint));

/**
 * In ordered mode an endpoint that answered before has to answer again; one that did not, or of
 * several that share the calls, is back when its breaker is closed.
 *
 * @param {Played} played @param {Read[]} reads @param {Look[]} looks
 * @returns {number | undefined} when it was back
 */
export function backAt(played, reads, looks) {
  const { endpoint, mode, ended_ms } = played;
  if (mode === "ordered" && whoBefore(played, reads) === endpoint) {
    const read = returnOf(endpoint, reads.toSorted(byEnd), ended_ms);
    return read && read.at_ms + read.ms;
  }
  const closed = (look) => look.state === "closed" && look.local_state === "closed";
  return looks.find((look) => look.at_ms >= ended_ms && !look.played && closed(look))?.at_ms;
}

/**
 * @param {string} endpoint @param {Read[]} reads in the order of their ends @param {number} ended_ms
 * @returns {Read | undefined} the first of `BACK_READS` answers in a row, begun after the end
 */
export function returnOf(endpoint, reads, ended_ms) {
  const later = reads.filter((read) => read.at_ms >= ended_ms);
  const own = (read) => read?.endpoint === endpoint;
  return later.find((_, i) => later.slice(i, i + BACK_READS).filter(own).length === BACK_READS);
}

/** `a=timeout,b=drill` → what is said of this endpoint. */
const reasonsOf = (text, endpoint) =>
  (text ?? "")
    .split(",")
    .map((part) => part.split("="))
    .filter(([name]) => name === endpoint)
    .map(([, why]) => why);

function counted(words) {
  const counts = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function most(names) {
  const [first] = Object.entries(counted(names.filter(Boolean))).sort((a, b) => b[1] - a[1]);
  return first?.[0] ?? null;
}

function p99(reads) {
  const sorted = reads.filter((read) => !read.error).map((read) => read.ms);
  sorted.sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.99) - 1)] ?? null;
}

/**
 * @param {Finding} finding
 * @returns {string[]} what was not as it should be: sentences, none if all was well
 */
export function amiss({ kind, must_move, took_over, back_ms, errors }) {
  const said = [];
  const sum = Object.values(errors).reduce((total, n) => total + n, 0);
  if (sum > 0) said.push(`${kind}: clients saw ${sum} error${sum === 1 ? "" : "s"}`);
  if (must_move && took_over.length === 0) said.push(`${kind}: no other endpoint took over`);
  if (back_ms === null) said.push(`${kind}: the endpoint did not come back in the time given`);
  return said;
}
