/**
 * The two command line tools that turn the crate into a Worker. Each must fit Cargo.lock:
 * wasm-bindgen speaks only to the very version of its crate, and worker-build is released together
 * with `worker`.
 */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { lockedVersion, root, toolsDir } from "./paths.mjs";
import { mustRun, run, tail } from "./run.mjs";
import { step, Trouble } from "./say.mjs";

/** Longer than any of this takes on a slow machine that has other things to do. */
const COMPILE_MS = 1_800_000;

/**
 * @typedef {object} Tool
 * @property {string} binary what is run
 * @property {string} crate what cargo installs
 * @property {string} version the only one that will do
 * @property {string} variable environment variable that names another copy
 */

/** @type {Tool} also brings wasm-bindgen-test-runner, into the same folder */
export const wasmBindgen = {
  binary: "wasm-bindgen",
  crate: "wasm-bindgen-cli",
  version: lockedVersion("wasm-bindgen"),
  variable: "WASM_BINDGEN_BIN",
};

/** @type {Tool} */
export const workerBuild = {
  binary: "worker-build",
  crate: "worker-build",
  version: lockedVersion("worker"),
  variable: "WORKER_BUILD_BIN",
};

/**
 * Finds a tool: named by its variable, in `.tools/`, or on PATH.
 *
 * @param {Tool} tool
 * @returns {string | undefined} the program to run; undefined when no copy has the version
 * @throws {Trouble} when the variable names a copy of another version
 */
export function findTool(tool) {
  const named = process.env[tool.variable];
  if (named) {
    if (isVersion(named, tool.version)) return named;
    throw new Trouble(`${tool.variable} is ${named}, which is not ${tool.crate} ${tool.version}`);
  }
  return [join(toolsDir, "bin", tool.binary), tool.binary].find((p) => isVersion(p, tool.version));
}

function isVersion(program, version) {
  try {
    const said = execFileSync(program, ["--version"], { encoding: "utf8", stdio: "pipe" });
    return said.trim().split(/\s+/).includes(version);
  } catch {
    return false;
  }
}

/**
 * Compiles a tool into `.tools/`, from the versions its author locked, or else from current ones
 * (a registry mirror may lack one of the former).
 *
 * @param {Tool} tool
 * @returns {Promise<boolean>} whether it is there now
 */
export async function installTool(tool) {
  const done = step(`install ${tool.crate} ${tool.version} with cargo (some minutes, once)`);
  const install = ["cargo", "install", `${tool.crate}@${tool.version}`, "--root", toolsDir];
  // Unoptimised they compile three times as fast, and a build with them is half a second slower.
  const env = {
    CARGO_TARGET_DIR: join(toolsDir, "target"),
    CARGO_PROFILE_RELEASE_OPT_LEVEL: "0",
  };
  let ran = await run([...install, "--locked"], { env, timeoutMs: COMPILE_MS });
  if (ran.code !== 0) ran = await run(install, { env, timeoutMs: COMPILE_MS });
  done(ran.code === 0 ? "✓" : "✗");
  if (ran.code !== 0) console.error(tail(ran.output, 15));
  return ran.code === 0;
}

/** Drops what compiling the tools left, some hundred MB. */
export function dropToolLeftovers() {
  rmSync(join(toolsDir, "target"), { recursive: true, force: true });
}

/**
 * What worker-build must be told so that it downloads nothing. A variable that the caller has set
 * stays; without wasm-bindgen of the right version worker-build fetches its own.
 *
 * @returns {Record<string, string>}
 */
export function buildEnv() {
  const npmBin = join(root, "node_modules", ".bin");
  const bindgen = findTool(wasmBindgen);
  return {
    WASM_OPT_BIN: process.env.WASM_OPT_BIN ?? join(npmBin, "wasm-opt"),
    ESBUILD_BIN: process.env.ESBUILD_BIN ?? join(npmBin, "esbuild"),
    ...(bindgen && { WASM_BINDGEN_BIN: bindgen }),
  };
}

/**
 * The program that runs the wasm tests, for `CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER`.
 *
 * @returns {string}
 */
export function wasmTestRunner() {
  const bindgen = findTool(wasmBindgen) ?? "wasm-bindgen";
  return dirname(bindgen) === "."
    ? "wasm-bindgen-test-runner"
    : join(dirname(bindgen), "wasm-bindgen-test-runner");
}

/** Runs worker-build. @param {string[]} args @returns {Promise<string>} its output */
export function runWorkerBuild(args) {
  const program = findTool(workerBuild);
  if (!program) throw new Trouble(`worker-build ${workerBuild.version} is missing`);
  const options = { env: buildEnv(), timeoutMs: COMPILE_MS };
  return mustRun("build the Worker", [program, ...args], options);
}

/**
 * cargo-deny is not installed for anybody: it takes minutes to compile, and nothing is built with it.
 *
 * @returns {string[] | undefined} the command; undefined when there is none on PATH
 */
export function cargoDeny() {
  try {
    execFileSync("cargo-deny", ["--version"], { stdio: "pipe" });
    return ["cargo-deny"];
  } catch {
    return undefined;
  }
}
