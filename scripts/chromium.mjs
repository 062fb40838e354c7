/**
 * The browser that tests use: whatever Chromium this machine has.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/**
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined} the program: `CHROMIUM_BIN`, or one of its names on PATH
 */
export function chromium({ CHROMIUM_BIN, PATH = "" } = process.env) {
  const paths = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [CHROMIUM_BIN, ...paths].find((path) => path && existsSync(path));
}
