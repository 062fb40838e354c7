/**
 * Errors of Breakwater's own: what is asked, and the HTTP status and JSON-RPC error that come.
 * `PRINT_TABLE=1` prints them all.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import { call, scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { printTable } from "../support/table.mjs";

/** No parser but a careful one hands this back as it is. */
const ID = "12345678901234567890.50";
const ask = (method, params = []) =>
  `{"jsonrpc":"2.0","id":${ID},"method":"${method}","params":${JSON.stringify(params)}}`;
const TX = `0x02${"ab".repeat(100)}`;

let open;
let guarded;

before(async () => {
  const names = ["a", "limited", "limited_too", "down", "down_too", "lost", "odd", "without"];
  const route = (...endpoints) => ({ protocol: "evm", chain_id: 31337, endpoints });
  open = await harness({
    chain: false,
    endpoints: names.map((name) => scripted(name)),
    route: { endpoints: ["a"], batch_max: 3, body_max_bytes: 2000 },
    routes: {
      ROUTE_LIMITED: route("limited", "limited_too"),
      ROUTE_DOWN: route("down", "down_too"),
      ROUTE_MIXED: route("limited", "down"),
      ROUTE_REFUSED: route("without", "down"),
      ROUTE_ODD: route("odd", "down"),
      ROUTE_LOST: { ...route("lost", "down"), methods: { allow: ["eth_sendTransaction"] } },
      ROUTE_BAD: route("a", { name: "b", url: "ftp://b" }),
    },
  });
  const { endpoint } = open;
  await endpoint.limited.set({ mode: "rate_limit", retry_after: 7 });
  await endpoint.limited_too.set({ mode: "rate_limit", retry_after: 9 });
  await endpoint.down.set("refuse");
  await endpoint.down_too.set({ mode: "status", status: 500 });
  await endpoint.lost.set({ mode: "reset", when: "after" });
  await endpoint.odd.set({ mode: "rpc_error", code: 1001, message: "oracle paused" });
  await endpoint.without.set({ mode: "rpc_error", code: -32601, message: "no such method" });
  guarded = await harness({
    chain: false,
    endpoints: [scripted("a")],
    service: { allowed_origins: ["https://dapp.example"], require_key: true },
    secrets: { CLIENT_KEYS: "one,two" },
  });
});

after(() => Promise.all([open?.stop(), guarded?.stop()]));

const post = (body, path = "/") => open.post(path, body);
const send = (method, param) => post(ask(method, [param]), "/lost");
const tried = (...attempts) => attempts.map(([endpoint, reason]) => ({ endpoint, class: reason }));

/** A body that does not say how long it is. */
function unannounced(bytes) {
  const chunk = new TextEncoder().encode("[".padEnd(1000, " "));
  let left = bytes / chunk.length;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(chunk);
      else controller.close();
    },
  });
}

/** `fetch` does not let anybody ask for an upgrade. */
async function upgrade(url) {
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
  };
  const [response] = await once(request(url, { headers }).end(), "response");
  const text = (await response.toArray()).join("");
  const { statusCode: status } = response;
  return { status, headers: new Headers(response.headers), text, body: JSON.parse(text) };
}

/**
 * @param {string} what is asked
 * @param {() => Promise<import("../support/answer.mjs").Answer>} send
 * @param {number} status
 * @param {number} code
 * @param {{ id?: string, retry?: number, data?: object, message?: RegExp }} [more] `id` as JSON text,
 *   `null` by default; `retry`: least `Retry-After` in seconds, absent: there is none
 */
const row = (what, send, status, code, more = {}) => ({ what, send, status, code, ...more });

const origin = "https://evil.example";
const reads = (path) => () => post(ask("eth_call"), path);

