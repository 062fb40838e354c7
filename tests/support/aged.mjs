/**
 * Durable Objects that find, whenever they start, that nobody has used their route for long.
 */
import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readProject } from "../../local/project.mjs";
import { removeFolder, scratchFolder } from "../../local/scratch.mjs";

const ENTRY = "aged.js";

/**
 * The built Worker, whose objects set back the stored end of their probing before they read it.
 *
 * @returns {{ project: import("../../local/project.mjs").Project, remove: () => void }}
 */
export function aged() {
  const project = readProject();
  const build = scratchFolder();
  const files = readdirSync(project.build).filter((file) => /\.(js|wasm)$/.test(file));
  for (const file of files) copyFileSync(join(project.build, file), join(build, file));
  writeFileSync(join(build, ENTRY), source(project));
  return { project: { ...project, build, entry: ENTRY }, remove: () => removeFolder(build) };
}

const source = ({ entry, objects: [{ className }] }) => `
import Worker, { ${className} as Built } from "./${entry}";
export default Worker;
export * from "./${entry}";
export class ${className} extends Built {
  constructor(ctx, env) {
    const { sql } = ctx.storage;
    const made = sql.exec("SELECT name FROM sqlite_master WHERE name = 'meta'").toArray();
    const set = made.length && sql.exec(
      "UPDATE meta SET value = ? WHERE key = 'active_until' RETURNING value",
      String(Date.now() - 3_600_000),
    ).toArray();
    if (set) console.log(JSON.stringify({ event: "aged", rows: set.length }));
    super(ctx, env);
  }
}`;
