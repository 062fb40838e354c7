/**
 * Which faults come when: pure, the same for the same seed.
 *
 * At every moment one endpoint, the guard, is well, and has been for long enough to be trusted again.
 * The guard changes; the next one is well for a while before the last one may fail. So outside the
 * blackouts every request, however long it takes, has an endpoint that could have answered it.
 */
import { between, dice, pick } from "./dice.mjs";
import { faults, OUT } from "./faults.mjs";

/** Nothing fails before: everybody gets to know everybody. */
const WARM_UP_MS = 8_000;
/** How long one endpoint is the guard, and how long the next has been well by then: longer than a
 * request takes, and than it takes to come back from any rest. */
const GUARD_MS = [25_000, 40_000];
const RECOVERY_MS = 16_000;
const FAULT_MS = [1_000, 9_000];
const PAUSE_MS = [300, 2_500];
const BLACKOUT_EVERY_MS = [150_000, 210_000];
const BLACKOUT_MS = [5_000, 14_000];
const OBJECT_EVERY_MS = [15_000, 50_000];
const ISOLATE_EVERY_MS = [35_000, 80_000];
const AWAY_MS = [1_500, 8_000];

/** What may befall the process that has the Durable Objects. */
const OBJECT = ["restarts", "is away", "is frozen"];

/**
 * @typedef {object} Event
 * @property {number} at ms since the beginning
 * @property {number} until
 * @property {string} target an endpoint, an isolate, or `object`
 * @property {string} kind
 * @property {any} [fault] of an endpoint
 * @property {boolean} [blackout]
 */

/**
 * @param {{ seed: number, ms: number, endpoints: string[], isolates: string[] }} plan
 * @returns {Event[]} by time
 */
export function schedule({ seed, ms, endpoints, isolates }) {
  const blackouts = spans(dice(seed, "blackouts"), ms, BLACKOUT_EVERY_MS, BLACKOUT_MS);
  const kept = guards(dice(seed, "guards"), ms, endpoints);
  const events = [
    ...blackouts.flatMap((span) => blackout(dice(seed, `blackout ${span.at}`), span, endpoints)),
    ...endpoints.flatMap((name) => {
      const closed = [...kept.filter((guard) => guard.name === name), ...blackouts.map(wider)];
      return endpointFaults(dice(seed, name), ms, name, closed);
    }),
    ...spans(dice(seed, "object"), ms, OBJECT_EVERY_MS, AWAY_MS).map((span, i) => ({
      ...span,
      target: "object",
      kind: pick(dice(seed, `object ${i}`), OBJECT),
    })),
    ...spans(dice(seed, "isolates"), ms, ISOLATE_EVERY_MS, [0, 0]).map((span, i) => ({
      ...span,
      target: pick(dice(seed, `isolate ${i}`), isolates),
      kind: "restarts",
    })),
  ];
  return events.sort((a, b) => a.at - b.at);
}

function spans(roll, ms, every, long) {
  const all = [];
  let at = WARM_UP_MS + between(roll, ...every) / 2;
  while (at < ms) {
    const until = at + between(roll, ...long);
    if (until < ms) all.push({ at: Math.round(at), until: Math.round(until) });
    at = until + between(roll, ...every);
  }
  return all;
}

/** Before it the guard is what it is at all other times, and after it everybody may come back. */
const wider = ({ at, until }) => ({ at: at - 1_000, until: until + RECOVERY_MS });

function guards(roll, ms, endpoints) {
  const all = [];
  let last;
  for (let at = 0; at < ms; ) {
    const name = pick(
      roll,
      endpoints.filter((one) => one !== last),
    );
    const until = at + between(roll, ...GUARD_MS);
    all.push({ name, at: at - RECOVERY_MS, until });
    [last, at] = [name, until];
  }
  return all;
}

function blackout(roll, span, endpoints) {
  const of = (target) => {
    const kind = pick(roll, OUT);
    return { ...span, target, kind, fault: faults[kind](roll), blackout: true };
  };
  return endpoints.map(of);
}

function endpointFaults(roll, ms, target, closed) {
  const all = [];
  let at = WARM_UP_MS + between(roll, ...PAUSE_MS);
  while (at < ms) {
    const kind = pick(roll, Object.keys(faults));
    const fault = faults[kind](roll);
    const until = at + between(roll, ...FAULT_MS);
    const met = closed.filter((span) => span.at < until && span.until > at);
    if (met.length > 0) at = Math.max(...met.map((span) => span.until));
    else if (until < ms) all.push({ at, until, target, kind, fault });
    if (met.length === 0) at = until;
    at += between(roll, ...PAUSE_MS);
  }
  return all;
}
