/**
 * Reads a command line, strictly.
 */
import { parseArgs } from "node:util";
import { Trouble } from "../say.mjs";

/** The command line is wrong: exit status 2. */
export class Usage extends Trouble {}

/**
 * @param {string[]} args
 * @param {import("node:util").ParseArgsConfig["options"]} options
 * @param {string} usage shown with what is wrong
 * @returns {{ values: Record<string, any>, positionals: string[] }}
 * @throws {Usage}
 */
export function readArguments(args, options, usage) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new Usage(`${error.message.split(". ")[0]}\n${usage}`);
  }
}

/**
 * @param {string} name of the option, for what is said about it
 * @param {string | undefined} text
 * @param {{ least: number, most: number, usual?: number }} range `usual`: when it is not given
 * @returns {number | undefined} a whole number in this range, or `usual`
 * @throws {Usage}
 */
export function whole(name, text, { least, most, usual }) {
  if (text === undefined) return usual;
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= least && value <= most)
    return value;
  throw new Usage(`--${name} takes a whole number from ${least} to ${most}`);
}
