/**
 * A Durable Object that is missing, broken or slow: no client request fails or waits for it.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { brokenStorage, noObject, standIn } from "../support/stand_in.mjs";

const OBJECTS = {
  "no object bound": noObject,
  "storage that fails": brokenStorage,
  "an object that throws": () => standIn("throws"),
  "an object that takes 10 s": () => standIn("slow"),
  "an object that is stopped each time": () => standIn("stops"),
  "an object that answers 500": () => standIn("refuses"),
  "an object that answers nonsense": () => standIn("nonsense"),
  "an object that answers a page": () => standIn("page"),
};

/** How long an isolate waits for the object where it must. */
const OBJECT_MS = 2000;
/** Whoever waits for the object takes its time each time; a busy machine is slow now and then. */
const unhindered = (answers) =>
  assert.ok(Math.min(...answers.map(({ ms }) => ms)) < OBJECT_MS, "each request waited");

describe("with", { concurrency: 4 }, () => {
  for (const [what, worker] of Object.entries(OBJECTS)) {
    describe(what, { concurrency: 1 }, () => {
      let t;
      before(async () => {
        const endpoints = [scripted("a"), scripted("b")];
        const route = { trip_after: 2, cooldown_ms: 500, cooldown_max_ms: 500 };
        t = await harness({ chain: false, endpoints, route, worker: worker() });
      });
      after(() => t?.stop());

      const ask = async () => {
        const answer = await t.rpc("eth_call", [{}, "latest"]);
        assert.equal(answer.status, 200, answer.text);
        return answer;
      };

      test("requests are answered at once", async () => {
        const answers = await Promise.all(Array.from({ length: 10 }, ask));
        assert.ok(answers.every(({ endpoint }) => endpoint === "a"));
        unhindered(answers);
      });

      test("the isolate's own breaker works, and recovers", async () => {
        await t.endpoint.a.set({ mode: "status", status: 500 });
        const answers = [await ask(), await ask(), await ask()];
        assert.deepEqual(
          answers.map(({ endpoint, attempts }) => [endpoint, attempts]),
          [
            ["b", 2],
            ["b", 2],
            ["b", 1],
          ],
        );
        unhindered(answers);
        await t.endpoint.a.set("answer");
        await t.until(async () => (await ask()).endpoint === "a");
      });

      test("the status is the isolate's", async () => {
        await ask();
        const { region, endpoint } = await t.status();
        assert.equal(region, "isolate");
        assert.ok(endpoint.a.requests > 10);
        assert.ok(endpoint.a.failures >= 2);
        assert.equal(endpoint.a.last_failure.class, "server_error");
        assert.equal((await t.get("/ready")).status, 200);
        assert.equal((await t.get("/health")).status, 200);
      });
    });
  }
});
