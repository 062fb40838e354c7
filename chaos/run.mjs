/**
 * A Breakwater of several processes under faults of every kind, with real clients that know what is
 * right. Ends by itself, on loopback alone; exit status 1 when anything was wrong.
 *
 *     npm run chaos -- [--minutes 20] [--seed N] [--log FILE]
 */
import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { builtKind } from "../scripts/inputs.mjs";
import { play } from "./play.mjs";
import { report } from "./report.mjs";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    log: { type: "string" },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error("--minutes and --seed are numbers");
if (!["dev", "release"].includes(builtKind())) throw new Error("npm run build first");

const listener = (line) => values.log && appendFileSync(values.log, `${line}\n`);
console.log(`${minutes} minutes, --seed ${seed}`);
const { record, world } = await play({ seed, ms: minutes * 60_000, listener });
console.log(report(record, world));
if (record.violations.size > 0) {
  console.log(`FAILED: npm run chaos -- --minutes ${minutes} --seed ${seed}`);
  process.exitCode = 1;
}
