/**
 * Every answer of the corpus through the running Worker: the first endpoint gives it on a real
 * connection, the second is well; then both give it. As the answer to a read, to a raw transaction,
 * and to the items of a batch.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { checkAnswer, checkAttempts, checkHealth } from "../support/corpus/expect.mjs";
import { BY_FACILITATORS, BY_HEADS, BY_LIMIT, lines, section } from "../support/corpus/lines.mjs";
import { plays, prelude, prepare, routeOf, scripts } from "../support/corpus/plays.mjs";
import { Stage } from "../support/corpus/stage.mjs";
import { closedPort } from "../support/corpus/wire.mjs";
import { harness } from "../support/harness.mjs";
import { postAndLeave } from "../support/leave.mjs";

/** Longer than the attempts of a route whose first endpoint is silent. */
const NOTHING_COMES_MS = 800;
/** Verdicts that keep the first endpoint out of the next request. */
const KEPT_OUT = /^advance\+(throttled|account|gap_method|gap_range|gap_history)$/;

const stage = new Stage();
let t;

before(async () => {
  await stage.open();
  const closed = await closedPort();
  const tables = plays.map((play) => routeOf(play, stage.port, closed));
  const names = plays.map(({ route }) => `ROUTE_${route.replaceAll("-", "_").toUpperCase()}`);
  t = await harness({
    chain: false,
    endpoints: [],
    service: { state: "isolate" },
    route: tables[0],
    routes: Object.fromEntries(names.map((name, i) => [name, tables[i]])),
  });
});

after(async () => {
  await t?.stop();
  await stage.close();
});

const seen = (play) => (name) => stage.seen(`${play.route}/${name}`);
const health = async ({ route }) => {
  const { endpoint, now_ms } = await t.status(route);
  return { endpoint: endpoint.a, now_ms };
};

/** The result of what goes before the play. */
async function begin(play) {
  const first = await prelude(play);
  if (!first) return undefined;
  const { result } = await t.rpc(first.method, first.params, { path: `/${play.route}` });
  assert.equal(typeof result, "string", first.method);
  for (const name of ["lost", "a"]) stage.forget(`${play.route}/${name}`);
  return result;
}

async function perform(play) {
  const scene = await prepare(play, await begin(play));
  for (const [name, script] of Object.entries(scripts(play, scene))) {
    stage.script(`${play.route}/${name}`, script);
  }
  if (play.line.fault === "client_gone") return walkAway(play, scene);
  const answer = await t.post(`/${play.route}`, scene.body);
  checkAnswer(play, scene, answer);
  checkAttempts(play, scene, answer, seen(play));
  if (play.everybody || scene.actions[0] === "unknown") return;
  checkHealth(play, scene, await health(play));
  if (play.part === "read" && KEPT_OUT.test(scene.actions[0])) await askAgain(play, scene);
}

/** An endpoint that rests, or that does not do this, is not asked by the next request. */
async function askAgain(play, scene) {
  if (scene.calls.length > 1) return;
  const { endpoint, reason } = await t.post(`/${play.route}`, scene.body);
  assert.deepEqual([endpoint, reason], ["b", null], "asked again");
  assert.equal(seen(play)("a").length, 1);
}

/** The client hangs up while the first endpoint is silent. A send goes on: it does not hear of it. */
async function walkAway(play, { body }) {
  await postAndLeave(`${t.url}/${play.route}`, body, () => t.until(() => seen(play)("a").length));
  if (play.part === "write") return t.until(() => seen(play)("b").length);
  await sleep(NOTHING_COMES_MS);
  assert.equal(seen(play)("b").length, 0);
  assert.equal((await health(play)).endpoint.failures, 0);
}

describe("a line of the corpus", { concurrency: 8 }, () => {
  for (const line of new Set(plays.map((play) => play.line))) {
    test(line.id, async () => {
      for (const play of plays.filter((play) => play.line === line)) {
        await perform(play).catch((error) => {
          error.message = `${play.part}${play.everybody ? ", everybody" : ""}: ${error.message}`;
          throw error;
        });
      }
    });
  }
});

test("every line is played, or it is said why not", (context) => {
  const inPlays = lines.filter((line) => plays.some((play) => play.line === line));
  const played = [...inPlays, ...BY_FACILITATORS, ...BY_HEADS, ...BY_LIMIT];
  assert.equal(played.length, lines.length);
  const count = (list, name) => list.filter((line) => section(line) === name).length;
  const parts = [...new Set(lines.map(section))].map(
    (name) => `${name} ${count(played, name)}/${count(lines, name)}`,
  );
  context.diagnostic(
    `${played.length} of ${lines.length} lines in ${plays.length} plays: ${parts.join(", ")}`,
  );
});
