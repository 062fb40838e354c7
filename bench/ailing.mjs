/**
 * Eight endpoints on this machine, each with an ailment, and what `npm run doctor` says of them.
 *
 *     node bench/ailing.mjs [NAME …] [-- OPTION …]     names of AILMENTS; options of the doctor
 */
import { startChild } from "../local/children.mjs";
import { AILMENTS, startAiling } from "../tests/support/ailing.mjs";

const args = process.argv.slice(2);
const end = args.indexOf("--");
const names = end < 0 ? args : args.slice(0, end);
const options = end < 0 ? [] : args.slice(end + 1);

const t = await startAiling({
  blocks: 1200,
  names: names.length > 0 ? names : Object.keys(AILMENTS),
});
const doctor = startChild(process.execPath, ["scripts/doctor.mjs", t.file, ...options], {
  stdio: "inherit",
});
process.exitCode = await new Promise((resolve) =>
  doctor.once("exit", (code) => resolve(code ?? 1)),
);
await t.stop();
