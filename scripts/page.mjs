/**
 * Makes the status page of `src/page`: one HTML document with its style and script inside, its
 * Content-Security-Policy and its ETag, in `build/page`, where `src/http/page.rs` finds them.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildDir, readText, root } from "./paths.mjs";

const sha256 = (text, encoding) => createHash("sha256").update(text).digest(encoding);

/** @param {string} style @param {string} script what the page may run, and nothing else */
const policy = (style, script) =>
  [
    "default-src 'none'",
    `script-src 'sha256-${sha256(script, "base64")}'`,
    `style-src 'sha256-${sha256(style, "base64")}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

/** @param {string} entry in `src/page` @returns {Promise<string>} all that it imports, in one and small */
async function bundle(entry) {
  // Only now: `npm run build` may have to install it first.
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [join(root, "src", "page", entry)],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    write: false,
  });
  return outputFiles[0].text.trim();
}

/** @returns {Promise<void>} when it is in `build/page` */
export async function makePage() {
  const [style, script] = await Promise.all([bundle("page.css"), bundle("main.mjs")]);
  // A replacement text would have its own `$` signs read.
  const html = readText("src/page/page.html")
    .replace(/\n\s*/g, "")
    .replace("<style></style>", () => `<style>${style}</style>`)
    .replace("</script>", () => `${script}</script>`);
  const folder = join(buildDir, "page");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "page.html"), html);
  writeFileSync(join(folder, "policy.txt"), policy(style, script));
  writeFileSync(join(folder, "etag.txt"), `"${sha256(html, "hex").slice(0, 16)}"`);
}
