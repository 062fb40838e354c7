/**
 * What an endpoint's answer is taken for, and that nothing of its text is kept.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readKinds } from "../../scripts/doctor/facilitators.mjs";
import { wordFor } from "../../scripts/doctor/methods.mjs";
import { readOutcome, readPlain, told } from "../../scripts/doctor/outcome.mjs";

const read = (status, body, retryAfter = null) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return readOutcome({ status, retryAfter, text, ms: 5 });
};
const error = (code, message) => ({ jsonrpc: "2.0", id: 1, error: { code, message } });
const NOT_THERE = "the method trace_block does not exist/is not available";

test("a method is there, missing, refused or odd", () => {
  for (const [word, status, body] of [
    ["yes", 200, { jsonrpc: "2.0", id: 1, result: null }],
    ["missing", 200, error(-32601, "Method not found")],
    ["missing", 200, error(-32000, NOT_THERE)],
    ["missing", 404, error(-32601, NOT_THERE)],
    ["missing", 200, error(-32004, "method not supported")],
    ["refused", 200, error(-32000, "trace_block is not available on the Free tier - upgrade")],
    ["refused", 403, "<html>Forbidden</html>"],
    ["refused", 403, error(-32000, "this method is restricted")],
    ["error", 200, error(-32602, "invalid argument 0")],
    ["error", 200, error(-32000, "transaction not found")],
    ["unknown", 502, "<html>Bad gateway</html>"],
    ["unknown", 429, error(-32601, NOT_THERE)],
    ["unknown", 200, error(-32005, "rate limit exceeded")],
    ["unknown", 200, error(-32000, "exceeded compute units per second capacity")],
    ["unknown", 200, "surprise"],
    ["unknown", 302, ""],
  ])
    assert.equal(wordFor(read(status, body)), word, `${status} ${JSON.stringify(body)}`);
});

test("a range that is too wide is no throttle, although the code is one of theirs", () => {
  assert.equal(read(200, error(-32005, "query exceeds max block range 1000")).kind, "error");
  assert.equal(read(200, error(-32005, "query returned more than 10000 results")).kind, "error");
});

test("when to come back", () => {
  assert.equal(read(429, "", "7").retryAfterMs, 7000);
  for (const odd of [null, "soon", "0", "-1"])
    assert.equal("retryAfterMs" in read(429, "", odd), false);
});

test("nothing that the endpoint wrote gets out", () => {
  const secret = "k3y-of-the-operator";
  for (const [status, body] of [
    [200, error(-32000, `no ${secret}`)],
    [403, `<html>${secret}</html>`],
    [200, `${secret}`],
    [302, secret],
    [200, error(secret, secret)],
  ]) {
    const outcome = read(status, body);
    assert.ok(!told(outcome).includes(secret), told(outcome));
    const { result: _, ...kept } = outcome;
    assert.ok(!JSON.stringify(kept).includes(secret), JSON.stringify(kept));
  }
});

test("kinds of a facilitator: plain names alone", () => {
  const kinds = [
    { scheme: "exact", network: "eip155:8453", x402Version: 2 },
    { scheme: "exact", network: "base", x402Version: 1 },
    { scheme: "exact", network: "base", x402Version: 1 },
    { scheme: "\u001b[31m", network: "x y" },
    null,
  ];
  assert.deepEqual(readKinds({ kinds }), {
    kinds: ["?@?", "exact@base", "exact@eip155:8453"],
    versions: [1, 2],
  });
  assert.deepEqual(readKinds("odd"), { kinds: [], versions: [] });
});

test("a facilitator's answer is any JSON object, with status 200", () => {
  const plain = (status, text) => readPlain({ status, retryAfter: null, text, ms: 1 });
  assert.deepEqual(plain(200, '{"kinds":[]}').result, { kinds: [] });
  assert.equal(plain(401, '{"error":"no"}').kind, "account");
  assert.equal(plain(503, '{"error":"no"}').kind, "http");
  assert.equal(plain(200, "<html>").kind, "odd");
});
