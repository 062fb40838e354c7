/**
 * Brings a clean clone to where it can build and run; does nothing, quickly, when all is there.
 *
 * Nothing from node_modules may be imported here: it may not exist yet.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readText, root } from "./paths.mjs";
import { mustRun, run } from "./run.mjs";
import { findCargo, installRustup, unattended } from "./rust.mjs";
import { program, Trouble } from "./say.mjs";
import { dropToolLeftovers, findTool, installTool, wasmBindgen, workerBuild } from "./tools.mjs";

const WASM = "wasm32-unknown-unknown";

/** Everything, in the order in which one thing needs the other. */
export async function setup() {
  checkNode();
  await npmPackages();
  await rustToolchain();
  await wasmTarget();
  await cargoTools();
}

function checkNode() {
  const { engines } = JSON.parse(readText("package.json"));
  const wanted = engines.node
    .replace(/[^\d.]/g, "")
    .split(".")
    .map(Number);
  const have = process.versions.node.split(".").map(Number);
  const short = wanted.findIndex((n, i) => n !== have[i]);
  if (short >= 0 && have[short] < wanted[short]) {
    throw new Trouble(
      `Node ${engines.node} is needed, this is ${process.versions.node}: https://nodejs.org`,
    );
  }
}

/** `npm ci`, unless node_modules holds what the lock file lists. */
async function npmPackages() {
  const installed = join(root, "node_modules", ".package-lock.json");
  if (existsSync(installed)) {
    const missing = missingPackages(
      JSON.parse(readText("package-lock.json")),
      JSON.parse(readText("node_modules/.package-lock.json")),
    );
    if (missing.length === 0) return;
  }
  await mustRun("npm ci", ["npm", "ci", "--no-audit", "--no-fund"]);
}

/**
 * Compares the lock file with the one npm leaves in node_modules, which has no root entry and
 * leaves out optional packages made for other machines.
 *
 * @param {{ packages: Record<string, { version?: string, optional?: boolean }> }} wanted
 * @param {{ packages: Record<string, { version?: string }> }} installed
 * @returns {string[]} paths of packages that are absent or of another version
 */
export function missingPackages(wanted, installed) {
  return Object.entries(wanted.packages)
    .filter(([path, { version, optional }]) => {
      const there = installed.packages[path];
      return path !== "" && (there ? there.version !== version : !optional);
    })
    .map(([path]) => path);
}

/** cargo answers for the pinned toolchain, or rustup fetches it; unattended, rustup itself too. */
async function rustToolchain() {
  if (!findCargo() && unattended()) await installRustup();
  // Without the variable a missing toolchain would be downloaded here and now, in silence.
  const { code } = await run(["cargo", "--version"], { env: { RUSTUP_AUTO_INSTALL: "0" } });
  if (code === 0) return;
  if ((await run(["rustup", "--version"])).code !== 0) {
    throw new Trouble("Rust is needed: https://rustup.rs");
  }
  await mustRun("install the Rust toolchain that rust-toolchain.toml names", [
    "rustup",
    "toolchain",
    "install",
    "--no-self-update",
  ]);
}

/** The standard library for wasm, from whatever installed Rust, or else from rustup. */
async function wasmTarget() {
  const { output } = await run(["rustc", "--print", "target-libdir", "--target", WASM]);
  if (output.split("\n").some((line) => existsSync(line.trim()))) return;
  if ((await run(["rustup", "--version"])).code !== 0) {
    throw new Trouble(`Rust's ${WASM} target is missing, and there is no rustup to fetch it`);
  }
  await mustRun(`rustup target add ${WASM}`, ["rustup", "target", "add", WASM]);
}

async function cargoTools() {
  const missing = [workerBuild, wasmBindgen].filter((tool) => !findTool(tool));
  for (const tool of missing) {
    if (await installTool(tool)) continue;
    if (tool === workerBuild) throw new Trouble(`cargo could not install ${tool.crate}`);
    console.error(`  worker-build will download ${tool.binary} itself`);
  }
  if (missing.length > 0) dropToolLeftovers();
}

await program(import.meta.url, setup);
