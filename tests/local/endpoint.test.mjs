/**
 * The endpoints must really do what they claim, or tests that lean on them prove nothing.
 */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { startControl } from "../../local/control.mjs";
import { startEndpoint } from "../../local/endpoint.mjs";

/** @type {import("../../local/endpoint.mjs").Endpoint} */
let chain;
let alpha;

before(async () => {
  const script = {
    eth_chainId: "0x1",
    eth_blockNumber: "0x64",
    eth_call: ([call, block]) => `${call?.to ?? "0x"}@${block}`,
    eth_getTransactionReceipt: ([hash]) => ({ hash, blockNumber: "0x63" }),
    eth_sendRawTransaction: () => {
      throw { code: -32000, message: "nonce too low", data: "0x1" };
    },
  };
  chain = await startEndpoint({ name: "chain", script });
  alpha = await startEndpoint({ name: "alpha", upstream: chain.url });
});

after(() => Promise.all([chain.stop(), alpha.stop()]));

afterEach(async () => {
  await alpha.set("answer");
  alpha.clear();
  chain.clear();
});

const call = (method, params = [], id = 1) => ({ jsonrpc: "2.0", id, method, params });
const three = [call("eth_chainId", [], 1), call("eth_blockNumber", [], 2), call("eth_call", [], 3)];

async function post(body = call("eth_blockNumber"), options = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(alpha.url, { method: "POST", body: text, ...options });
  return { response, text: await response.text() };
}

const postJson = async (body) => JSON.parse((await post(body)).text);

/** @returns {Promise<string>} code of the socket error that a request runs into */
async function brokenBy(body, options) {
  const error = await post(body, options).then(
    () => assert.fail("the request was answered"),
    (e) => e,
  );
  return error.cause?.code ?? error.name;
}

test("a true answer is the upstream's own bytes, and is recorded", async () => {
  const id = "9007199254740993";
  const { response, text } = await post(`{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`);
  assert.equal(response.status, 200);
  assert.equal(text, `{"jsonrpc":"2.0","id":${id},"result":"0x1"}`);
  assert.deepEqual(alpha.requests[0].methods, ["eth_chainId"]);
  assert.equal(alpha.requests[0].headers["content-type"], "text/plain;charset=UTF-8");
  assert.equal(alpha.hits("eth_chainId"), 1);
  assert.equal(alpha.hits("eth_call"), 0);
});

test("a script's errors and gaps are JSON-RPC errors", async () => {
  const sent = await postJson(call("eth_sendRawTransaction", ["0x"]));
  assert.deepEqual(sent.error, { code: -32000, message: "nonce too low", data: "0x1" });
  assert.equal((await postJson(call("eth_nothing"))).error.code, -32601);
});

test("a notification gets no reply, nor does a batch of them", async () => {
  const { text } = await post({ jsonrpc: "2.0", method: "eth_chainId" });
  assert.equal(text, "");
  const replies = await postJson([call("eth_chainId", [], 7), { jsonrpc: "2.0", method: "x" }]);
  assert.deepEqual(
    replies.map((r) => r.id),
    [7],
  );
});

test("refuse closes the port, and the same port opens again", async () => {
  const { url } = alpha;
  await alpha.set("refuse");
  await brokenBy(); // may still use a connection kept open from before
  assert.equal(await brokenBy(), "ECONNREFUSED");
  assert.equal(alpha.hits(), 0);
  await alpha.set("answer");
  assert.equal(alpha.url, url);
  assert.equal((await postJson(call("eth_chainId"))).result, "0x1");
});

test("reset before: the connection dies and the request is not seen", async () => {
  await alpha.set({ mode: "reset", times: 1 });
  assert.match(await brokenBy(), /ECONNRESET|UND_ERR_SOCKET/);
  assert.equal(alpha.hits(), 0);
  assert.equal((await post()).response.status, 200);
});

test("reset after: the request is seen; forwarded only when told to", async () => {
  await alpha.set({ mode: "reset", when: "after" });
  assert.match(await brokenBy(), /ECONNRESET|UND_ERR_SOCKET/);
  assert.equal(alpha.hits(), 1);
  assert.equal(chain.hits(), 0);
  await alpha.set({ mode: "reset", when: "after", forward: true });
  await brokenBy();
  assert.equal(chain.hits(), 1);
});

test("hang never answers and notices that the client left", async () => {
  await alpha.set("hang");
  assert.equal(await brokenBy(undefined, { signal: AbortSignal.timeout(150) }), "TimeoutError");
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(alpha.requests[0].abandoned, true);
});

