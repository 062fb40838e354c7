/**
 * Moments, as people read them: the reader's own clock face, and how long ago.
 */
import { el } from "./dom.mjs";
import { span } from "./words.mjs";

const DAY_MS = 86_400_000;
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** @param {number} at @param {number} now */
export const ago = (at, now) => `${span(now - at)} ago`;

/** @param {number} at ms since 1970 @param {number} now @returns {unknown[]} for `el` */
export function time(at, now) {
  const moment = new Date(at);
  const face = (now - at > DAY_MS ? full : clock).format(moment);
  return [
    el("time", { datetime: moment.toISOString(), title: full.format(moment) }, face),
    ` (${ago(at, now)})`,
  ];
}
