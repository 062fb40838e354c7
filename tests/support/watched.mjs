/**
 * The built Worker with the size of its wasm memory in sight, which never shrinks.
 */
import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readProject } from "../../local/project.mjs";
import { removeFolder, scratchFolder } from "../../local/scratch.mjs";

const PATH = "/wasm-memory";

/** @returns {{ project: import("../../local/project.mjs").Project, remove: () => void }} */
export function watched() {
  const project = readProject();
  const build = scratchFolder();
  const files = readdirSync(project.build).filter((file) => /\.(js|wasm)$/.test(file));
  for (const file of files) copyFileSync(join(project.build, file), join(build, file));
  writeFileSync(join(build, "watch.js"), WATCH);
  writeFileSync(join(build, "watched.js"), entry(project));
  return { project: { ...project, build, entry: "watched.js" }, remove: () => removeFolder(build) };
}

/** @param {string} url of such a Worker @returns {Promise<number>} MiB */
export async function wasmMib(url) {
  return Number(await (await fetch(`${url}${PATH}`)).text()) / (1 << 20);
}

/** Evaluated before the Worker makes its instance. */
const WATCH = `
const { Instance } = WebAssembly;
WebAssembly.Instance = function (...of) {
  const instance = new Instance(...of);
  globalThis.wasmMemory = instance.exports.memory;
  return instance;
};`;

const entry = ({ entry }) => `
import "./watch.js";
import Built from "./${entry}";
export * from "./${entry}";
export default {
  fetch(request, env, context) {
    if (!request.url.endsWith("${PATH}")) return new Built(context, env).fetch(request);
    return new Response(String(globalThis.wasmMemory.buffer.byteLength));
  },
};`;
