/**
 * Programs that are not the project's own: named by the environment, or on PATH.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * @param {string | undefined} named its path, as the environment names it
 * @param {string[]} names that it goes by
 * @param {string} [path] PATH
 * @returns {string | undefined} the first that is there
 */
export function program(named, names, path = "") {
  const places = path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [named, ...places].find((place) => place && existsSync(place));
}
