/**
 * `npm run audit`: whether something we build or test with is known to be vulnerable. Asks the npm
 * registry and RustSec's database, so it needs the network and is no part of `npm test`.
 */
import { run } from "./run.mjs";
import { program, step } from "./say.mjs";
import { cargoDeny } from "./tools.mjs";

const MINUTE_MS = 60_000;

const deny = cargoDeny();
const checks = [
  { name: "npm audit", command: ["npm", "audit"] },
  { name: "cargo deny check advisories", command: deny && [...deny, "check", "advisories"] },
];

await program(import.meta.url, async () => {
  for (const { name, command } of checks) {
    const done = step(name);
    if (!command) {
      done("–", "SKIPPED: no cargo-deny here (cargo install cargo-deny)");
      continue;
    }
    const { code, output } = await run(command, { timeoutMs: 5 * MINUTE_MS });
    done(code === 0 ? "✓" : "✗");
    if (code === 0) continue;
    console.log(output);
    process.exitCode = 1;
  }
});
