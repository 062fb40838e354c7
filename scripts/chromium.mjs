/**
 * The browser that tests use: whatever Chromium this machine has.
 */
import { program } from "./on_path.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/**
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined} the program: `CHROMIUM_BIN`, or one of its names on PATH
 */
export const chromium = ({ CHROMIUM_BIN, PATH } = process.env) =>
  program(CHROMIUM_BIN, NAMES, PATH);
