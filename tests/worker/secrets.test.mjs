/**
 * What must never come out: keys, hosts, ports and paths of upstreams, and clients' keys; whatever
 * an upstream puts into its answers.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { call, scripted, secret } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";
import { Watch } from "../support/leaks.mjs";

/** What is configured as a secret; a slash is written in two ways in JSON. */
const SECRETS = {
  PATH_KEY: "pAtH-k3y/with+slash==",
  QUERY_KEY: "qu3ry-k3y-0123456789",
  HEADER_TOKEN: "h3ad3r-t0k3n-abcdef",
};
/** A key that somebody wrote into the URL itself. */
const LITERAL = "l1t3ral-k3y-in-the-url";
const CLIENT_KEY = "cl13nt-k3y-42";

let upstream;
let address;
let t;

/** An upstream that tells everything it knows; the method says how. */
function startEcho() {
  const server = createServer(async (req, res) => {
    const body = (await req.toArray()).join("");
    const { id, method } = [JSON.parse(body)].flat()[0];
    const all = `at http://${req.headers.host}${req.url} with ${JSON.stringify(req.headers)}`;
    const echo = ECHOES[method] ?? ECHOES.eth_missing;
    const { status = 200, headers = {}, say } = echo(all, id ?? null, req);
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(say);
  });
  server.listen(0, "127.0.0.1");
  return once(server, "listening").then(() => server);
}

const error = (id, code, message, data) =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });

/** What it answers, by method: everything it knows, and the request's id. */
const ECHOES = {
  eth_unknown: (all, id) => ({ say: error(id, 1234, all) }),
  eth_data: (all, id) => ({ say: error(id, 1234, "odd", { all, nested: [{ all }] }) }),
  eth_revert: (all, id) => ({ say: error(id, 3, `execution reverted: ${all}`, "0x") }),
  eth_params: (all, id) => ({ say: error(id, -32602, `invalid argument 0: ${all}`) }),
  eth_missing: (all, id) => ({ say: error(id, -32601, `no such method ${all}`) }),
  eth_throttled: (all, id) => ({ status: 429, say: error(id, -32005, `rate limit ${all}`) }),
  eth_escaped: (all, id) => ({ say: error(id, 1234, all).replaceAll("/", "\\/") }),
  eth_encoded: (all, id) => ({ say: error(id, 1234, encodeURIComponent(all)) }),
  eth_encoded_low: (all, id) => ({ say: error(id, 1234, encodeURIComponent(all).toLowerCase()) }),
  eth_shouted: (all, id) => ({ say: error(id, 1234, all.toUpperCase()) }),
  eth_getBlockByNumber: (all, id) => ({ say: JSON.stringify({ jsonrpc: "2.0", id, result: all }) }),
  eth_member: (all, id) => ({ say: JSON.stringify({ jsonrpc: "2.0", id, error: all }) }),
  eth_page: (all) => ({ status: 502, headers: { "content-type": "text/html" }, say: `<p>${all}` }),
  eth_text: (all) => ({ say: all }),
  eth_broken: (all) => ({ say: `{"error":"${all}` }),
  eth_redirected: (_, __, req) => ({
    status: 302,
    headers: { location: `https://${req.headers.host}${req.url}`, "x-url": req.url },
    say: "",
  }),
  eth_headers: (all, id, req) => ({
    headers: {
      "x-upstream": req.headers.host,
      "set-cookie": `k=${SECRETS.QUERY_KEY}`,
      server: all,
    },
    say: error(id, 1234, "odd"),
  }),
};

before(async () => {
  upstream = await startEcho();
  address = `127.0.0.1:${upstream.address().port}`;
  const url = `http://${address}/${LITERAL}/${secret("PATH_KEY")}?key=${secret("QUERY_KEY")}`;
  const endpoints = [{ name: "echo", url, headers: { "x-token": secret("HEADER_TOKEN") } }];
  const base = { protocol: "evm", chain_id: 31337, trip_after: 1000 };
  const names = [...Object.keys(ECHOES), "eth_down", "eth_result"];
  t = await harness({
    chain: false,
    endpoints: [],
    service: { require_key: true },
    secrets: { ...SECRETS, CLIENT_KEYS: CLIENT_KEY },
    route: { ...base, endpoints },
    routes: {
      ...Object.fromEntries(
        names.map((name) => [`ROUTE_${name.toUpperCase()}`, { ...base, endpoints }]),
      ),
      ROUTE_BAD: { ...base, endpoints: [{ name: "bad", url: `ftp://x/${secret("PATH_KEY")}` }] },
    },
  });
});

