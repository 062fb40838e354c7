/**
 * `npm run drill`: plays outages of one endpoint on a deployment, with a gentle stream of reads, and
 * tells what moved, how fast, and what clients saw of it. Nothing is broken, and it ends by itself.
 *
 *     ADMIN_TOKEN=… node scripts/drill.mjs URL [--route NAME] [--kinds down,slow,stale] …
 *
 * Exit status: 0 all went as it should, 1 it did not, 2 it was not asked rightly or refused, 130
 * Ctrl-C.
 */
import { Usage } from "./console/arguments.mjs";
import { readDeployment, readStatuses } from "./console/deployment.mjs";
import { tool } from "./console/program.mjs";
import { progress } from "./console/progress.mjs";
import { Admin } from "./drill/admin.mjs";
import { Course } from "./drill/course.mjs";
import { readOptions } from "./drill/options.mjs";
import { makePlan } from "./drill/plan.mjs";
import { Reads } from "./drill/reads.mjs";
import { report, resultOf } from "./drill/report.mjs";

/** The one route that is meant. */
async function routeOf(at) {
  const statuses = await readStatuses(at);
  if (statuses.length === 1) return statuses[0].route;
  const names = statuses.map(({ route }) => route).join(", ");
  throw new Usage(`which route? There are ${names} (--route NAME)`);
}

/** Aborts with the first signal; a second one ends the process as ever. */
function interrupted() {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.once(name, () => controller.abort(name));
  return controller.signal;
}

await tool(import.meta.url, async () => {
  const asked = readOptions(process.argv.slice(2), process.env);
  const named = readDeployment(asked.target, asked.which);
  const at = { ...named, route: await routeOf(named) };
  const admin = new Admin(at, asked.token);
  const status = await admin.status();
  const reads = new Reads(at, { protocol: status.protocol, rate: asked.rate });
  // In weighted mode callers are spread: the one that serves is the one that serves us.
  const own = status.mode === "weighted" ? await reads.who() : null;
  const plan = makePlan(own ? { ...status, serving: own } : status, asked);
  const said = progress();
  const signal = interrupted();
  try {
    const drills = await new Course(admin, reads, said, signal).run(plan);
    said.end();
    const result = resultOf(status, plan.endpoint, asked.rate, drills);
    console.log(asked.json ? JSON.stringify(result, null, 2) : `\n${report(result)}`);
    return result.amiss.length > 0 ? 1 : 0;
  } catch (error) {
    said.end();
    if (!signal.aborted) throw error;
    console.error("stopped");
    return 130;
  }
});
