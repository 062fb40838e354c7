/**
 * The operator's door: who enters, what each order does, and that it holds in every isolate, every
 * region and over restarts.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { operator, TOKEN } from "../support/admin.mjs";
import { call, scripted, secret } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { noObject, standIn } from "../support/stand_in.mjs";

const DOWN = { mode: "status", status: 500 };
const REGIONS = ["weur", "enam", "sam", "apac", "oc", "afr"];
const LONG = { trip_after: 2, cooldown_ms: 60_000, cooldown_max_ms: 60_000 };
const CLIENT_KEY = "cl13nt-k3y-42";

const start = ({ route, ...options } = {}) =>
  harness({
    chain: false,
    endpoints: [scripted("first"), scripted("second")],
    secrets: { ADMIN_TOKEN: TOKEN },
    ...options,
    route: { ...LONG, ...route },
  });

const ask = (t, isolate = "a", how = {}) => t.rpc("eth_call", [{}, "latest"], { isolate, ...how });

/** Waits for the next sync of an isolate, which a look at the status brings forward. */
const synced = (t, isolate, holds) =>
  t.until(async () => holds((await t.status("local", { isolate })).endpoint));

describe("the door", { concurrency: 1 }, () => {
  let t;
  let admin;
  before(async () => {
    t = await start({
      service: { require_key: true, allowed_origins: ["https://ops.example.org"] },
      secrets: { ADMIN_TOKEN: `${TOKEN}\n`, CLIENT_KEYS: CLIENT_KEY },
    });
    admin = operator(t);
  });
  after(() => t?.stop());

  test("is not there without the secret, nor with a blank one", async () => {
    for (const secrets of [{}, { ADMIN_TOKEN: "" }, { ADMIN_TOKEN: " \n" }]) {
      const closed = await start({ secrets });
      try {
        const nowhere = await closed.get("/no/such/path");
        for (const path of ["", "/routes/local", "/routes/local/reset", "/x"]) {
          for (const authorization of [undefined, "Bearer ", `Bearer ${TOKEN}`]) {
            const headers = authorization ? { authorization } : {};
            const answer = await closed.get(`/admin${path}`, headers);
            assert.deepEqual([answer.status, answer.text], [404, nowhere.text]);
          }
        }
        const order = await closed.post("/admin/routes/local/endpoints/first/disable", "");
        assert.equal(order.status, 404);
      } finally {
        await closed.stop();
      }
    }
  });

  test("opens to the token alone", async () => {
    for (const authorization of [
      null,
      "Bearer",
      `Bearer ${TOKEN.slice(0, -1)}`,
      `Bearer ${TOKEN}x`,
      `Bearer ${CLIENT_KEY}`,
      `Basic ${TOKEN}`,
      TOKEN,
    ]) {
      for (const path of ["routes/local", "routes/nowhere", "nothing"]) {
        const headers = { authorization, "x-api-key": TOKEN };
        const answer = await t.get(`/admin/${path}?token=${TOKEN}`, headers);
        assert.equal(answer.status, 401, authorization);
        assert.match(answer.body.error, /ADMIN_TOKEN/);
        assert.ok(!answer.text.includes(TOKEN));
      }
    }
    assert.equal((await t.get(`/local/${TOKEN}`)).status, 401, "it is no client key");
    assert.equal((await admin.ask("GET", "routes/local")).status, 200, "and needs none");
    assert.equal((await admin.ask("GET", "/routes//local/")).status, 200);
  });

  test("knows its own paths, names, actions and methods, and changes nothing else", async () => {
    const before = JSON.stringify((await admin.status()).endpoints);
    for (const [status, method, path] of [
      [404, "GET", ""],
      [404, "GET", "routes"],
      [404, "GET", "routes/nowhere"],
      [404, "POST", "routes/nowhere/reset"],
      [404, "POST", "routes/31337/reset"],
      [404, "POST", "routes/local/open"],
      [404, "POST", "routes/local/endpoints/third/open"],
      [404, "POST", "routes/local/endpoints/first/explode"],
      [404, "POST", "routes/local/endpoints/first"],
      [404, "POST", "routes/local/endpoints/first/open/more"],
      [405, "POST", "routes/local"],
      [405, "GET", "routes/local/reset"],
      [405, "GET", "routes/local/endpoints/first/disable"],
      [405, "DELETE", "routes/local/endpoints/first/fault"],
    ]) {
      const answer = await admin.ask(method, path);
      assert.equal(answer.status, status, `${method} ${path}`);
      assert.equal(typeof answer.body.error, "string");
      assert.equal(answer.headers.get("allow") !== null, status === 405);
    }
    assert.equal(JSON.stringify((await admin.status()).endpoints), before);
  });

  test("says what is wrong with a drill", async () => {
    for (const [body, says] of [
      ["", /not valid JSON/],
      ["{}", /fault\.for_ms: is missing/],
      [{ kind: "up", for_ms: 1 }, /fault\.kind: must be one of "down", "slow", "stale"/],
      [{ kind: "slow", for_ms: 1 }, /fault\.value: is missing/],
      [{ kind: "down", for_ms: 600_001 }, /from 1 to 600000/],
      [{ kind: "down", for_ms: 1, more: 1 }, /fault\.more: is not a known key/],
      [" ".repeat(5000), /at most 4096 bytes/],
    ]) {
      const answer = await admin.order("first", "fault", body);
      assert.equal(answer.status, 400);
      assert.match(answer.body.error, says);
    }
    assert.equal((await admin.status()).endpoint.first.fault, null);
  });

  test("answers as all do: JSON, CORS, never cached", async () => {
    const origin = "https://ops.example.org";
    const headers = { authorization: `Bearer ${TOKEN}`, origin };
    for (const path of ["routes/local", "routes/nowhere"]) {
      const answer = await t.get(`/admin/${path}`, headers);
      assert.equal(answer.headers.get("content-type"), "application/json");
      assert.equal(answer.headers.get("cache-control"), "no-store");
      assert.equal(answer.headers.get("access-control-allow-origin"), origin);
    }
    const refused = await t.get("/admin/routes/local", { origin, authorization: "Bearer x" });
    assert.equal(refused.headers.get("access-control-allow-origin"), origin);
    const foreign = await t.get("/admin/routes/local", { ...headers, origin: "https://x.org" });
    assert.equal(foreign.status, 403);
    const preflight = await t.fetch("/admin/routes/local", { method: "OPTIONS", headers });
    assert.equal(preflight.status, 204);
  });

  test("tells of the token nowhere", async () => {
    const key = { "x-api-key": CLIENT_KEY, authorization: `Bearer ${TOKEN}` };
    const answers = [];
    for (const path of ["/", "/status", "/health", "/ready", "/local"])
      answers.push(await t.get(path, key));
    answers.push(await t.post("/local", call("eth_call"), key));
    answers.push(await admin.ask("POST", "routes/local/reset"), await admin.ask("GET", "x"));
    for (const { headers, text } of answers)
      assert.ok(![...headers].join("\n").concat(text).includes(TOKEN));
    const upstream = Object.values(t.endpoint).flatMap((endpoint) => endpoint.requests);
    assert.ok(upstream.length > 0);
    assert.ok(!JSON.stringify(upstream).includes(TOKEN), "never forwarded");
    assert.ok(!t.logs.join("\n").includes(TOKEN), "never logged");
  });
});

