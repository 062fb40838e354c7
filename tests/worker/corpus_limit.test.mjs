/**
 * The lines of the corpus about Cloudflare's limit on requests that one request may cause. workerd
 * has none, so a service in the network's place refuses in its words.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readProject } from "../../local/project.mjs";
import { calls } from "../support/corpus/calls.mjs";
import { BY_LIMIT } from "../support/corpus/lines.mjs";
import { harness } from "../support/harness.mjs";

const REFUSES = 'export default { fetch() { throw new Error("Too many subrequests."); } };';
const LIMIT = `(name = "limit", worker = (
  modules = [(name = "limit.js", esModule = ${JSON.stringify(REFUSES)})],
  compatibilityDate = "${readProject().compatibilityDate}"))`;

let t;

before(async () => {
  t = await harness({
    chain: false,
    service: { state: "isolate" },
    route: { trip_after: 1 },
    worker: { extraServices: [LIMIT], outbound: "limit" },
  });
});

after(() => t?.stop());

describe("a line of the corpus, by the platform's limit", () => {
  for (const line of BY_LIMIT) {
    for (const part of ["read", "write"].filter((part) => line[part])) {
      test(`${line.id}, ${part}`, async () => {
        assert.deepEqual([line[part], line.exhausted], ["stop", "unavailable"]);
        const [{ method, params }] = await calls(line, part);
        const { status, error, attempts, endpoint } = await t.rpc(method, params);
        assert.deepEqual([status, error?.code, endpoint], [503, -32002, null]);
        assert.equal(error.data?.outcome, undefined, "nothing was sent");
        assert.equal(attempts, 1, "nobody else is asked");
        const { a, b } = (await t.status()).endpoint;
        assert.deepEqual([a.local_state, a.failures, b.requests], ["closed", 0, 0]);
      });
    }
  }
});
