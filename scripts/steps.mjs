/**
 * What `npm test` runs, in order.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "./chromium.mjs";
import { cargoCounts, nodeCounts, nodeSkipped } from "./counts.mjs";
import { root } from "./paths.mjs";
import { wasmTestRunner } from "./tools.mjs";

const WASM = ["--target", "wasm32-unknown-unknown"];
/** Nothing is added unnoticed: what is uploaded now, and a little. The goal is 150. */
export const GZIP_LIMIT_KIB = 325;
const MINUTE_MS = 60_000;
const NO_CHROMIUM = "SKIPPED: no Chromium here (install it, or name it in CHROMIUM_BIN)";

/**
 * @typedef {object} Step
 * @property {string[]} parts `npm test -- PART` runs the steps that have it
 * @property {string} name
 * @property {string[]} command
 * @property {number} minutes longest it may take
 * @property {Record<string, string>} [env]
 * @property {(output: string) => import("./counts.mjs").Counts} [count] absent: one check
 * @property {(output: string) => string[]} [skipped] tests that did not run, and why: shown
 * @property {(output: string) => { ok: boolean, remark: string }} [judge] looks closer at the
 *   output of a command that succeeded
 * @property {string} [skip] why it is not run: it counts as nothing then
 */

export const PARTS = ["lint", "rust", "local", "worker", "clients", "chaos", "browser"];

/** @returns {Step[]} */
export function steps() {
  return [
    ...lint(),
    ...rust(),
    ...node("local"),
    ...built(),
    ...node("worker"),
    ...node("clients"),
    ...node("chaos"),
    ...inBrowser(node("browser"), chromium()),
  ];
}

/** @returns {Step[]} */
function lint() {
  const clippy = (name, args) => ({
    parts: ["lint"],
    name,
    command: ["cargo", "clippy", ...args, "--", "--deny", "warnings"],
    minutes: 10,
  });
  const wasmTests = has("tests/wasm.rs") ? ["--test", "wasm"] : [];
  return [
    { parts: ["lint"], name: "cargo fmt", command: ["cargo", "fmt", "--check"], minutes: 1 },
    { parts: ["lint"], name: "biome", command: [npmBin("biome"), "check"], minutes: 1 },
    clippy("clippy", ["--all-targets"]),
    clippy("clippy for wasm", ["--lib", ...wasmTests, ...WASM]),
  ];
}

/** @returns {Step[]} */
function rust() {
  const runner = { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: wasmTestRunner() };
  const cargo = (name, args, env = {}) => ({
    parts: ["rust"],
    name,
    command: ["cargo", ...args],
    minutes: 20,
    env,
  });
  const tests = [{ ...cargo("cargo test", ["test"]), count: cargoCounts }];
  if (has("tests/wasm.rs")) {
    const args = ["test", ...WASM, "--test", "wasm"];
    tests.push({ ...cargo("cargo test for wasm", args, runner), count: cargoCounts });
  }
  const check = ["run", "--quiet", "--example", "check_config", "--", "wrangler.toml"];
  return [...tests, cargo("check wrangler.toml", check)];
}

/** @returns {Step[]} */
function built() {
  return [
    {
      parts: ["worker", "clients", "chaos", "browser"],
      name: "build",
      command: ["node", "scripts/build.mjs"],
      minutes: 15,
    },
    {
      parts: ["worker"],
      name: "size of the upload",
      command: [npmBin("wrangler"), "deploy", "--dry-run"],
      minutes: 3,
      env: { WRANGLER_SEND_METRICS: "false" },
      judge: uploadSize,
    },
  ];
}

/** @param {string} part a folder in tests/ @returns {Step[]} */
function node(part) {
  const folder = join("tests", part);
  if (!has(folder)) return [];
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith(".test.mjs"));
  const command = ["node", "--test", "--test-reporter=spec", ...files.map((f) => join(folder, f))];
  const read = { count: nodeCounts, skipped: nodeSkipped };
  return [{ parts: [part], name: folder, command, minutes: 15, ...read }];
}

/** @param {Step[]} wanted @param {string} [browser] without one they are skipped, and say so */
export const inBrowser = (wanted, browser) =>
  wanted.map((step) => ({ ...step, skip: browser ? undefined : NO_CHROMIUM }));

/** @param {string} output of `wrangler deploy --dry-run` */
export function uploadSize(output) {
  const kib = Number(output.match(/gzip: ([\d.]+) KiB/)?.[1] ?? Number.NaN);
  const remark = `${kib} KiB gzipped, limit ${GZIP_LIMIT_KIB}`;
  return { ok: kib <= GZIP_LIMIT_KIB, remark };
}

const has = (name) => existsSync(join(root, name));
const npmBin = (name) => join(root, "node_modules", ".bin", name);

/** @param {Step} step @returns {number} */
export const limitMs = ({ minutes }) => minutes * MINUTE_MS;
