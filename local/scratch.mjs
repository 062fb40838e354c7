/**
 * Temporary folders that go when this process does.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @type {Set<string>} */
const folders = new Set();

/** @returns {string} path of a new, empty folder */
export function scratchFolder() {
  if (folders.size === 0) process.on("exit", removeAll);
  const folder = mkdtempSync(join(tmpdir(), "breakwater-"));
  folders.add(folder);
  return folder;
}

/** @param {string} folder as `scratchFolder` gave it */
export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
  if (folders.size === 0) process.off("exit", removeAll);
}

function removeAll() {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
