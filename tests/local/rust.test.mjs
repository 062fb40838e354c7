/**
 * Rust for unattended builds: a machine without cargo in PATH, and an installer that stands in for
 * rustup's.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { removeFolder, scratchFolder } from "../../local/scratch.mjs";
import { findCargo, installRustup, unattended } from "../../scripts/rust.mjs";

const SETUP = fileURLToPath(new URL("../../scripts/setup.mjs", import.meta.url));
/** Leaves what it was asked, and a cargo that answers. */
const STAND_IN = `mkdir -p "$CARGO_HOME/bin" && echo "$@" > "$CARGO_HOME/asked"
printf '#!/bin/sh\\necho cargo 1.0.0\\n' > "$CARGO_HOME/bin/cargo" && chmod +x "$CARGO_HOME/bin/cargo"
`;

let folder;
let server;
let url;
before(async () => {
  folder = scratchFolder();
  server = createServer((req, res) => {
    if (req.url === "/init") res.end(STAND_IN);
    else if (req.url === "/empty") res.end("true\n");
    else res.writeHead(503).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.close();
  removeFolder(folder);
});

/** A machine with this little on it. */
function machine(name) {
  const bin = join(folder, name, "bin");
  mkdirSync(bin, { recursive: true });
  for (const program of ["sh", "mkdir", "chmod", "curl", "node", "npm"]) {
    const found = process.env.PATH.split(delimiter).map((path) => join(path, program));
    symlinkSync(program === "node" ? process.execPath : found.find(existsSync), join(bin, program));
  }
  return { PATH: bin, CARGO_HOME: join(folder, name, "cargo"), CI: "" };
}

test("unattended is what CI says", () => {
  const said = ["true", "1", "false", "0", ""].map((CI) => unattended({ CI }));
  assert.deepEqual(said, [true, true, false, false, false]);
  assert.equal(unattended({}), false);
});

test("cargo is found on PATH, and where rustup puts it", () => {
  const env = machine("found");
  const path = env.PATH;
  assert.equal(findCargo(env), false);
  assert.equal(env.PATH, path);
  mkdirSync(join(env.CARGO_HOME, "bin"), { recursive: true });
  writeFileSync(join(env.CARGO_HOME, "bin", "cargo"), "");
  assert.equal(findCargo(env), true);
  assert.equal(env.PATH, [join(env.CARGO_HOME, "bin"), path].join(delimiter));
});

test("rustup is installed without a question or a toolchain", async () => {
  const env = machine("installed");
  await installRustup({ from: `${url}/init`, env });
  assert.ok(env.PATH.startsWith(join(env.CARGO_HOME, "bin")));
  const asked = readFileSync(join(env.CARGO_HOME, "asked"), "utf8").trim();
  assert.equal(asked, "-y --no-modify-path --profile minimal --default-toolchain none");
});

test("an installer that cannot be had, or does nothing, is told", async () => {
  const env = machine("failed");
  await assert.rejects(installRustup({ from: `${url}/gone`, env }), /curl [\s\S]*503/);
  await assert.rejects(installRustup({ from: `${url}/empty`, env }), /left no cargo in/);
  await assert.rejects(installRustup({ from: "http://127.0.0.1:1", env }), /curl .* failed/);
});

test("with somebody there to be asked, set-up installs no rustup", async () => {
  const env = machine("attended");
  const said = await new Promise((resolve) => {
    execFile("node", [SETUP], { env }, (error, out, err) => resolve({ error, text: out + err }));
  });
  assert.equal(said.error?.code, 1);
  assert.match(said.text, /error: Rust is needed: https:\/\/rustup\.rs/);
  assert.equal(existsSync(env.CARGO_HOME), false);
});
