/**
 * Where cargo is, and rustup for machines that build unattended and have no Rust: continuous
 * integration, and Cloudflare's own builds behind a deploy button.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { mustRun } from "./run.mjs";
import { Trouble } from "./say.mjs";

/** What https://sh.rustup.rs gives, from the host that everything after it comes from. */
const INSTALLER = "https://static.rust-lang.org/rustup/rustup-init.sh";
const PROGRAM = process.platform === "win32" ? "cargo.exe" : "cargo";

/** @param {NodeJS.ProcessEnv} [env] @returns {boolean} nobody is there to be asked */
export const unattended = ({ CI = "" } = process.env) => !["", "0", "false"].includes(CI);

/** @param {NodeJS.ProcessEnv} env @returns {string} where rustup puts programs */
const cargoBin = ({ CARGO_HOME }) => join(CARGO_HOME || join(homedir(), ".cargo"), "bin");

/**
 * Has this process, and what it starts, find the cargo that rustup has installed also where a shell
 * that knew nothing of it was the parent.
 *
 * @param {NodeJS.ProcessEnv} [env] gets another `PATH` where needed
 * @returns {boolean} whether there is any cargo
 */
export function findCargo(env = process.env) {
  const { PATH = "" } = env;
  const own = cargoBin(env);
  const has = (folder) => folder !== "" && existsSync(join(folder, PROGRAM));
  if (PATH.split(delimiter).some(has)) return true;
  if (!has(own)) return false;
  env.PATH = [own, PATH].join(delimiter);
  return true;
}

/**
 * Installs rustup into the home folder, without a toolchain and without touching the shell's
 * profile.
 *
 * @param {{ from?: string, env?: NodeJS.ProcessEnv }} [options] `from`: where its installer comes
 *   from; `env`: added to the process's own, and gets the `PATH` with cargo
 * @throws {Trouble} when it cannot be had
 */
export async function installRustup({ from = INSTALLER, env = process.env } = {}) {
  console.log(`  There is no cargo, and CI is set: rustup comes from ${from} to ${cargoBin(env)}`);
  const folder = mkdtempSync(join(tmpdir(), "rustup-"));
  try {
    const script = join(folder, "rustup-init.sh");
    // curl, not fetch: it goes through a proxy where there is one, and the script needs it anyway.
    await mustRun("fetch its installer", ["curl", "-sSfL", "--retry", "2", "-o", script, from], {
      env,
    });
    const asked = ["-y", "--no-modify-path", "--profile", "minimal", "--default-toolchain", "none"];
    await mustRun("install rustup", ["sh", script, ...asked], { env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (!findCargo(env)) throw new Trouble(`rustup has left no cargo in ${cargoBin(env)}`);
}
