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
/** More than any request takes here. */
const PROMPT_MS = 1900;

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
        assert.ok(answer.ms < PROMPT_MS, `a request took ${answer.ms} ms`);
        return answer;
      };

      test("requests are answered at once", async () => {
        const answers = await Promise.all(Array.from({ length: 10 }, ask));
        assert.ok(answers.every(({ endpoint }) => endpoint === "a"));
      });

      test("the isolate's own breaker works, and recovers", async () => {
        await t.endpoint.a.set({ mode: "status", status: 500 });
        assert.deepEqual([(await ask()).attempts, (await ask()).attempts], [2, 2]);
        const { endpoint, attempts } = await ask();
        assert.deepEqual([endpoint, attempts], ["b", 1]);
        await t.endpoint.a.set("answer");
        await t.until(async () => (await ask()).endpoint === "a");
      });

      test("the status is the isolate's", async () => {
        await ask();
        const began = Date.now();
        const { region, endpoint } = await t.status();
        assert.ok(Date.now() - began < OBJECT_MS + PROMPT_MS, `${Date.now() - began} ms`);
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
