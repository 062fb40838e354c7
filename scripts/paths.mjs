/**
 * Where things are, and the versions that Cargo.lock fixes.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const root = fileURLToPath(new URL("..", import.meta.url));
/** Tools that `setup` installs for this project only. */
export const toolsDir = join(root, ".tools");
/** What worker-build leaves and workerd runs. */
export const buildDir = join(root, "build");

/** @param {string} name a file of the project @returns {string} its text */
export const readText = (name) => readFileSync(join(root, name), "utf8");

/**
 * @param {string} name a crate
 * @returns {string} its version in Cargo.lock
 */
export function lockedVersion(name) {
  const found = readText("Cargo.lock").match(
    new RegExp(`^name = "${name}"\\r?\\nversion = "([^"]+)"`, "m"),
  );
  if (!found) throw new Error(`Cargo.lock has no ${name}`);
  return found[1];
}
