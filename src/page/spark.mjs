/**
 * The last hour as bars, one a minute: how high says how many attempts, the dark part with a tick
 * below says how many of them failed. What is not known is left blank.
 */
import { el } from "./dom.mjs";
import { sums } from "./sight.mjs";
import { count, some } from "./words.mjs";

const MINUTES = 60;
const STEP = 4;
const HEIGHT = 28;
const TICK = 3;

/** @param {[number, number][]} minutes oldest first @param {string} name of the endpoint */
export function spark(minutes, name) {
  const most = Math.max(1, ...minutes.map(([requests]) => requests));
  const scale = (n) => (n === 0 ? 0 : Math.max(1.5, Math.sqrt(n / most) * HEIGHT));
  const bars = minutes.flatMap((minute, i) => {
    const x = (MINUTES - minutes.length + i) * STEP;
    return bar(x, minute, scale);
  });
  const from = (MINUTES - minutes.length) * STEP;
  return el(
    "svg.spark",
    {
      viewBox: `0 0 ${MINUTES * STEP} ${HEIGHT + 1 + TICK}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": told(minutes, name),
    },
    el("rect.unknown", { x: 0, y: HEIGHT, width: from, height: 0.7 }),
    el("rect.base", { x: from, y: HEIGHT, width: minutes.length * STEP, height: 0.7 }),
    bars,
  );
}

function bar(x, [requests, failures], scale) {
  const all = scale(requests);
  const failed = failures === 0 ? 0 : Math.max(1.5, (all * failures) / requests);
  const rect = (name, y, height) =>
    height > 0 &&
    el(`rect.${name}`, { x, y: y.toFixed(1), width: STEP - 1, height: height.toFixed(1) });
  return [
    rect("good", HEIGHT - all, all - failed),
    rect("failed", HEIGHT - failed, failed),
    rect("failed", HEIGHT + 1, failures > 0 ? TICK : 0),
  ];
}

function told(minutes, name) {
  if (minutes.length === 0) return `${name}: the last hour is unknown`;
  const { requests, failures } = sums(minutes);
  const bad = minutes.filter((minute) => minute[1] > 0).length;
  const where = bad > 0 ? `, in ${some(bad, "minute")}` : "";
  return `${name}, last ${some(minutes.length, "minute")}: ${some(requests, "attempt")}, ${count(failures)} failed${where}`;
}
