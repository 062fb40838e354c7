/**
 * How many attempts an operation gets, how long they may take, and what the answer tells of them.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { hex, scripted, secret } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

let t;

before(async () => {
  const base = { protocol: "evm", chain_id: 31337, trip_after: 1000 };
  t = await harness({
    chain: false,
    endpoints: [
      scripted("a", {
        path: `/v2/${secret("KEY_A")}`,
        headers: { Authorization: `Bearer ${secret("TOKEN_A")}` },
      }),
      scripted("b", {
        path: `/rpc?key=${secret("KEY_B")}`,
        headers: { "x-token-b": secret("TOKEN_B") },
      }),
      ...["c", "d"].map((name) => scripted(name)),
      scripted("quick", { attempt_timeout_ms: 500 }),
      scripted("late", { attempt_timeout_ms: 20_000 }),
    ],
    secrets: { KEY_A: "key-a-1", TOKEN_A: "token-a", KEY_B: "key-b", TOKEN_B: "token-b" },
    service: { state: "isolate" },
    route: { ...base, endpoints: ["a", "b", "c", "d"] },
    routes: {
      ROUTE_TWO: { ...base, endpoints: ["a", "b", "c"], max_attempts: 2 },
      ROUTE_RESTING: { ...base, endpoints: ["a", "b", "c"], max_attempts: 2 },
      ROUTE_ALL: { ...base, endpoints: ["a", "b", "c", "d"], max_attempts: 16 },
      ROUTE_OWN: { ...base, endpoints: ["quick", "c"], attempt_timeout_ms: 20_000 },
      ROUTE_HANGING: {
        ...base,
        endpoints: ["a", "b", "c", "late"],
        max_attempts: 4,
        attempt_timeout_ms: 500,
      },
      ROUTE_HURRIED: {
        ...base,
        endpoints: ["a", "b", "c"],
        attempt_timeout_ms: 2000,
        total_timeout_ms: 3000,
        method_timeouts_ms: { eth_getBalance: 500 },
      },
    },
  });
});

after(() => t?.stop());
afterEach(() => t.heal());

const setAll = (names, fault) =>
  Promise.all(Array.from(names, (name) => t.endpoint[name].set(fault)));
const hits = () => ["a", "b", "c", "d"].map((name) => t.endpoint[name].hits());
const down = { mode: "status", status: 500 };

/** Asserts that something took its time, and not that of a longer limit. */
const took = ({ ms }, least, most = Number.POSITIVE_INFINITY) =>
  assert.ok(ms >= least && ms < most, `took ${ms} ms`);

describe("attempts", () => {
  test("three by default, in order, each endpoint once", async () => {
    await setAll("abcd", down);
    const { status, attempts, error } = await t.rpc("eth_call");
    assert.deepEqual([status, attempts], [503, 3]);
    assert.deepEqual(
      error.data.attempts.map(({ endpoint }) => endpoint),
      ["a", "b", "c"],
    );
    assert.deepEqual(hits(), [1, 1, 1, 0]);
  });

  test("as many as max_attempts", async () => {
    await setAll("abc", down);
    assert.equal((await t.rpc("eth_call", [], { path: "/two" })).status, 503);
    assert.deepEqual(hits(), [1, 1, 0, 0]);
  });

  test("no endpoint twice, however many are allowed", async () => {
    await setAll("abcd", down);
    assert.equal((await t.rpc("eth_call", [], { path: "/all" })).attempts, 4);
    assert.deepEqual(hits(), [1, 1, 1, 1]);
  });

  test("the cap counts endpoints asked, not those passed over", async () => {
    await setAll("ab", { mode: "rate_limit", retry_after: 60 });
    await t.rpc("eth_call", [], { path: "/resting" });
    const { endpoint, attempts } = await t.rpc("eth_call", [], { path: "/resting" });
    assert.deepEqual([endpoint, attempts], ["c", 1]);
  });
});

