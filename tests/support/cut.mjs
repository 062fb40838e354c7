/**
 * A network that does not lead everywhere, for one isolate alone.
 */
import { readProject } from "../../local/project.mjs";

/**
 * The isolate's first so many requests for a path meet a dead end; all others pass.
 *
 * @param {{ isolate: string, path: string, requests: number }} options
 * @returns {Partial<import("../../local/workerd.mjs").Options>}
 */
export function cut({ isolate, path, requests }) {
  return {
    outbound: { [isolate]: "cut" },
    extraServices: [
      `(name = "cut", worker = (
        modules = [(name = "cut.js", esModule = ${JSON.stringify(source(path, requests))})],
        compatibilityDate = "${readProject().compatibilityDate}"))`,
    ],
  };
}

/** Nobody listens on port 1: the connection is refused. */
const source = (path, requests) => `
let left = ${requests};
export default {
  fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname !== ${JSON.stringify(path)} || left === 0) return fetch(request);
    left -= 1;
    return fetch("http://127.0.0.1:1/");
  },
};`;
