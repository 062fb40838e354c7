/**
 * Shapes for states, each different, so that colour is never alone.
 */
import { el } from "./dom.mjs";

const RING = "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 2a5 5 0 1 0 0 10A5 5 0 0 0 8 3z";
const PATHS = {
  serves: "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm3.2 4L7 9.2 4.9 7.1 3.6 8.4 7 11.8 12.5 6.3z",
  fit: RING,
  test: `${RING}M8 3a5 5 0 0 1 0 10z`,
  rest: "M3 2h4v12H3zM9 2h4v12H9z",
  out: "M3.3 1L8 5.7 12.7 1 15 3.3 10.3 8 15 12.7 12.7 15 8 10.3 3.3 15 1 12.7 5.7 8 1 3.3z",
  off: `${RING}M4.5 7h7v2h-7z`,
  ok: "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm3.2 4L7 9.2 4.9 7.1 3.6 8.4 7 11.8 12.5 6.3z",
  warn: "M8 1l7.5 13.5H.5zM7 6v4h2V6zm0 5v2h2v-2z",
  bad: "M3.3 1L8 5.7 12.7 1 15 3.3 10.3 8 15 12.7 12.7 15 8 10.3 3.3 15 1 12.7 5.7 8 1 3.3z",
};
const COLOURS = { ok: "2a7", warn: "c80", bad: "d33" };

/** @param {keyof typeof PATHS} name @param {string} tone */
export const mark = (name, tone) =>
  el(
    `svg.mark.${tone}`,
    { viewBox: "0 0 16 16", "aria-hidden": "true" },
    el("path", { d: PATHS[name], "fill-rule": "evenodd" }),
  );

/** Shows in the tab how it is. @param {"ok" | "warn" | "bad"} level */
export function icon(level) {
  const path = `<path fill='%23${COLOURS[level]}' fill-rule='evenodd' d='${PATHS[level]}'/>`;
  const link = document.querySelector("link[rel=icon]");
  const href = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>${path}</svg>`;
  if (link.getAttribute("href") !== href) link.setAttribute("href", href);
}
