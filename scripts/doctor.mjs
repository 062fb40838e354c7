/**
 * `npm run doctor`: asks each endpoint of a wrangler.toml, or a deployment, what it can do and how it
 * does, and says what to write. It sends no transaction, settles no payment, and shows names alone.
 *
 *     node scripts/doctor.mjs [wrangler.toml | URL] [--env NAME] [--route NAME] [--json] …
 *
 * Exit status: 0 no problem, 1 problems, 2 it was not asked rightly.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Usage } from "./console/arguments.mjs";
import { readDeployment, readStatuses } from "./console/deployment.mjs";
import { tool } from "./console/program.mjs";
import { progress } from "./console/progress.mjs";
import { readRoutes } from "./doctor/configured.mjs";
import { routesOf } from "./doctor/deployed.mjs";
import { examineFacilitators } from "./doctor/facilitators.mjs";
import { readOptions } from "./doctor/options.mjs";
import { report } from "./doctor/report.mjs";
import { resultOf } from "./doctor/result.mjs";
import { examineRoute } from "./doctor/route.mjs";
import { readDevVars } from "./doctor/secrets.mjs";

/** @param {import("./doctor/options.mjs").Asked} asked */
async function routesToSee({ target, isUrl, which }) {
  if (isUrl) {
    const at = readDeployment(target, which);
    return routesOf(at, await readStatuses(at));
  }
  // Only now: a deployment can be looked at before anything is installed.
  const { parse } = await import("smol-toml");
  return readRoutes(parsed(parse, readFile(target)), secretsBeside(target, which.env), which);
}

function parsed(parse, text) {
  try {
    return parse(text);
  } catch (error) {
    // Its further lines quote the file.
    throw new Usage(`it is no TOML: ${error.message.split("\n")[0]}`);
  }
}

function readFile(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Usage(`${path} cannot be read (${error.code})`);
  }
}

/** As wrangler: the environment's own file if there is one, else the common one; then the shell's. */
function secretsBeside(path, env) {
  const names = [...(env ? [`.dev.vars.${env}`] : []), ".dev.vars"];
  for (const name of names) {
    try {
      const own = readDevVars(readFileSync(join(dirname(path), name), "utf8"));
      return { ...process.env, ...own };
    } catch (error) {
      if (error.code !== "ENOENT") throw new Usage(`${name} cannot be read (${error.code})`);
    }
  }
  return process.env;
}

await tool(import.meta.url, async () => {
  const asked = readOptions(process.argv.slice(2), process.env);
  const routes = await routesToSee(asked);
  const at_ms = Date.now();
  const said = progress();
  const examined = [];
  for (const route of routes) {
    const examine = route.protocol === "x402" ? examineFacilitators : examineRoute;
    examined.push(await examine(route, asked.settings, said));
  }
  said.end();
  const source = asked.isUrl ? "deployment" : "file";
  // What was asked meanwhile is in a deployment's status by now.
  const seen = asked.isUrl ? await routesToSee(asked) : routes;
  const result = resultOf(seen, examined, { source, settings: asked.settings, at_ms });
  console.log(asked.json ? JSON.stringify(result, null, 2) : `\n${report(result)}`);
  return result.counts.problem > 0 ? 1 : 0;
});
