/**
 * The lines of the corpus that are facilitators' answers: the first facilitator gives it on a real
 * connection, the second is well, or gives it too. A settle never reaches the second.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { checkHealth } from "../support/corpus/expect.mjs";
import { BY_FACILITATORS } from "../support/corpus/lines.mjs";
import { headersOf } from "../support/corpus/stage.mjs";
import { closedPort, wireOf } from "../support/corpus/wire.mjs";
import { payment } from "../support/facilitators.mjs";
import { harness } from "../support/harness.mjs";

const SILENT_MS = 300;
const WELL = { verify: { isValid: true, payer: "0x5e11" }, supported: { kinds: [] } };
const OWN = { rate_limited: [429, "rate_limited"], unavailable: [503, "unavailable"] };

/** @type {Map<string, string[]>} calls by place, `route/facilitator` */
const seen = new Map();
const server = createServer(async (req, res) => {
  const [, route, name, ...call] = req.url.split("/");
  const place = `${route}/${name}`;
  seen.set(place, [...(seen.get(place) ?? []), call.join("/")]);
  for await (const _ of req);
  const line = BY_FACILITATORS[route.split("-")[0]];
  if (name === "a" || route.endsWith("-all")) {
    return wireOf(line).send(res, line, Buffer.from(line.body ?? ""), headersOf(line));
  }
  res.writeHead(200, { "content-type": "application/json" });
  res.end(JSON.stringify(WELL[call[0]]));
});

let t;
before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  const closed = await closedPort();
  const routes = BY_FACILITATORS.flatMap((line, i) => {
    const { origin, silent } = wireOf(line);
    const table = (name) => {
      const at = (one) => `http://127.0.0.1:${port}/${name}/${one}`;
      return {
        protocol: "x402",
        endpoints: [
          { name: "a", url: origin?.(port, closed) ?? at("a") },
          { name: "b", url: at("b") },
        ],
        ...(silent && { attempt_timeout_ms: SILENT_MS }),
      };
    };
    return [`${i}-one`, `${i}-all`].map((name) => [
      `ROUTE_${name.replace("-", "_").toUpperCase()}`,
      table(name),
    ]);
  });
  t = await harness({
    chain: false,
    endpoints: [],
    service: { state: "isolate" },
    route: { endpoints: [{ name: "none", url: "http://127.0.0.1:1" }] },
    routes: Object.fromEntries(routes),
  });
});

after(async () => {
  await t?.stop();
  server.close();
  server.closeAllConnections();
});

const calls = (route) => ["a", "b"].map((name) => (seen.get(`${route}/${name}`) ?? []).length);
const ask = (line, route) =>
  line.method === "supported"
    ? t.get(`/${route}/supported`)
    : t.post(`/${route}/${line.method}`, payment());

/** The upstream's answer as it was. */
function isTheirs({ status, text, endpoint, attempts }, line, tries) {
  assert.deepEqual([status, text, endpoint], [line.status, line.body, "a"]);
  assert.equal(attempts, tries);
}

async function health(line, route, action) {
  const { endpoint, now_ms } = await t.status(route);
  const told = { endpoint: endpoint.a, now_ms };
  checkHealth({ line }, { calls: [{ id: "1", method: line.method }], actions: [action] }, told);
}

async function settle(line, route) {
  const answer = await ask(line, route);
  const [first, second] = calls(route);
  assert.equal(second, 0, "nobody else is asked");
  assert.equal(first, wireOf(line).origin ? 0 : 1);
  if (line.write === "return") return isTheirs(answer, line, 1);
  assert.equal(line.write, "unknown");
  assert.equal(answer.status, 200);
  const transaction = line.body?.match(/"transaction":"(\w+)"/)?.[1];
  assert.deepEqual(answer.body, {
    error: line.class,
    outcome: "unknown",
    attempts: [{ endpoint: "a", class: line.class }],
    ...(transaction && { transaction }),
  });
}

async function read(line, route) {
  const answer = await ask(line, route);
  if (line.read === "return") {
    isTheirs(answer, line, 1);
    assert.deepEqual(calls(route), [1, 0]);
  } else {
    assert.deepEqual([answer.status, answer.body], [200, WELL[line.method]]);
    assert.deepEqual([answer.endpoint, answer.reason], ["b", `a=${line.class}`]);
    assert.deepEqual(calls(route), [1, 1]);
  }
  await health(line, route, line.read);
}

async function everybody(line, route) {
  const answer = await ask(line, route);
  assert.deepEqual(calls(route), [1, 1]);
  if (line.exhausted === "pass_on") return isTheirs(answer, line, 2);
  const [status, error] = OWN[line.exhausted];
  const attempts = ["a", "b"].map((endpoint) => ({ endpoint, class: line.class }));
  assert.deepEqual([answer.status, answer.body.error], [status, error]);
  assert.equal(answer.body.outcome, "not_sent");
  if (status === 503) assert.deepEqual(answer.body.attempts, attempts);
  assert.ok(Number(answer.headers.get("retry-after")) >= 1);
}

describe("a facilitator's answer of the corpus", () => {
  for (const [i, line] of BY_FACILITATORS.entries()) {
    test(line.id, async () => {
      if (line.write) await settle(line, `${i}-one`);
      if (line.read) await read(line, `${i}-one`);
      if (line.exhausted) await everybody(line, `${i}-all`);
    });
  }
});