after(async () => {
  upstream?.close();
  upstream?.closeAllConnections();
  await t?.stop();
});

/** Every secret, also as JSON or a URL may write it. */
function forbidden() {
  const values = [...Object.values(SECRETS), LITERAL, CLIENT_KEY, address, "127.0.0.1"];
  return values.flatMap((value) => [
    value,
    value.replaceAll("/", "\\/"),
    encodeURIComponent(value),
  ]);
}

/** Asserts that nothing of it is in some text. */
function clean(text) {
  const low = text.toLowerCase();
  for (const value of forbidden())
    assert.ok(!low.includes(value.toLowerCase()), `${value} in ${text}`);
}

const all = ({ headers, text }) => `${[...headers].join("\n")}\n${text}`;
const key = { "x-api-key": CLIENT_KEY };

describe("nothing is told by the answer when the upstream echoes its request in", () => {
  for (const method of Object.keys(ECHOES).filter((name) => name !== "eth_getBlockByNumber")) {
    test(method.slice(4), async () => {
      const path = `/${method.replaceAll("_", "-")}/${CLIENT_KEY}`;
      const answer = await t.post(path, call(method));
      assert.notEqual(answer.error, undefined);
      clean(all(answer));
      clean(all(await t.post(path, [call(method)])));
    });
  }
});

test("a redacted error says so and keeps the rest", async () => {
  const { error } = await t.post(`/eth-unknown/${CLIENT_KEY}`, call("eth_unknown"));
  assert.equal(error.code, 1234);
  assert.match(error.message, /^at http:\/\/\[redacted\].* with \{.*"x-token":"\[redacted\]"/);
});

test("a result is never touched", async () => {
  const { text } = await t.post(`/eth-result/${CLIENT_KEY}`, call("eth_getBlockByNumber"));
  assert.ok(text.includes(SECRETS.QUERY_KEY) && text.includes(address), text);
});

describe("nothing is told by", () => {
  for (const path of [
    "/",
    "/status",
    "/status/eth-page",
    "/eth-page",
    "/health",
    "/ready",
    "/bad",
  ]) {
    test(path, async () => {
      clean(all(await t.get(path, key)));
      clean(all(await t.get(path, { ...key, accept: "text/html" })));
    });
  }

  test("a route that is down", async () => {
    upstream.close();
    upstream.closeAllConnections();
    clean(all(await t.post(`/eth-down/${CLIENT_KEY}`, call("eth_call"))));
    clean(all(await t.post("/eth-down/wrong-key", call("eth_call"))));
    clean(all(await t.get("/status/eth-down", key)));
  });

  test("the log", () => {
    assert.ok(t.logs.length > 0);
    for (const line of [...t.logs, ...t.worker.logs.runtime.map(({ message }) => message)])
      clean(line);
  });
});

describe("the watch over all that comes out", () => {
  const loose = { UNUSED_KEY: "k3y-that-no-route-refers-to" };

  for (const [where, say, seen] of [
    ["an error that nothing redacts", { error: { code: 1234, message: loose.UNUSED_KEY } }, true],
    ["a result, which nobody touches", { result: loose.UNUSED_KEY }, false],
    ["nothing", { error: { code: 1234, message: "odd" } }, false],
  ]) {
    test(`${seen ? "sees" : "lets be"} ${where}`, async () => {
      const watched = await harness({
        chain: false,
        endpoints: [scripted("a", { script: { eth_getCode: () => say.result } })],
        secrets: loose,
        service: { state: "isolate" },
      });
      if (say.error) await watched.endpoint.a.set({ mode: "rpc_error", ...say.error });
      await watched.rpc("eth_getCode", ["0x1"]);
      if (seen) await assert.rejects(watched.stop(), /UNUSED_KEY is in the body of \//);
      else await watched.stop();
    });
  }

  test("sees a host in a log line and a key in a header, however they are written", () => {
    const vars = {
      ROUTE_A: { endpoints: [{ name: "a", url: `http://u.example:81/${secret("K")}` }] },
    };
    for (const [key, text, count] of [
      ["s3cr3t/key", '{"event":"x","at":"http://U.example:81/"}', 1],
      ["s3cr3t/key", "x: s3cr3t%2Fkey", 1],
      ["s3cr3t/key", String.raw`x s3cr3t\/KEY`, 1],
      ["short", "short", 0],
    ]) {
      const watch = new Watch({ K: key }, vars);
      watch.hear("a text", text);
      assert.equal(watch.found.length, count, text);
    }
  });
});
