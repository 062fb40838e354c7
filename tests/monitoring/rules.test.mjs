/**
 * The files in `monitoring/` by themselves: promtool takes them, each alert is known to fire and to be
 * silent, and the document tells of it.
 */
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { removeFolder, scratchFolder } from "../../local/scratch.mjs";
import { root } from "../../scripts/paths.mjs";
import { configured, file, read, tool } from "../support/prometheus.mjs";

const rules = read("alerts.yml");
const tests = read("alerts_test.yml");
const alerts = [...rules.matchAll(/- alert: (\w+)\n[\s\S]*?severity: (\w+)/g)].map((found) => [
  found[1],
  found[2],
]);
const folders = [];
after(() => folders.forEach(removeFolder));

test("promtool takes the rules", () => {
  const { status, output } = tool(["check", "rules", "alerts.yml"]);
  assert.equal(status, 0, output);
  assert.match(output, /SUCCESS: \d+ rules found/);
});

test("they fire when they should, and not when not", () => {
  const { status, output } = tool(["test", "rules", "alerts_test.yml"]);
  assert.equal(status, 0, output);
});

test("every alert has a case in which it fires and one in which it does not", () => {
  const of = (name, what) =>
    new RegExp(`alertname: ${name},? ?\\n? *exp_alerts: ?${what}`).test(tests);
  for (const [name] of alerts) {
    assert.ok(of(name, "\\[\\]"), `${name} is never silent`);
    assert.ok(of(name, "\\n"), `${name} never fires`);
  }
  assert.ok(alerts.length > 10);
});

test("the cases would notice a rule that does not hold", () => {
  const folder = scratchFolder();
  folders.push(folder);
  copyFileSync(file("alerts_test.yml"), join(folder, "alerts_test.yml"));
  const mutations = [
    ["breakwater_route_usable_endpoints == 0", "breakwater_route_usable_endpoints == 1"],
    ["ratio5m > 0.2", "ratio5m > 0.5"],
    [
      "            and on (job, instance, route, region) breakwater:route_requests:rate5m > 0\n",
      "",
    ],
    [
      "            unless on (job, instance, route, region, endpoint) breakwater_endpoint_drill == 1\n",
      "",
    ],
    [
      "max_over_time(breakwater_endpoint_account_trouble[10m])",
      "breakwater_endpoint_account_trouble",
    ],
  ];
  for (const [from, to] of mutations) {
    assert.ok(rules.includes(from), from);
    writeFileSync(join(folder, "alerts.yml"), rules.replace(from, to));
    const { status } = tool(["test", "rules", "alerts_test.yml"], { cwd: folder });
    assert.equal(status, 1, `nobody noticed ${from} → ${to || "nothing"}`);
  }
});

test("promtool takes the configuration, key and all", () => {
  const folder = configured({ url: "http://127.0.0.1:1", key: "k" });
  folders.push(folder);
  const { status, output } = tool(["check", "config", "prometheus.yml"], { cwd: folder });
  assert.equal(status, 0, output);
});

test("the document has the same alerts, of the same severity, in the same order", () => {
  const text = readFileSync(join(root, "docs", "metrics.md"), "utf8");
  const rows = [...text.matchAll(/^\| `(Breakwater\w+)` \| (\w+) \|/gm)].map((found) => [
    found[1],
    found[2],
  ]);
  assert.deepEqual(rows, alerts);
});
