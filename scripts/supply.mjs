/**
 * Where everything comes from that is built, tested and deployed with: the lock files name registries
 * and hashes, and nothing else. Needs neither network nor tools.
 */
import { readText } from "./paths.mjs";
import { program } from "./say.mjs";

const CRATES = "registry+https://github.com/rust-lang/crates.io-index";
const NPM = "https://registry.npmjs.org/";

/** Packages of this repository. */
const OWN = ["breakwater", "breakwater-wasm", "breakwater-fuzz"];
/** Crates that are released in step with each other and with tools: each is pinned to one version. */
const PINNED = ["js-sys", "wasm-bindgen", "wasm-bindgen-test", "worker"];
/** npm packages that run a program when they are installed: those with a binary for each platform. */
const INSTALLERS = ["@foundry-rs/anvil", "esbuild", "sharp", "workerd"];

/** @param {string} lock a Cargo.lock @returns {string[]} what is wrong with it */
export function cargoFaults(lock) {
  const packages = lock.split("[[package]]\n").slice(1);
  if (packages.length === 0) return ["no packages"];
  return packages.flatMap((text) => {
    const value = (/** @type {string} */ key) =>
      new RegExp(`^${key} = "(.*)"$`, "m").exec(text)?.[1];
    const name = value("name");
    if (!value("source")) return OWN.includes(name) ? [] : [`${name}: has no source`];
    if (value("source") !== CRATES) return [`${name}: comes from ${value("source")}`];
    return /^[0-9a-f]{64}$/.test(value("checksum") ?? "") ? [] : [`${name}: has no checksum`];
  });
}

/** @param {string} lock a package-lock.json @returns {string[]} what is wrong with it */
export function npmFaults(lock) {
  const { "": _, ...packages } = JSON.parse(lock).packages;
  if (Object.keys(packages).length === 0) return ["no packages"];
  return Object.entries(packages).flatMap(([path, entry]) => {
    const name = path.split("node_modules/").at(-1);
    const { resolved = NPM, integrity = "", link, hasInstallScript } = entry;
    if (link || !resolved.startsWith(NPM)) return [`${name}: comes from ${resolved}`];
    if (!integrity.startsWith("sha512-")) return [`${name}: has no SHA-512`];
    const known = !hasInstallScript || INSTALLERS.includes(name);
    return known ? [] : [`${name}: runs a program when it is installed`];
  });
}

/**
 * @param {string} cargo Cargo.toml
 * @param {string} npm package.json
 * @returns {string[]} what may change by itself and must not
 */
export function pinFaults(cargo, npm) {
  const crates = PINNED.filter((name) => !new RegExp(`^${name} = "=\\d`, "m").test(cargo));
  const { dependencies = {}, devDependencies = {} } = JSON.parse(npm);
  const loose = Object.entries(devDependencies).filter(([, v]) => !/^\d+\.\d+\.\d+$/.test(v));
  return [
    ...crates.map((name) => `${name}: is not pinned in Cargo.toml`),
    ...loose.map(([name]) => `${name}: is not pinned in package.json`),
    ...Object.keys(dependencies).map((name) => `${name}: nothing of npm is deployed`),
  ];
}

await program(import.meta.url, async () => {
  const checks = {
    "Cargo.lock": cargoFaults(readText("Cargo.lock")),
    "fuzz/Cargo.lock": cargoFaults(readText("fuzz/Cargo.lock")),
    "package-lock.json": npmFaults(readText("package-lock.json")),
    versions: pinFaults(readText("Cargo.toml"), readText("package.json")),
  };
  for (const [what, faults] of Object.entries(checks)) {
    console.log(`${faults.length === 0 ? "✓" : "✗"} ${what}`);
    for (const fault of faults) console.log(`  ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
});
