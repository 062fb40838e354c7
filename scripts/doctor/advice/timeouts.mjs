/**
 * Whether attempts are given enough time.
 */
import { advice, fitOnes, listed, note, problem, roundUp } from "./advice.mjs";
import { ranked } from "./order.mjs";

const DEFAULT_MS = 3500;
/** Room above the slowest answer seen; less than `TIGHT` of it is too little. */
const ROOM = 2;
const TIGHT = 1.5;
const STEP_MS = 500;
const HEDGE_STEP_MS = 50;

/** @returns {number} ms that one attempt has */
const limit = (route, configured, method) =>
  route.keys.method_timeouts_ms[method] ??
  configured.attempt_timeout_ms ??
  route.keys.attempt_timeout_ms ??
  DEFAULT_MS;

/** @type {import("./advice.mjs").Rule} */
export const timeouts = (route, examined) =>
  fitOnes(route, examined).flatMap(({ finding, configured }) => {
    const slow = Object.entries(finding.latency)
      .map(([method, { p99, samples }]) => ({ method, p99, samples }))
      .map((one) => ({ ...one, limit: limit(route, configured, one.method) }))
      .filter((one) => one.p99 !== null && one.p99 * TIGHT > one.limit);
    return slow.length > 0 ? [enlarge(route, finding.name, slow)] : [];
  });

function enlarge(route, name, slow) {
  const worst = slow.reduce((a, b) => (b.p99 > a.p99 ? b : a));
  const wanted = roundUp(worst.p99 * ROOM, STEP_MS);
  const write =
    slow.length === 1
      ? `method_timeouts_ms = { ${worst.method} = ${wanted} }`
      : `attempt_timeout_ms = ${wanted}`;
  const say = worst.p99 >= worst.limit ? problem : advice;
  const total = route.keys.total_timeout_ms;
  const tight =
    wanted * 2 > total ? `. With total_timeout_ms = ${total} little is left for another` : "";
  return say(
    name,
    `${listed(slow.map(({ method }) => method))} took up to ${worst.p99} ms ` +
      `(p99 of ${worst.samples}), an attempt has ${worst.limit} ms${tight}`,
    write,
  );
}

/** @type {import("./advice.mjs").Rule} */
export function hedge(route, examined) {
  const [first, second] = ranked(route, examined);
  const p99 = first?.latency.eth_call?.p99 ?? null;
  if (!second || p99 === null || route.keys.hedge_after_ms > 0) return [];
  if (route.keys.mode === "quorum") return [];
  return [
    note(
      null,
      `${first.name}'s p99 of eth_call is ${p99} ms: a read that takes longer could ask ` +
        `${second.name} meanwhile, at the cost of one more request in ten at most`,
      `hedge_after_ms = ${roundUp(Math.max(100, p99 * 1.2), HEDGE_STEP_MS)}`,
    ),
  ];
}
