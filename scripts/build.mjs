/**
 * `npm run build`: compiles the crate to `build/index.js` and `build/index_bg.wasm`, release by
 * default; a release leaves out the names of functions and keeps them in `build/named.wasm`. Also
 * wrangler's `[build] command`. Does nothing when the sources have not changed.
 *
 *     node scripts/build.mjs [--dev]     --dev: quicker, unoptimised, several times as large
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beginBuild, builtKind } from "./inputs.mjs";
import { withoutNames } from "./names.mjs";
import { makePage } from "./page.mjs";
import { buildDir } from "./paths.mjs";
import { program } from "./say.mjs";
import { setup } from "./setup.mjs";
import { runWorkerBuild } from "./tools.mjs";

/** @param {"dev" | "release"} [kind] a release build also serves where a dev build is asked for */
export async function build(kind = "release") {
  const have = builtKind();
  if (have === kind || have === "release") return;
  const finished = beginBuild(kind);
  await makePage();
  // Its folders are relative to the package's.
  await runWorkerBuild(["wasm", `--${kind}`, "--out-dir", "../build"]);
  if (kind === "release") dropNames();
  finished();
  const wasm = readFileSync(join(buildDir, "index_bg.wasm"));
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  const page = readFileSync(join(buildDir, "page", "page.html"));
  console.log(`  page.html: ${kib(page.length)}, ${kib(gzipSync(page).length)} gzipped`);
  console.log(`  index_bg.wasm: ${kib(wasm.length)}, ${kib(gzipSync(wasm).length)} gzipped`);
}

/** The wasm that is uploaded goes without names, a copy beside it has them. */
function dropNames() {
  const upload = join(buildDir, "index_bg.wasm");
  const wasm = readFileSync(upload);
  writeFileSync(join(buildDir, "named.wasm"), wasm);
  writeFileSync(upload, withoutNames(wasm));
}

await program(import.meta.url, async () => {
  await setup();
  await build(process.argv.includes("--dev") ? "dev" : "release");
});
