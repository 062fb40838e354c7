/**
 * The browser that tests use: whatever Chromium this machine has.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** @returns {string | undefined} the program: `CHROMIUM_BIN`, or one of its names on PATH */
export function chromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [process.env.CHROMIUM_BIN ?? "", ...found, MAC].find((path) => path && existsSync(path));
}