const rows = [
  row("no JSON", () => post("{"), 200, -32700),
  row("no body", () => post(""), 200, -32700),
  row("not UTF-8", () => post(Buffer.from([0xff, 0xfe])), 200, -32700),
  row("`1`", () => post("1"), 200, -32600),
  row("`[]`", () => post("[]"), 200, -32600),
  row("no `jsonrpc`", () => post(`{"id":${ID},"method":"eth_call"}`), 200, -32600, { id: ID }),
  row("no `method`", () => post(`{"jsonrpc":"2.0","id":${ID}}`), 200, -32600, { id: ID }),
  row("an id that is an object", () => post(ask("eth_call").replace(ID, "{}")), 200, -32600),
  row("a method not served", () => post(ask("debug_traceCall")), 200, -32601, { id: ID }),
  row("a body over `body_max_bytes`", () => post(" ".repeat(2001)), 413, -32600),
  row("such a body without Content-Length", () => post(unannounced(3000)), 413, -32600),
  row(
    "an origin not listed",
    () => guarded.post("/local/one", ask("eth_call"), { origin }),
    403,
    -32001,
    { id: ID },
  ),
  row("no client key", () => guarded.post("/", ask("eth_call")), 401, -32001, { id: ID }),
  row("a wrong client key", () => guarded.post("/local/three", ask("eth_call")), 401, -32001, {
    id: ID,
  }),
  row("every endpoint says 429", reads("/limited"), 429, -32005, { id: ID, retry: 7 }),
  row("every endpoint still rests", reads("/limited"), 429, -32005, { id: ID, retry: 1 }),
  row("every endpoint down", reads("/down"), 503, -32002, {
    id: ID,
    retry: 1,
    data: { attempts: tried(["down", "network"], ["down_too", "server_error"]) },
  }),
  row("one throttled, one down", reads("/mixed"), 503, -32002, {
    id: ID,
    retry: 1,
    data: { attempts: tried(["limited", "rate_limited"], ["down", "network"]) },
  }),
  row("one without the method, one down", reads("/refused"), 200, -32601, {
    id: ID,
    message: /^no such method$/,
  }),
  row("one with an error nobody knows, one down", reads("/odd"), 200, 1001, {
    id: ID,
    message: /^oracle paused$/,
  }),
  row("a node-signed send, its answer lost", () => send("eth_sendTransaction", {}), 200, -32002, {
    id: ID,
    data: { outcome: "unknown", attempts: tried(["lost", "network"]) },
  }),
  row("a raw send, every answer lost", () => send("eth_sendRawTransaction", TX), 504, -32002, {
    id: ID,
    data: { outcome: "unknown", attempts: tried(["lost", "network"], ["down", "network"]) },
  }),
  row("a route with a mistake", reads("/bad"), 500, -32002, {
    id: ID,
    message: /ROUTE_BAD\.endpoints\[1\]\.url/,
  }),
  row("an unknown path", () => open.get("/nowhere"), 404, -32600),
  row("a POST there", reads("/no/where"), 404, -32600, { id: ID }),
  row("`/admin` without a token set", () => open.get("/admin/routes/local"), 404, -32600),
  row("PUT", () => open.fetch("/local", { method: "PUT", body: "{}" }), 405, -32600),
  row("POST on `/status`", () => post("{}", "/status"), 405, -32600),
  row("WebSocket", () => upgrade(`${open.url}/local`), 426, -32600),
];

describe("own errors", () => {
  const seen = [];
  after(() => printTable("Own errors", ["Request", "HTTP", "Retry-After", "Body"], seen));

  for (const row of rows) {
    test(row.what, async () => {
      const answer = await row.send();
      const retryAfter = answer.headers.get("retry-after");
      seen.push([row.what, answer.status, retryAfter, answer.text]);
      check(row, answer, retryAfter);
    });
  }

  test("a batch over `batch_max`: one error for each", async () => {
    const answer = await post([1, 2, 3, 4].map((id) => call("eth_call", [], id)));
    seen.push(["a batch over `batch_max`", answer.status, null, answer.text]);
    assert.equal(answer.status, 200);
    assert.deepEqual(
      answer.body.map(({ id, error }) => [id, error.code]),
      [1, 2, 3, 4].map((id) => [id, -32600]),
    );
    assert.equal(open.endpoint.a.hits("eth_call"), 0);
  });
});

function check({ status, code, id = "null", data, retry, message }, answer, retryAfter) {
  assert.equal(answer.status, status, answer.text);
  assert.match(answer.headers.get("content-type"), /^application\/json/);
  assert.equal(answer.body.jsonrpc, "2.0");
  assert.ok(
    answer.text.includes(`"id":${id},`) || answer.text.endsWith(`"id":${id}}`),
    answer.text,
  );
  assert.equal(answer.body.error.code, code);
  assert.match(answer.body.error.message, message ?? /\w/);
  assert.deepEqual(answer.body.error.data, data);
  assert.equal("result" in answer.body, false);
  if (retry === undefined) assert.equal(retryAfter, null);
  else
    assert.ok(/^\d+$/.test(retryAfter) && Number(retryAfter) >= retry, `Retry-After ${retryAfter}`);
}
