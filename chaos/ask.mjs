/**
 * One request of a client that hides nothing: no repeats, every answer looked at.
 */
import { send } from "../tests/support/answer.mjs";
import { between, pick } from "./dice.mjs";
import { ATTEMPT_MS, TOTAL_MS } from "./world.mjs";

/** How long anybody waits at all. */
const PATIENCE_MS = 60_000;

/** Ids that come back as they are. */
const ids = [
  (roll) => between(roll, 0, 1_000_000),
  (roll) => `text-${between(roll, 0, 1_000_000)}`,
  (roll) => `"quoted" é ${between(roll, 0, 9)}`,
  (roll) => -between(roll, 1, 9),
];

/** @param {import("./dice.mjs").Roll} roll @param {string} method @param {unknown[]} params */
export const callOf = (roll, method, params) => ({
  jsonrpc: "2.0",
  id: pick(roll, ids)(roll),
  method,
  params,
});

/**
 * @typedef {object} Asked
 * @property {import("../tests/support/answer.mjs").Answer | undefined} answer none where it was excused
 * @property {number} from when it began
 */

/**
 * @param {import("./world.mjs").World} world
 * @param {string} isolate
 * @param {unknown} body
 * @param {{ what: string, large?: boolean }} how
 * @returns {Promise<Asked>}
 */
export async function post(world, isolate, body, { what, large = false }) {
  const from = performance.now();
  const { record } = world;
  record.count(`requests: ${what}`);
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await send(world.isolate[isolate].url, { method: "POST", body, signal });
    onTime(world, isolate, what, from, large);
    if (answer.status === 200) return { answer, from };
    failed(world, isolate, from, what, `HTTP ${answer.status} ${brief(answer)}`);
  } catch (error) {
    const why = `${error.cause?.code ?? error.cause?.message ?? error.name}`;
    if (large && why !== "ECONNREFUSED") record.count("broken streams of large answers");
    else failed(world, isolate, from, what, why);
  }
  return { answer: undefined, from };
}

/** Counts an error that a client saw; one without an excuse must not be. */
export function failed(world, isolate, from, what, why) {
  const excuse = world.excuse(isolate, from);
  const who = excuse === isolate ? "isolate restarted" : excuse;
  if (excuse) world.record.count(`errors in a time of: ${who}`);
  else {
    const ms = Math.round(performance.now() - from);
    world.record.violation(`error seen by a client (${what})`, `${isolate}, ${ms} ms: ${why}`);
  }
}

function onTime(world, isolate, what, from, large) {
  const ms = performance.now() - from;
  const limit = world.limitMs(from, TOTAL_MS + (large ? ATTEMPT_MS : 0));
  if (ms <= limit || world.wasAway(isolate, from)) return;
  world.record.violation("took too long", `${what} at ${isolate}: ${ms} ms, limit ${limit} ms`);
}

/**
 * @param {import("./world.mjs").World} world
 * @returns {Promise<unknown>} the result; undefined where there is none, which has been seen to
 */
export async function ask(world, isolate, call, how = {}) {
  const what = how.what ?? call.method;
  const { answer, from } = await post(world, isolate, call, { what, ...how });
  if (!answer) return undefined;
  if (answer.body === undefined && how.cut?.(answer)) {
    world.record.count("broken streams of large answers");
    return undefined;
  }
  if (!rightId(world, call, answer.body, answer)) return undefined;
  if (answer.error) {
    if (how.error?.(answer.error)) return undefined;
    failed(world, isolate, from, what, brief(answer));
    return undefined;
  }
  how.seen?.(answer);
  return answer.result;
}

/** @returns {boolean} */
export function rightId(world, call, reply, answer) {
  if (reply?.id === call.id && "result" in reply !== "error" in reply) return true;
  world.record.violation("wrong id or form", `${JSON.stringify(call.id)}: ${brief(answer)}`);
  return false;
}

export const brief = ({ text, reason, endpoint }) =>
  `${text.slice(0, 300)} [from ${endpoint}, reason ${reason}]`;
