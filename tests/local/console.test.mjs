/**
 * What the tools on the command line share.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startEndpoint } from "../../local/endpoint.mjs";
import { readDeployment, readStatuses } from "../../scripts/console/deployment.mjs";
import { progress } from "../../scripts/console/progress.mjs";
import { grouped, hanging, table } from "../../scripts/console/table.mjs";

test("tables: columns under their heads, numbers to the right", () => {
  const text = table(
    ["name", "n", "what"],
    [
      ["a", 1234, "–"],
      ["long", 5, "x"],
    ],
  );
  assert.equal(text, "name      n  what\na     1,234  –\nlong      5  x");
  assert.deepEqual([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
});

test("sentences are broken under their mark", () => {
  assert.equal(hanging("✗ ", "one two three four", 10), "✗ one two\n  three\n  four");
});

test("progress: each step on a terminal, coarse lines in a log", () => {
  const said = (isTTY) => {
    let text = "";
    const line = progress({ isTTY, columns: 20, write: (more) => (text += more) });
    line.stage("stage");
    line.step("a step that is longer than the terminal is wide");
    line.end();
    return text;
  };
  assert.equal(said(false), "stage\n");
  if (!process.env.CI) assert.equal(said(true).includes("a step that is lo"), true);
});

test("a deployment by its URL", () => {
  const read = (url, given) => readDeployment(url, given);
  const origin = "https://b.example.org";
  assert.deepEqual(read(origin), { origin, route: undefined, key: undefined });
  assert.deepEqual(read(`${origin}/base/`), { origin, route: "base", key: undefined });
  assert.deepEqual(read(`${origin}/base/k3y`), { origin, route: "base", key: "k3y" });
  assert.deepEqual(read(`${origin}/base`, { route: "x", key: "y" }), {
    origin,
    route: "x",
    key: "y",
  });
  assert.equal(read("http://127.0.0.1:8787").origin, "http://127.0.0.1:8787");
  for (const bad of [
    "wrangler.toml",
    "ftp://b.example.org",
    "http://b.example.org",
    "https://u:s3cret@b.example.org",
    `${origin}/base/k3y/s3cret`,
    `${origin}/status`,
    `${origin}/?s3cret`,
  ])
    assert.throws(
      () => read(bad),
      (error) => !/s3cret|k3y/.test(error.message),
      bad,
    );
});

let other;
before(async () => {
  other = await startEndpoint({ name: "other" });
});
after(() => other.stop());

test("what is no Breakwater is told so", async () => {
  const at = { origin: other.url };
  await other.set({ mode: "status", status: 200, body: "{}" });
  await assert.rejects(readStatuses(at), /no Breakwater answers there: .* HTTP 200/);
  await other.set({ mode: "status", status: 401, body: "" });
  await assert.rejects(readStatuses(at), /wants a client key/);
  await other.set({ mode: "status", status: 200, body: '{"routes":[{"route":"a","chain_id":5}]}' });
  assert.equal((await readStatuses({ ...at, route: "5" }))[0].route, "a");
  await assert.rejects(readStatuses({ ...at, route: "b" }), /no such route; there are a/);
  await other.set("refuse");
  await assert.rejects(readStatuses(at), /cannot be reached \((ECONN|UND_ERR)/);
});
