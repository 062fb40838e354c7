/**
 * The check of the lock files: that it passes here, and what it finds elsewhere.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cargoFaults, npmFaults, pinFaults } from "../../scripts/supply.mjs";

const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

test("every package of ours comes from a registry, with its hash", () => {
  assert.deepEqual(cargoFaults(read("Cargo.lock")), []);
  assert.deepEqual(cargoFaults(read("fuzz/Cargo.lock")), []);
  assert.deepEqual(npmFaults(read("package-lock.json")), []);
  assert.deepEqual(pinFaults(read("Cargo.toml"), read("package.json")), []);
});

test("a crate from elsewhere, or without its hash, is found", () => {
  const lock = (more) => `version = 4\n\n[[package]]\nname = "x"\nversion = "1.0.0"\n${more}`;
  const crates = 'source = "registry+https://github.com/rust-lang/crates.io-index"\n';
  assert.deepEqual(cargoFaults(lock(`${crates}checksum = "${"a".repeat(64)}"\n`)), []);
  assert.deepEqual(cargoFaults(lock(crates)), ["x: has no checksum"]);
  assert.deepEqual(cargoFaults(lock("")), ["x: has no source"]);
  const git = 'source = "git+https://example.org/x#1"\n';
  assert.deepEqual(cargoFaults(lock(git)), ["x: comes from git+https://example.org/x#1"]);
  assert.deepEqual(cargoFaults(""), ["no packages"]);
});

test("a package from elsewhere, without its hash or with a program is found", () => {
  const lock = (entry) =>
    JSON.stringify({ packages: { "": {}, "node_modules/a/node_modules/x": entry } });
  const integrity = "sha512-abc";
  assert.deepEqual(npmFaults(lock({ integrity })), []);
  assert.deepEqual(npmFaults(lock({ integrity: "sha1-abc" })), ["x: has no SHA-512"]);
  const resolved = "https://example.org/x.tgz";
  assert.deepEqual(npmFaults(lock({ integrity, resolved })), [`x: comes from ${resolved}`]);
  const program = { integrity, hasInstallScript: true };
  assert.deepEqual(npmFaults(lock(program)), ["x: runs a program when it is installed"]);
  assert.deepEqual(npmFaults(JSON.stringify({ packages: { "": {} } })), ["no packages"]);
});

test("what may change by itself is found", () => {
  const npm = (more) => JSON.stringify({ devDependencies: { viem: "2.57.20" }, ...more });
  const cargo = read("Cargo.toml");
  const loose = cargo.replace('worker = "=', 'worker = "');
  assert.deepEqual(pinFaults(loose, npm({})), ["worker: is not pinned in Cargo.toml"]);
  const caret = npm({ devDependencies: { viem: "^2.57.20" } });
  assert.deepEqual(pinFaults(cargo, caret), ["viem: is not pinned in package.json"]);
  assert.deepEqual(pinFaults(cargo, npm({ dependencies: { x: "1.0.0" } })), [
    "x: nothing of npm is deployed",
  ]);
});
