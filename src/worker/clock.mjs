/**
 * A clock that is read once a turn: on Workers time stands still in between, but each reading is a call
 * into the runtime, of which a request makes two dozen.
 */
let inTurn = false;
let time;

/** Runs what futures are polled by: one turn. */
export function turn(poll) {
  inTurn = true;
  time = undefined;
  try {
    poll();
  } finally {
    inTurn = false;
  }
}

/** @returns {number} milliseconds since 1970 */
export function now() {
  if (!inTurn) return Date.now();
  time ??= Date.now();
  return time;
}
