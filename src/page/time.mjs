/**
 * Moments: by the reader's clock, and how long ago.
 */
import { el } from "./dom.mjs";
import { date, face, span } from "./words.mjs";

/** @param {number} at @param {number} now */
export const ago = (at, now) => `${span(now - at)} ago`;

/** @param {number} at ms since 1970 @param {number} now @returns {unknown[]} for `el` */
export const time = (at, now) => [
  el("time", { datetime: new Date(at).toISOString(), title: date(at) }, face(at, now)),
  ` (${ago(at, now)})`,
];