describe("orders", { concurrency: 1 }, () => {
  let t;
  let admin;
  before(async () => {
    t = await start({ isolates: 2 });
    admin = operator(t);
  });
  after(() => t?.stop());
  afterEach(async () => {
    await t.heal();
    for (const name of ["first", "second"]) await admin.order(name, "enable");
    await admin.ask("POST", "routes/local/reset");
    for (const isolate of ["a", "b"]) await synced(t, isolate, ({ first }) => first.enabled);
  });

  test("disable: not asked by anybody until enable, over restarts", async () => {
    for (const isolate of ["a", "b"]) assert.equal((await ask(t, isolate)).endpoint, "first");
    const { status, body } = await admin.order("first", "disable");
    assert.deepEqual(
      [status, body],
      [
        200,
        { route: "local", endpoint: "first", action: "disable", fault: null, regions: REGIONS },
      ],
    );
    assert.equal((await ask(t, "a")).endpoint, "second", "the isolate that was told, at once");
    await synced(t, "b", ({ first }) => first.state === "disabled" && !first.enabled);
    assert.equal((await ask(t, "b")).endpoint, "second");

    await t.endpoint.second.set("refuse");
    t.endpoint.first.clear();
    for (const isolate of ["a", "b"]) assert.equal((await ask(t, isolate)).status, 503);
    assert.equal(t.endpoint.first.hits(), 0, "not even as a last resort");
    await t.endpoint.second.set("answer");

    await t.worker.restart();
    for (const isolate of ["a", "b"]) {
      const seen = await t.status("local", { isolate });
      assert.deepEqual([seen.endpoint.first.state, seen.serving], ["disabled", "second"]);
      assert.equal((await ask(t, isolate)).endpoint, "second");
    }
    assert.equal(t.endpoint.first.hits(), 0);
    assert.equal((await admin.order("first", "enable")).status, 200);
    assert.equal((await ask(t, "a")).endpoint, "first");
    await synced(t, "b", ({ first }) => first.enabled);
    assert.equal((await ask(t, "b")).endpoint, "first");
    const serving = t.events("serving_changed").map(({ region, from, to }) => [region, from, to]);
    assert.ok(
      serving.some((each) => String(each) === "weur,second,first"),
      String(serving),
    );
  });

  test("open and close: with the operator as the reason, in every isolate", async () => {
    await ask(t, "b");
    assert.equal((await admin.order("first", "open")).status, 200);
    assert.equal((await ask(t, "a")).endpoint, "second");
    await synced(t, "b", ({ first }) => first.state === "open");
    assert.equal((await ask(t, "b")).endpoint, "second");
    assert.equal((await admin.order("first", "close")).status, 200);
    await synced(t, "b", ({ first }) => first.state === "closed");
    for (const isolate of ["a", "b"]) assert.equal((await ask(t, isolate)).endpoint, "first");
    const { transitions } = await admin.status();
    assert.deepEqual(
      transitions.slice(0, 2).map(({ from, to, reason }) => [from, to, reason]),
      [
        ["open", "closed", "operator"],
        ["closed", "open", "operator"],
      ],
    );
    const told = t.events("breaker").filter(({ region }) => region === "weur");
    assert.deepEqual(
      told.slice(-2).map(({ endpoint, to, reason }) => [endpoint, to, reason]),
      [
        ["first", "open", "operator"],
        ["first", "closed", "operator"],
      ],
      "each once",
    );
  });

  test("close: an isolate's own breaker too", async () => {
    for (const isolate of ["a", "b"]) await ask(t, isolate);
    for (const isolate of ["a", "b"]) await synced(t, isolate, () => true);
    await t.endpoint.first.set({ ...DOWN, method: "eth_call" });
    for (let n = 0; n < LONG.trip_after; n++) await ask(t, "b");
    assert.equal((await ask(t, "b")).attempts, 1, "b keeps away by itself");
    await t.endpoint.first.set("answer");
    await admin.order("first", "close");
    await synced(t, "b", ({ first }) => first.local_state === "closed");
    assert.equal((await ask(t, "b")).endpoint, "first");
  });

  test("reset: rest, breaker and counts begin anew, here and there", async () => {
    await t.endpoint.first.set({ mode: "rate_limit", retry_after: 120 });
    for (const isolate of ["a", "b"]) await ask(t, isolate);
    await synced(t, "b", ({ first }) => first.throttled_until_ms !== null);
    await admin.order("first", "open");
    await t.endpoint.first.set("answer");
    assert.equal((await admin.order("first", "reset")).status, 200);
    const { endpoint } = await admin.status();
    const { state, throttled_until_ms, requests, trips_total, last_failure } = endpoint.first;
    assert.deepEqual(
      [state, throttled_until_ms, requests, trips_total, last_failure],
      ["closed", null, 0, 0, null],
    );
    assert.equal((await ask(t, "a")).endpoint, "first");
    await synced(t, "b", ({ first }) => first.throttled_until_ms === null);
    assert.equal((await ask(t, "b")).endpoint, "first", "b has forgotten its own rest");
  });
});

