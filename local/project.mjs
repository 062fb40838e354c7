/**
 * What wrangler.toml says about the Worker, as far as workerd has to be told.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @typedef {object} Project
 * @property {string} build folder that holds the entry module and the wasm
 * @property {string} entry file name of the entry module
 * @property {string} compatibilityDate
 * @property {string[]} compatibilityFlags
 * @property {Record<string, unknown>} vars the `[vars]` tables
 * @property {{ binding: string, className: string, sqlite: boolean }[]} objects Durable Objects
 * @property {RateLimit[]} rateLimits
 *
 * @typedef {object} RateLimit a `[[ratelimits]]` binding
 * @property {string} binding
 * @property {number} limit calls by one key in a period
 * @property {number} period seconds
 */

/**
 * @param {string} [file] path of a wrangler.toml; the project's own by default
 * @returns {Project}
 */
export function readProject(file = join(root, "wrangler.toml")) {
  const toml = parse(readFileSync(file, "utf8"));
  const main = toml.main.split("/");
  const entry = main.pop();
  const sqlite = (toml.migrations ?? []).flatMap((m) => m.new_sqlite_classes ?? []);
  return {
    build: join(file, "..", ...main),
    entry,
    compatibilityDate: toml.compatibility_date,
    compatibilityFlags: toml.compatibility_flags ?? [],
    vars: toml.vars ?? {},
    objects: (toml.durable_objects?.bindings ?? []).map(({ name, class_name }) => ({
      binding: name,
      className: class_name,
      sqlite: sqlite.includes(class_name),
    })),
    rateLimits: (toml.ratelimits ?? []).map(({ name, simple }) => ({ binding: name, ...simple })),
  };
}
