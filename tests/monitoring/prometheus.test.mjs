/**
 * A real Prometheus, configured by the example, scrapes a Worker in an outage: whatever the dashboard
 * and the rules ask for is there.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { KEY, monitored } from "../support/monitored.mjs";
import { read, startPrometheus } from "../support/prometheus.mjs";
import { types } from "../support/samples.mjs";

const WAIT_MS = 120_000;

const dashboard = JSON.parse(read("dashboard.json"));
const panels = dashboard.panels.filter(({ type }) => type !== "row");
const rules = read("alerts.yml");

let t;
let prometheus;

before(async () => {
  t = await monitored();
  prometheus = await startPrometheus({ url: t.url, key: KEY });
  await t.settled();
  await t.breakAll();
});
after(async () => {
  await prometheus?.stop();
  await t?.stop();
});

/** Waits until a query has a result; `check` may ask for more. */
const some = (expression, check = (result) => result.length > 0) =>
  t.until(async () => {
    await t.useAll();
    const result = await prometheus.query(expression);
    return check(result) && result;
  }, WAIT_MS);

/** As Grafana fills it in with everything chosen. */
const filled = (expression) =>
  expression.replaceAll(/\$(route|region)\b/g, ".*").replaceAll("$__rate_interval", "1m");

test("the scrape works, with the key of the example", async () => {
  const [{ metric }] = await some('up{job="breakwater"} == 1');
  assert.equal(metric.job, "breakwater");
});

test("every metric of the page arrives, with its type", async () => {
  const kinds = types(await t.page());
  const metadata = await t.until(async () => {
    const known = await prometheus.api("metadata");
    return [...kinds.keys()].every((name) => known[name]) && known;
  }, WAIT_MS);
  for (const [name, kind] of kinds) assert.equal(metadata[name][0].type, kind, name);
});

describe("the dashboard", () => {
  for (const { title, targets } of panels) {
    test(`has data for “${title}”`, async () => {
      for (const { expr } of targets) await some(filled(expr));
    });
  }

  test("shows every metric, or an alert does", async () => {
    const asked = `${JSON.stringify(dashboard)}${rules}`;
    const missing = [...types(await t.page()).keys()].filter((name) => !asked.includes(name));
    assert.deepEqual(missing, []);
  });

  test("finds routes and regions to choose from, and asks what Prometheus takes", async () => {
    const variables = dashboard.templating.list.filter(({ type }) => type === "query");
    assert.equal(variables.length, 2);
    for (const { definition } of variables) {
      const [, metric, label] = definition.match(/^label_values\((\w+), (\w+)\)$/);
      const found = await some(metric);
      assert.ok(found.every((sample) => sample.metric[label]));
    }
    for (const { expr } of dashboard.annotations.list) await prometheus.query(filled(expr));
  });
});

test("every selector of the rules finds something", async () => {
  const expressions = [...rules.matchAll(/expr: (.*(?:\n {10}.*)*)/g)].map((found) => found[1]);
  assert.ok(expressions.length > 15);
  const selector = /\b(?:breakwater[_:][\w:]+|up)(?:\{[^}]*\})?/g;
  const selectors = new Set(expressions.flatMap((expression) => expression.match(selector)));
  assert.ok(selectors.size > 15, [...selectors].join());
  for (const each of selectors) await some(each);
});

test("the rules are evaluated without an error, and the outage is on its way to somebody", async () => {
  const wanted = [
    ["BreakwaterRouteRefused", "bad"],
    ["BreakwaterNobodyServes", "ordered"],
    ["BreakwaterCallsUnanswered", "ordered"],
    ["BreakwaterPrimaryNotServing", "ordered"],
    ["BreakwaterBreakerOpen", "ordered"],
    ["BreakwaterAccountTrouble", "weighted"],
    ["BreakwaterDisagreements", "quorum"],
    ["BreakwaterEndpointDisabled", "local"],
  ];
  await t.until(async () => {
    await t.useAll();
    const { alerts } = await prometheus.api("alerts");
    const is =
      ([name, route]) =>
      ({ labels }) =>
        labels.alertname === name && labels.route === route;
    return wanted.every((one) => alerts.some(is(one)));
  }, WAIT_MS);
  const { groups } = await prometheus.api("rules");
  const all = groups.flatMap((group) => group.rules);
  assert.ok(all.length > 15);
  for (const { name, health, lastError } of all)
    assert.deepEqual([name, health, lastError], [name, "ok", undefined]);
});
