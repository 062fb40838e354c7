/**
 * `npm run build`: compiles the crate to `build/index.js` and `build/index_bg.wasm`, release by
 * default. Also wrangler's `[build] command`. Does nothing when the sources have not changed.
 *
 *     node scripts/build.mjs [--dev]     --dev: quicker, unoptimised, several times as large
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beginBuild, builtKind } from "./inputs.mjs";
import { buildDir } from "./paths.mjs";
import { program } from "./say.mjs";
import { setup } from "./setup.mjs";
import { runWorkerBuild } from "./tools.mjs";

/** @param {"dev" | "release"} [kind] a release build also serves where a dev build is asked for */
export async function build(kind = "release") {
  const have = builtKind();
  if (have === kind || have === "release") return;
  const finished = beginBuild(kind);
  await runWorkerBuild([`--${kind}`]);
  finished();
  const wasm = readFileSync(join(buildDir, "index_bg.wasm"));
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  console.log(`  index_bg.wasm: ${kib(wasm.length)}, ${kib(gzipSync(wasm).length)} gzipped`);
}

await program(import.meta.url, async () => {
  await setup();
  await build(process.argv.includes("--dev") ? "dev" : "release");
});
