/**
 * An outage of the first endpoint while a client works on: killed in the middle, brought back, and
 * in use again at the end. The client must not notice.
 */
import assert from "node:assert/strict";
import { isPoll } from "./calls.mjs";
import { harness } from "./harness.mjs";
import { printTable } from "./table.mjs";

const PAUSE_MS = 5;

/** @returns {Promise<import("./harness.mjs").Harness>} a chain behind `first` and `second` */
export const startOutage = () =>
  harness({
    endpoints: ["first", "second"],
    route: { trip_after: 3, cooldown_ms: 500, cooldown_max_ms: 1000, attempt_timeout_ms: 2000 },
  });

/**
 * @param {import("./harness.mjs").Harness} t
 * @param {string} client its name, for the table
 * @param {import("../../local/endpoint.mjs").Fault | string} fault
 * @param {{ read: () => Promise<unknown>, work: () => Promise<void> }} use `read`: one quick call;
 *   `work`: everything that the client does, with its own assertions
 */
export async function throughOutage(t, client, fault, { read, work }) {
  const { first, second } = t.endpoint;
  const fromFirst = () => calls(first);
  const busy = keepReading(read);
  try {
    await work();
    assert.ok(fromFirst() > 0 && calls(second) === 0, "the first endpoint serves");

    await first.set(fault);
    await work();
    await t.until(async () => (await t.status()).endpoint.first.state !== "closed");
    const left = fromFirst();
    await work();
    assert.equal(fromFirst(), left, "nobody asks it while its breaker is open");
    assert.ok(calls(second) > 0, "the second serves");

    await first.set("answer");
    await t.until(async () => (await t.status()).endpoint.first.state === "closed");
    await t.until(() => fromFirst() > left);
    const served = calls(second);
    await work();
    assert.equal(calls(second), served, "the first serves again, alone");
  } finally {
    await busy.stop();
  }
  report(client, fault, await t.status(), busy.done);
}

/** Calls of clients, which ask for no heads here; the object does. */
const calls = (endpoint) =>
  endpoint.requests.filter((request) => !isPoll(request)).flatMap(({ methods }) => methods).length;

/** Reads without end; `stop` tells of the first error. */
function keepReading(read) {
  const busy = { done: 0, stop: undefined };
  let going = true;
  const loop = (async () => {
    while (going) {
      await read();
      busy.done += 1;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();
  loop.catch(() => {});
  busy.stop = () => {
    going = false;
    return loop;
  };
  return busy;
}

function report(client, fault, { transitions }, reads) {
  const oldestFirst = transitions.toReversed();
  const moves = oldestFirst.map(({ from, to }) => `${from}-${to}`);
  assert.equal(moves[0], "closed-open");
  assert.equal(moves.at(-1), "half_open-closed");
  assert.ok(transitions.every(({ endpoint }) => endpoint === "first"));
  const begun = oldestFirst[0].at_ms;
  printTable(
    `${client}, first endpoint: ${JSON.stringify(fault)}; ${reads} more reads meanwhile, no error`,
    ["ms", "endpoint", "from", "to", "reason"],
    oldestFirst.map((m) => [m.at_ms - begun, m.endpoint, m.from, m.to, m.reason]),
  );
}