describe("regions", { concurrency: true }, () => {
  test("an order holds on every continent, also where nobody has called yet", async () => {
    const t = await start({ isolates: 3 });
    after(() => t.stop());
    const [asia, america] = [{ cf: { continent: "AS" } }, { cf: { continent: "NA" } }];
    await ask(t, "a", asia);
    await ask(t, "b", america);
    assert.equal((await operator(t).order("first", "disable", undefined, asia)).status, 200);
    assert.equal((await t.status("local", { isolate: "a" })).region, "apac");
    await synced(t, "b", ({ first }) => first.state === "disabled");
    assert.equal((await t.status("local", { isolate: "b" })).region, "enam");
    assert.equal((await ask(t, "b")).endpoint, "second");
    const africa = { isolate: "c", cf: { continent: "AF" } };
    const unseen = await t.status("local", africa);
    assert.deepEqual([unseen.region, unseen.endpoint.first.state], ["afr", "disabled"]);
  });

  test("global: there is one", async () => {
    const t = await start({ service: { state: "global" } });
    after(() => t.stop());
    const { body } = await operator(t).order("first", "open");
    assert.deepEqual(body.regions, ["global"]);
    assert.equal((await ask(t)).endpoint, "second");
  });

  test("isolate: nothing to change, and that is said", async () => {
    const t = await start({ service: { state: "isolate" } });
    after(() => t.stop());
    const admin = operator(t);
    for (const action of ["disable", "enable", "open", "close", "reset"]) {
      const { status, body } = await admin.order("first", action);
      assert.equal(status, 409);
      assert.match(body.error, /SERVICE\.state is "isolate"/);
    }
    assert.equal((await ask(t)).endpoint, "first");
    await t.endpoint.first.set(DOWN);
    await ask(t);
    const seen = await admin.status();
    assert.deepEqual([seen.region, seen.endpoint.first.error_replies.length], ["isolate", 1]);
  });

  test("objects that cannot be reached are named, and a repeat will do", async () => {
    const t = await start({ worker: noObject() });
    after(() => t.stop());
    const { status, body } = await operator(t).order("first", "disable");
    assert.equal(status, 503);
    assert.deepEqual(body.regions, REGIONS);
    assert.match(body.error, /repeat/);
    assert.equal((await ask(t)).endpoint, "first");
  });
});

