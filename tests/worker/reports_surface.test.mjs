/**
 * Reports from the field: rate limits, and what is seen from outside.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { secret } from "../support/calls.mjs";
import { error, http, scenes } from "../support/scenes.mjs";

/** `Retry-After`, and the seconds of rest that it means. */
const RETRY_AFTER = [
  ["7", 7],
  [new Date(Date.now() + 100_000).toUTCString(), 100],
  ["0", 1],
  ["-5", 1],
  ["1.5", 2],
  ["1e14", 300],
  ["", 1],
];

let t;
let scene;

before(async () => {
  const keyed = { endpoint: { path: `/v3/${secret("KEY")}` } };
  const limits = Object.fromEntries(RETRY_AFTER.map((_, i) => [`b73-${i}`, {}]));
  ({ t, scene } = await scenes(
    { b68: { body_max_bytes: 2000 }, b70: {}, ...limits, b74: {}, b75: {}, b77: keyed },
    {
      secrets: { KEY: "s3cr3tkey" },
      routes: {
        ROUTE_B69: {
          protocol: "evm",
          chain_id: 31337,
          endpoints: [{ name: "own", url: "https://user:hunter2@rpc.example.org" }],
        },
      },
    },
  ));
});

after(() => t?.stop());

test("B68 a page can read every error", async () => {
  const s = scene("b68");
  const origin = { origin: "https://app.example.org" };
  const cors = { "access-control-allow-origin": "https://elsewhere.example" };
  await s.a.set({ mode: "answer", headers: cors });
  const good = await s.post({ jsonrpc: "2.0", id: 1, method: "eth_call", params: [] }, origin);
  assert.equal(good.headers.get("access-control-allow-origin"), "*");
  for (const endpoint of [s.a, s.b]) await endpoint.set("refuse");
  const errors = [
    [200, await s.post("{", origin)],
    [503, await s.post({ jsonrpc: "2.0", id: 1, method: "eth_call" }, origin)],
    [413, await s.post("x".repeat(3000), origin)],
    [405, await t.fetch(s.path, { method: "PUT", headers: origin, body: "{}" })],
    [404, await t.post("/nowhere", "{}", origin)],
  ];
  for (const [status, answer] of errors) {
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
    assert.ok(Number.isInteger(answer.error.code), answer.text);
  }
});

test("B69 a URL with a password is refused at once, without showing it", async () => {
  const { status, error: told, text } = await t.rpc("eth_call", [], { path: "/b69" });
  assert.deepEqual([status, told.code], [500, -32002]);
  assert.match(told.message, / ROUTE_B69\.endpoints\[0\]\.url: .*headers/);
  assert.ok(!`${text}${t.logs.join("\n")}`.includes("hunter2"));
});

test("B70 it works in workerd, not only in native tests", async () => {
  const s = scene("b70");
  assert.equal((await s.rpc("eth_chainId")).result, "0x7a69");
  assert.equal((await s.rpc("eth_blockNumber")).result, "0x64");
});

for (const [i, [retryAfter, seconds]] of RETRY_AFTER.entries()) {
  test(`B73 Retry-After: ${retryAfter || "nothing"}`, async () => {
    const s = scene(`b73-${i}`);
    await s.a.set(http(429, "", { "retry-after": retryAfter }));
    assert.equal((await s.read()).by, "b");
    const { rest } = await s.status();
    assert.ok(rest > seconds - 3 && rest <= seconds, `rests ${rest} of ${seconds} s`);
  });
}

test("B74 a back-off of zero seconds is not obeyed", async () => {
  const s = scene("b74");
  const rate = { allowed_rps: 1, backoff_seconds: 0, current_rps: 2 };
  await s.a.set(error(-32005, "rate limited", { status: 429, data: { rate } }));
  const began = Date.now();
  while (Date.now() - began < 2_500) {
    assert.equal((await s.read()).by, "b");
    await sleep(20);
  }
  const [first, second, ...more] = s.a.requests;
  assert.deepEqual([second.at - first.at >= 900, more], [true, []], "then it rests for longer");
});

test("B75 when everybody is throttled, it is the service that is limited", async () => {
  const s = scene("b75");
  const words = "Your IP 203.0.113.9 on plan Growth is over its limit";
  await s.a.set(http(429, words, { "retry-after": "30" }));
  await s.b.set(http(429, words, { "retry-after": "7" }));
  const { status, error: told, headers, text } = await s.read();
  assert.deepEqual([status, told.code], [429, -32005]);
  const seconds = Number(headers.get("retry-after"));
  assert.ok(seconds >= 5 && seconds <= 7, `${seconds} s`);
  assert.ok(!/203|Growth/.test(text), text);
});

test("B77 a key in an upstream's URL is nowhere to be seen", async () => {
  const s = scene("b77");
  await s.a.set("refuse");
  await s.b.set(error(-32602, `bad request: POST ${s.b.url}/v3/s3cr3tkey`));
  const echoed = await s.read();
  await s.b.set("refuse");
  const failed = await s.read();
  const { text: status } = await t.get("/status/b77");
  const heads = [echoed, failed].map(({ headers }) => JSON.stringify([...headers]));
  const all = [echoed.text, failed.text, status, ...heads, ...t.logs].join("\n");
  assert.match(echoed.error.message, /\[redacted\]/);
  assert.ok(!/s3cr3tkey|127\.0\.0\.1/.test(all), all);
});
