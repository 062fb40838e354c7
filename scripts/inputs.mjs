/**
 * Tells whether `build/` is what the sources at hand would give.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildDir, readText, root } from "./paths.mjs";

const stamp = join(buildDir, ".inputs");
const FILES = [
  ".cargo/config.toml",
  "Cargo.toml",
  "Cargo.lock",
  "rust-toolchain.toml",
  "wasm/Cargo.toml",
  "wasm/lib.rs",
  "scripts/build.mjs",
  "scripts/page.mjs",
];

/** @returns {string} digest of everything that decides what comes out of a build */
function inputs() {
  const sources = readdirSync(join(root, "src"), { recursive: true })
    .map((name) => join("src", name))
    .filter((name) => statSync(join(root, name)).isFile())
    .sort();
  const hash = createHash("sha256").update(process.env.RUSTFLAGS ?? "");
  for (const name of [...FILES, ...sources]) {
    hash.update(`\0${name}\0`).update(readFileSync(join(root, name)));
  }
  return hash.digest("hex");
}

/**
 * @returns {"none" | "stale" | "dev" | "release"} what is in `build/`; `dev` and `release` are
 *   builds of the present sources
 */
export function builtKind() {
  if (!existsSync(stamp) || !existsSync(join(buildDir, "index_bg.wasm"))) return "none";
  const [kind, digest] = readText("build/.inputs").split(" ");
  return digest === inputs() ? kind : "stale";
}

/**
 * Forgets what `build/` was made from, so that half a build is never taken for one.
 *
 * @param {"dev" | "release"} kind
 * @returns {() => void} remembers it, as the sources were before the build; called when it is done
 */
export function beginBuild(kind) {
  rmSync(stamp, { force: true });
  const digest = inputs();
  return () => writeFileSync(stamp, `${kind} ${digest}`);
}
