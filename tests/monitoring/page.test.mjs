/**
 * The page of a running Worker, as promtool sees it.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { monitored } from "../support/monitored.mjs";
import { tool } from "../support/prometheus.mjs";
import { counters, samples, types } from "../support/samples.mjs";

let t;

before(async () => {
  t = await monitored();
});
after(() => t?.stop());

/** No error and no advice. */
function check(page) {
  const { status, output } = tool(["check", "metrics"], { input: page });
  assert.deepEqual([status, output], [0, ""]);
}

test("is right before anybody has called", async () => {
  check(await t.page());
});

test("is right in health, and in an outage, and no counter went back", async () => {
  await t.settled();
  const well = await t.page();
  check(well);
  await t.breakAll();
  const broken = await t.page();
  check(broken);
  const after = counters(broken);
  const before = [...counters(well)];
  assert.ok(before.length > 400, `only ${before.length}`);
  const back = before.filter(([key, value]) => !(after.get(key) >= value));
  assert.deepEqual(back, []);
});

test("has the outage in it", async () => {
  const found = samples(await t.page());
  const of = (name, route, endpoint, more = "") =>
    found.get(`breakwater_${name}{route="${route}",region="weur",endpoint="${endpoint}"${more}}`);
  assert.equal(found.get('breakwater_route_valid{route="bad"}'), 0);
  assert.equal(found.get('breakwater_route_valid{route="pay"}'), 1);
  assert.equal(found.get('breakwater_route_usable_endpoints{route="ordered",region="weur"}'), 0);
  assert.equal(of("endpoint_enabled", "local", "ordered-a"), 0);
  assert.ok(of("endpoint_trips_total", "ordered", "ordered-a") >= 1);
  const classed = ',class="server_error"';
  assert.ok(of("endpoint_failure_classes_total", "ordered", "ordered-a", classed) >= 2);
  assert.ok(of("endpoint_method_failures_total", "pay", "pay-a", ',method="verify"') >= 1);
  assert.ok(
    of("endpoint_failure_classes_total", "weighted", "weighted-a", ',class="unauthorized"') >= 1,
  );
  assert.ok(of("endpoint_score", "weighted", "weighted-c") > 0);
});

test("has every metric by then", async () => {
  assert.equal(types(await t.page()).size, 34);
});