describe("an order that not all have taken", { concurrency: true }, () => {
  test("names those, holds in the others, and can be repeated", async () => {
    const t = await start({ worker: standIn("refuses_afr") });
    after(() => t.stop());
    for (let n = 0; n < 2; n++) {
      const { status, body } = await operator(t).order("first", "disable");
      assert.deepEqual([status, body.regions], [503, ["afr"]]);
      assert.equal((await ask(t)).endpoint, "second");
    }
  });

  test("is no success with an object of a version that knows no orders", async () => {
    const t = await start({ worker: standIn("forgets") });
    after(() => t.stop());
    const { status, body } = await operator(t).order("first", "disable");
    assert.deepEqual([status, body.regions], [503, REGIONS]);
  });
});

describe("error replies", { concurrency: 1 }, () => {
  const KEY = "upstr3am-k3y-0123456789";
  let t;
  before(async () => {
    const path = `/v2/${secret("RPC_KEY")}`;
    t = await start({
      endpoints: [scripted("first", { path }), scripted("second")],
      secrets: { ADMIN_TOKEN: TOKEN, RPC_KEY: KEY },
      route: { trip_after: 1000 },
    });
  });
  after(() => t?.stop());

  test("are the operator's alone: redacted, cut, without data and results", async () => {
    const page = `<html>no ${t.endpoint.first.url}/v2/${KEY} ${"x".repeat(2000)}</html>`;
    const faults = [
      { mode: "status", status: 502, body: page },
      { mode: "rpc_error", code: 1234, message: `odd ${KEY}`, data: `0x${"de".repeat(40)}` },
      { mode: "rpc_error", code: 3, message: "execution reverted: mine", data: "0x08c379a0" },
      { mode: "rate_limit", retry_after: null },
    ];
    for (const fault of faults) {
      await t.endpoint.first.set({ ...fault, method: "eth_call" });
      await ask(t);
    }
    const seen = await t.until(async () => {
      const status = await operator(t).status();
      return status.endpoint.first.error_replies.length >= 3 && status;
    });
    const replies = seen.endpoint.first.error_replies.toReversed();
    assert.deepEqual(
      replies.map(({ method, class: why, status }) => [method, why, status]),
      [
        ["eth_call", "server_error", 502],
        ["eth_call", "unknown", 200],
        ["eth_call", "rate_limited", 429],
      ],
    );
    const [bad, odd] = replies;
    assert.match(bad.text, /^<html>no http:\/\/\[redacted\]/);
    assert.ok(bad.text.length <= 512 && Math.abs(bad.at_ms - Date.now()) < 60_000);
    assert.equal(odd.text, "1234 odd [redacted]");
    const told = JSON.stringify(seen);
    for (const never of [KEY, "127.0.0.1", "dede", "08c379a0", "mine"])
      assert.ok(!told.includes(never), never);
    assert.deepEqual(seen.endpoint.second.error_replies, []);
  });

  test("are not in the public status, bounded, and gone with the object's memory", async () => {
    await t.endpoint.first.set({ ...DOWN, method: "eth_getBalance" });
    await t.until(async () => {
      await t.rpc("eth_getBalance", ["0x00", "latest"]);
      return (await t.status()).endpoint.first.throttled_until_ms === null;
    });
    for (let n = 0; n < 8; n++) {
      for (let i = 0; i < 3; i++) await t.rpc("eth_getBalance", ["0x00", "latest"]);
      await t.until(async () => (await operator(t).status()).endpoint.first.failures >= n);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    const { endpoint } = await operator(t).status();
    assert.equal(endpoint.first.error_replies.length, 16);
    const { text } = await t.get("/status");
    assert.ok(!text.includes("error_replies"));
    await t.worker.restart();
    assert.deepEqual((await operator(t).status()).endpoint.first.error_replies, []);
  });
});
