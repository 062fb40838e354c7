/**
 * What `npm test` runs, in order.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "./chromium.mjs";
import { cargoCounts, failedFiles, nodeCounts, nodeSkipped } from "./counts.mjs";
import { root } from "./paths.mjs";
import { prometheus, promtool } from "./prometheus.mjs";
import { cargoDeny, wasmTestRunner } from "./tools.mjs";

const WASM = ["--target", "wasm32-unknown-unknown"];
/** Nothing is added unnoticed: what is uploaded now, and a little. The goal is 150. */
export const GZIP_LIMIT_KIB = 335;
const MINUTE_MS = 60_000;
/** More failing files than this are no hiccup of the machine. */
const UNSTEADY_FILES = 2;
const NO_DENY = "SKIPPED: no cargo-deny here (cargo install cargo-deny)";
const NO_NETWORK = "SKIPPED: needs the network (npm run audit)";
const NO_CHROMIUM = "SKIPPED: no Chromium here (install it, or name it in CHROMIUM_BIN)";
const NO_PROMETHEUS =
  "SKIPPED: no Prometheus here (install it, or name PROMETHEUS_BIN and PROMTOOL_BIN)";

/**
 * @typedef {object} Step
 * @property {string[]} parts `npm test -- PART` runs the steps that have it
 * @property {string} name
 * @property {string[]} command
 * @property {number} minutes longest it may take
 * @property {Record<string, string>} [env]
 * @property {(output: string) => import("./counts.mjs").Counts} [count] absent: one check
 * @property {(output: string) => string[]} [skipped] tests that did not run, and why: shown
 * @property {(output: string) => string[] | undefined} [again] what runs the failed part once more;
 *   undefined when that would tell nothing
 * @property {(output: string) => { ok: boolean, remark: string }} [judge] looks closer at the
 *   output of a command that succeeded
 * @property {string} [skip] why it is not run: it counts as nothing then
 */

export const PARTS = [
  "lint",
  "supply",
  "rust",
  "local",
  "worker",
  "monitoring",
  "clients",
  "examples",
  "chaos",
  "browser",
];

/** @returns {Step[]} */
export function steps() {
  return [
    ...lint(),
    ...supply(),
    ...rust(),
    ...node("local"),
    ...built(),
    ...node("worker"),
    ...withPrometheus(node("monitoring"), prometheus() && promtool()),
    ...node("clients"),
    ...node("examples"),
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
function supply() {
  const deny = cargoDeny() ?? ["cargo-deny"];
  const of = (name, command, skip) => ({ parts: ["supply"], name, command, minutes: 3, skip });
  const offline = ["--offline", "check", "bans", "licenses", "sources"];
  return [
    of("lock files", ["node", "scripts/supply.mjs"]),
    of("cargo deny", [...deny, ...offline], cargoDeny() ? undefined : NO_DENY),
    of("advisories", ["npm", "run", "audit"], NO_NETWORK),
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
      parts: ["worker", "monitoring", "clients", "examples", "chaos", "browser"],
      name: "build",
      command: ["node", "scripts/build.mjs"],
      minutes: 30,
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
  const command = nodeTest(files.map((file) => join(folder, file)));
  const read = { count: nodeCounts, skipped: nodeSkipped, again: onceMore };
  return [{ parts: [part], name: folder, command, minutes: 15, ...read }];
}

const nodeTest = (files) => ["node", "--test", "--test-reporter=spec", ...files];

/**
 * Tests with real processes and real time can fall over a machine that stands still for seconds.
 *
 * @param {string} output
 */
export function onceMore(output) {
  const files = failedFiles(output);
  // Where a test stands in a helper its file is not known, and the helper alone would run nothing.
  const known = files.length > 0 && files.every((file) => file.endsWith(".test.mjs"));
  return known && files.length <= UNSTEADY_FILES ? nodeTest(files) : undefined;
}

/** @param {Step[]} wanted @param {string} [browser] without one they are skipped, and say so */
export const inBrowser = (wanted, browser) => unlessMissing(wanted, browser, NO_CHROMIUM);

/** @param {Step[]} wanted @param {string} [programs] without them they are skipped, and say so */
export const withPrometheus = (wanted, programs) => unlessMissing(wanted, programs, NO_PROMETHEUS);

const unlessMissing = (wanted, program, why) =>
  wanted.map((step) => ({ ...step, skip: program ? undefined : why }));

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