describe("timeouts", () => {
  test("an attempt's", async () => {
    await t.endpoint.a.set("hang");
    const answer = await t.rpc("eth_call", [], { path: "/hurried" });
    assert.deepEqual([answer.result, answer.reason], [hex("b"), "a=timeout"]);
    took(answer, 1990);
    await t.until(() => t.endpoint.a.requests[0].abandoned);
  });

  test("the whole operation's: the last attempt gets what is left", async () => {
    await setAll("abc", "hang");
    const answer = await t.rpc("eth_call", [], { path: "/hurried" });
    assert.deepEqual([answer.status, answer.attempts], [503, 2]);
    took(answer, 2990, 4 * 2000);
    assert.deepEqual(hits(), [1, 1, 0, 0]);
  });

  test("connections: two may wait for the client's request to be over, others end at once", async () => {
    await setAll("abc", "hang");
    await t.endpoint.late.set({ mode: "slow", ms: 5000 });
    const abandoned = (name) => t.endpoint[name].requests.at(-1)?.abandoned;
    let answered = false;
    const answer = t.rpc("eth_call", [], { path: "/hanging" }).finally(() => {
      answered = true;
    });
    await t.until(() => abandoned("c"));
    assert.equal(answered, false);
    assert.equal((await answer).reason, "a=timeout,b=timeout,c=timeout");
    await t.until(() => abandoned("a") && abandoned("b"));
  });

  test("a method's", async () => {
    await t.endpoint.a.set("hang");
    const answer = await t.rpc("eth_getBalance", [], { path: "/hurried" });
    assert.equal(answer.reason, "a=timeout");
    took(answer, 490, 1990);
  });

  test("an endpoint's own", async () => {
    await t.endpoint.quick.set("hang");
    const answer = await t.rpc("eth_call", [], { path: "/own" });
    assert.deepEqual([answer.endpoint, answer.reason], ["c", "quick=timeout"]);
    took(answer, 490, 20_000);
  });

  test("a body that goes on past it counts as late, one within it does not", async () => {
    await t.endpoint.a.set({ mode: "drip", pieces: 4, pause_ms: 30 });
    assert.equal((await t.rpc("eth_call", [], { path: "/hurried" })).endpoint, "a");
    await t.endpoint.a.set({ mode: "drip", pieces: 10, pause_ms: 300 });
    assert.equal((await t.rpc("eth_call", [], { path: "/hurried" })).reason, "a=timeout");
  });
});

describe("the answer's headers", () => {
  test("of one attempt", async () => {
    const { headers } = await t.rpc("eth_call");
    assert.equal(headers.get("x-breakwater-endpoint"), "a");
    assert.equal(headers.get("x-breakwater-attempts"), "1");
    assert.equal(headers.get("x-breakwater-reason"), null);
    assert.match(headers.get("server-timing"), /^total;dur=\d+, upstream;dur=\d+;desc="a"$/);
  });

  test("of three", async () => {
    await t.endpoint.a.set({ mode: "rate_limit", retry_after: 0 });
    await t.endpoint.b.set("cut");
    const { headers } = await t.rpc("eth_call");
    assert.equal(headers.get("x-breakwater-endpoint"), "c");
    assert.equal(headers.get("x-breakwater-attempts"), "3");
    assert.equal(headers.get("x-breakwater-reason"), "a=rate_limited,b=truncated");
    const timings = headers
      .get("server-timing")
      .split(", ")
      .map((part) => part.split(";").at(-1));
    assert.deepEqual(timings.slice(1), ['desc="a"', 'desc="b"', 'desc="c"']);
  });

  test("of an own answer", async () => {
    const { headers } = await t.rpc("eth_chainId");
    assert.equal(headers.get("x-breakwater-endpoint"), null);
    assert.equal(headers.get("x-breakwater-attempts"), "0");
  });

  test("of no answer", async () => {
    await setAll("abc", down);
    const { headers } = await t.rpc("eth_call", [], { path: "/two" });
    assert.equal(headers.get("x-breakwater-endpoint"), null);
    assert.equal(headers.get("x-breakwater-attempts"), "2");
    assert.equal(headers.get("x-breakwater-reason"), "a=server_error,b=server_error");
  });
});

test("an endpoint's URL and headers are its own, also after a failover", async () => {
  await setAll("ab", down);
  const { endpoint } = await t.rpc("eth_call", [], { path: "/all" });
  assert.equal(endpoint, "c");
  const [a, b, c] = ["a", "b", "c"].map((name) => t.endpoint[name].requests[0]);
  assert.deepEqual([a.path, b.path, c.path], ["/v2/key-a-1", "/rpc?key=key-b", "/"]);
  const credentials = ({ headers }) => [headers.authorization, headers["x-token-b"]];
  assert.deepEqual(credentials(a), ["Bearer token-a", undefined]);
  assert.deepEqual(credentials(b), [undefined, "token-b"]);
  assert.deepEqual(credentials(c), [undefined, undefined]);
  assert.ok(!JSON.stringify([b, c]).includes("-a"));
  assert.ok(
    !JSON.stringify([a, c]).includes("key-b") && !JSON.stringify([a, c]).includes("token-b"),
  );
});
