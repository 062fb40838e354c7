/**
 * Runs a tool whose exit status means something: 0 all is well, 1 it is not, 2 it was not asked
 * rightly, or could not find out.
 */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Trouble } from "../say.mjs";

/**
 * Does nothing when the module is imported.
 *
 * @param {string} moduleUrl `import.meta.url`
 * @param {() => Promise<number>} main gives the exit status
 */
export async function tool(moduleUrl, main) {
  if (!process.argv[1] || realpathSync(process.argv[1]) !== fileURLToPath(moduleUrl)) return;
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof Trouble ? `error: ${error.message}` : error);
    process.exitCode = 2;
  }
}