test("slow answers late", async () => {
  await alpha.set({ mode: "slow", ms: 200 });
  const began = Date.now();
  assert.equal((await postJson(call("eth_chainId"))).result, "0x1");
  assert.ok(Date.now() - began >= 195);
});

for (const chunked of [false, true]) {
  test(`cut hangs up in the middle of the body (chunked: ${chunked})`, async () => {
    await alpha.set({ mode: "cut", chunked });
    const response = await fetch(alpha.url, { method: "POST", body: JSON.stringify(three) });
    assert.equal(response.headers.has("content-length"), !chunked);
    await assert.rejects(response.text());
  });

  test(`stall goes silent in the middle of the body (chunked: ${chunked})`, async () => {
    await alpha.set({ mode: "stall", chunked });
    const signal = AbortSignal.timeout(200);
    const response = await fetch(alpha.url, {
      method: "POST",
      body: JSON.stringify(three),
      signal,
    });
    const reader = response.body.getReader();
    assert.ok((await reader.read()).value.length > 0);
    await assert.rejects(reader.read(), { name: "TimeoutError" });
  });
}

test("drip gives the whole body, slowly", async () => {
  await alpha.set({ mode: "drip", pieces: 4, pause_ms: 30 });
  const began = Date.now();
  assert.equal((await postJson(three)).length, 3);
  assert.ok(Date.now() - began >= 85);
});

test("status, html, empty, bad_json and redirect", async () => {
  await alpha.set({ mode: "status", status: 403, body: "no", headers: { "x-why": "test" } });
  const { response, text } = await post();
  assert.deepEqual([response.status, text, response.headers.get("x-why")], [403, "no", "test"]);
  await alpha.set({ mode: "html", status: 502 });
  assert.match((await post()).text, /^<!DOCTYPE html>/);
  await alpha.set("empty");
  assert.equal((await post()).text, "");
  await alpha.set("bad_json");
  const cut = await post();
  assert.throws(() => JSON.parse(cut.text));
  await alpha.set({ mode: "redirect", status: 307 });
  const moved = await post(undefined, { redirect: "manual" });
  assert.equal(moved.response.status, 307);
  assert.equal((await postJson(call("eth_chainId"))).result, "0x1");
  assert.equal(alpha.requests.at(-1).path, "/elsewhere");
});

test("rate_limit says when to come back", async () => {
  await alpha.set({ mode: "rate_limit", retry_after: 7 });
  const { response, text } = await post();
  assert.equal(response.status, 429);
  assert.equal(response.headers.get("retry-after"), "7");
  assert.equal(JSON.parse(text).error.code, -32005);
  await alpha.set({ mode: "rate_limit", retry_after: null });
  assert.equal((await post()).response.headers.has("retry-after"), false);
});

test("rpc_error strikes every call, or one method's alone, and runs none of them", async () => {
  await alpha.set({ mode: "rpc_error", code: 3, message: "execution reverted", data: "0x08" });
  const { error, id } = await postJson(call("eth_call", [], "a"));
  assert.deepEqual(
    { id, ...error },
    { id: "a", code: 3, message: "execution reverted", data: "0x08" },
  );
  assert.equal(chain.hits(), 0);
  await alpha.set("answer");
  await alpha.set({ mode: "rpc_error", method: "eth_call" });
  const replies = await postJson(three);
  assert.deepEqual(
    replies.map((r) => r.result),
    ["0x1", "0x64", undefined],
  );
  assert.equal(chain.hits("eth_call"), 0);
});

test("a fault for one method leaves the others alone, and times run out", async () => {
  await alpha.set({ mode: "status", method: "eth_call", times: 2 });
  assert.equal((await post(call("eth_chainId"))).response.status, 200);
  assert.equal((await post(call("eth_call"))).response.status, 503);
  assert.equal((await post(three)).response.status, 503);
  assert.equal((await post(call("eth_call"))).response.status, 200);
});

test("wrong_id, wrong_chain and big", async () => {
  await alpha.set("wrong_id");
  assert.notEqual((await postJson(call("eth_chainId"))).id, 1);
  await alpha.set("wrong_chain");
  assert.equal((await postJson(call("eth_chainId"))).result, "0x3e7");
  assert.equal((await postJson(call("eth_blockNumber"))).result, "0x64");
  await alpha.set({ mode: "big", bytes: 300_000 });
  assert.equal((await postJson(call("eth_call"))).result.length, 300_000);
});

