/**
 * A Breakwater for clients that mean harm, and a look at it after each of them: somebody else is
 * served as ever, and nobody is blamed.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { TOKEN } from "./admin.mjs";
import { isPoll, scripted } from "./calls.mjs";
import { harness } from "./harness.mjs";

const LARGE = "0".repeat(1024 * 1024);

/**
 * To be called at the top of a file of tests. `t` is there once they run; `eth_getCode` gives its first
 * parameter, `eth_getBlockReceipts` a megabyte.
 */
export function victim() {
  const tried = [];
  const own = {
    /** @type {import("./harness.mjs").Harness} */
    t: undefined,
    /** A test, which is listed at the end. */
    trying(name, body) {
      tried.push(name);
      return test(name, body);
    },
    /** Requests of clients that came through to the endpoint. */
    asked: () => own.t.endpoint.a.requests.filter((request) => !isPoll(request)),
    async works() {
      const { status, result } = await own.t.rpc("eth_getCode", ["0x77"]);
      assert.deepEqual([status, result], [200, "0x77"]);
      const { state, failures, last_failure } = (await own.t.status()).endpoint.a;
      assert.deepEqual([state, failures, last_failure], ["closed", 0, null]);
    },
  };
  const script = { eth_getCode: ([first]) => first, eth_getBlockReceipts: () => LARGE };
  before(async () => {
    own.t = await harness({
      chain: false,
      endpoints: [scripted("a", { script })],
      secrets: { ADMIN_TOKEN: TOKEN, CLIENT_KEYS: "cl13nt-k3y-1" },
      route: { attempt_timeout_ms: 30_000, total_timeout_ms: 60_000, trip_after: 1 },
      routes: { ROUTE_PAY: { protocol: "x402", endpoints: ["a"] } },
    });
  });
  after(async () => {
    await own.t?.stop();
    console.log(`${tried.length} inputs: ${tried.join("; ")}`);
  });
  afterEach(() => own.works());
  return own;
}