test("stale sees an older chain", async () => {
  await alpha.set({ mode: "stale", blocks: 4 });
  assert.equal((await postJson(call("eth_blockNumber"))).result, "0x60");
  assert.equal((await postJson(call("eth_call", [{ to: "0x5" }, "latest"]))).result, "0x5@0x60");
  assert.equal((await postJson(call("eth_getTransactionReceipt", ["0x5"]))).result, null);
  assert.equal((await postJson(call("eth_call", [{}, "0x62"]))).error.message, "header not found");
});

test("batches come back reordered, short, doubled, single or refused", async () => {
  const ids = async (mode) => {
    await alpha.set(mode);
    return [await postJson(three)].flat().map((reply) => reply.id);
  };
  assert.deepEqual(await ids("answer"), [1, 2, 3]);
  assert.deepEqual(await ids("reordered"), [3, 2, 1]);
  assert.deepEqual(await ids("short"), [1, 2]);
  assert.deepEqual(await ids("duplicate"), [1, 2, 1]);
  await alpha.set("single");
  assert.equal((await postJson(three)).result, "0x1");
  assert.deepEqual(await ids({ mode: "batch_limit", max: 3 }), [1, 2, 3]);
  assert.deepEqual(await ids({ mode: "batch_limit", max: 2 }), [null]);
  assert.deepEqual(await ids({ mode: "batch_limit", max: 2, each: true, code: 31 }), [1, 2, 3]);
});

test("pruned has recent state alone, and every block", async () => {
  await alpha.set({ mode: "pruned", blocks: 10 });
  const at = (block) => postJson(call("eth_call", [{ to: "0x5" }, block]));
  assert.equal((await at("latest")).result, "0x5@latest");
  assert.equal((await at("0x5b")).result, "0x5@0x5b");
  assert.match((await at("0x5a")).error.message, /^missing trie node/);
  assert.equal((await postJson(call("eth_getBlockByNumber", ["0x1"]))).error.code, -32601);
});

test("range_limit refuses logs of too many blocks", async () => {
  await alpha.set({ mode: "range_limit", max: 10 });
  const logs = async (filter) => (await postJson(call("eth_getLogs", [filter]))).error.code;
  const unknown = -32601; // the chain's own answer
  assert.equal(await logs({ fromBlock: "0x1", toBlock: "0xa" }), unknown);
  assert.equal(await logs({ fromBlock: "0x1", toBlock: "0xb" }), -32005);
  assert.equal(await logs({ fromBlock: "0x5b" }), unknown);
  assert.equal(await logs({ fromBlock: "0x5a", toBlock: "latest" }), -32005);
  assert.equal(await logs({ blockHash: "0x1" }), unknown);
});

test("answers can be compressed and carry headers", async () => {
  for (const encoding of ["gzip", "br", "deflate"]) {
    await alpha.set({ mode: "answer", encoding, headers: { "set-cookie": "a=1" } });
    const { response, text } = await post(call("eth_chainId"));
    assert.equal(response.headers.get("content-encoding"), encoding);
    assert.equal(response.headers.get("set-cookie"), "a=1");
    assert.equal(JSON.parse(text).result, "0x1");
  }
});

test("a slip in a setting is an error, not another fault", async () => {
  await assert.rejects(alpha.set("rate_limits"), /no mode rate_limits/);
  await assert.rejects(alpha.set({ mode: "status", code: 500 }), /status takes no code/);
  await assert.rejects(alpha.set({ mode: "refuse", method: "eth_call" }), /before any method/);
  await assert.rejects(alpha.set({ mode: "refuse", times: 1 }), /cannot count/);
  assert.equal(alpha.state, "answer");
});

test("people switch faults with curl", async () => {
  const control = await startControl([alpha]);
  const say = async (path, method = "POST") =>
    (await fetch(`${control.url}${path}`, { method })).text();
  assert.match(await say("/", "GET"), /^alpha .* answer/);
  assert.match(await say("/alpha/rate-limit?retry_after=9"), /rate_limit/);
  assert.equal((await post()).response.headers.get("retry-after"), "9");
  await say("/alpha/down");
  await brokenBy();
  assert.equal(await brokenBy(), "ECONNREFUSED");
  await say("/alpha/up");
  assert.equal((await post()).response.status, 200);
  assert.match(await say("/beta/down"), /no endpoint beta/);
  assert.match(await say("/alpha/nonsense"), /no mode nonsense/);
  await control.stop();
});
