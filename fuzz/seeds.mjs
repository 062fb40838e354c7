// Makes the inputs that fuzzing begins with from the corpus and the configurations of the tests, and
// the words it puts in: `node fuzz/seeds.mjs`.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import { secret } from "../tests/support/calls.mjs";

/** Where a secret is put in. */
const K = secret("K");
const root = fileURLToPath(new URL("..", import.meta.url));
const read = (/** @type {string} */ path) => readFileSync(join(root, path), "utf8");

/** @param {string} target @param {(string | Buffer | number[])[]} fields with zero bytes between them */
function seed(target, ...fields) {
  const parts = fields.map((field) => Buffer.from(/** @type {string} */ (field)));
  const bytes = Buffer.concat(parts.flatMap((part, at) => (at ? [Buffer.of(0), part] : [part])));
  const name = createHash("sha1").update(bytes).digest("hex");
  writeFileSync(join(root, "fuzz/seeds", target, name), bytes);
}

/** The same with a byte before it that says what it is. */
const kind = (/** @type {number} */ byte, /** @type {string} */ text) =>
  Buffer.concat([Buffer.of(byte), Buffer.from(text)]);

const lines = ["answers", "found"].flatMap((file) =>
  read(`tests/corpus/${file}.jsonl`).trim().split("\n"),
);
const messages = read("tests/corpus/messages.jsonl").trim().split("\n");
const METHODS = [
  "eth_call",
  "eth_getLogs",
  "eth_blockNumber",
  "eth_chainId",
  "net_version",
  "eth_getBlockByNumber",
];
const SENDS = { send: 10, once: 12, read: 0 };

function answers() {
  for (const [nth, line] of lines.entries()) {
    const { method, status = 200, body = "", body_hex, retry_after = "" } = JSON.parse(line);
    const bytes = body_hex ? Buffer.from(body_hex.replace(/^0x/, ""), "hex") : Buffer.from(body);
    const at = METHODS.indexOf(method);
    const place = at < 0 ? (/send/i.test(method) ? SENDS.send : SENDS.read) : at;
    const [high, low] = [status >> 8, status & 255];
    seed(
      "answer",
      [3, low, high > 1 ? 251 : 1, nth & 31 || 32, 3, place + 1 || 1],
      retry_after,
      "",
      "1",
      bytes,
    );
    seed("answer", [2, low, 251, nth & 31 || 32, 3, 1 + (nth % 5)], retry_after, "", "1", bytes);
    seed("answer", [1, 1 + (nth % 2), 1 + (nth % 6), 1], "", [142, 5, 200, 131, 9, 142], "", bytes);
  }
  for (const line of messages.filter((_, nth) => nth % 4 === 0)) {
    const { code = -32000, message } = JSON.parse(line);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } });
    seed("answer", [3, 1, 1, 32, 3, 1], "", "", "1", body);
  }
  for (let secret = 1; secret < 18; secret += 1) {
    for (let how = 1; how < 8; how += 1)
      seed("answer", [4], [secret, how, 8, how], "", "", "at https://x/ ");
  }
  for (let play = 1; play < 40; play += 1) {
    seed(
      "answer",
      [1, play, play + 3, play],
      "",
      [play * 5, play * 31, play * 17].map((x) => x & 255 || 1),
      "",
      "x",
    );
  }
}

function clients() {
  const call = (
    /** @type {string} */ id,
    /** @type {string} */ method,
    /** @type {string} */ params,
  ) => `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
  const calls = [
    call("1", "eth_call", '[{"to":"0x00","data":"0x"},"latest"]'),
    call('"a\\u0062"', "eth_getLogs", '[{"fromBlock":"0x1","toBlock":"0x2","topics":[null]}]'),
    call("12345678901234567890123", "eth_sendRawTransaction", '["0x02f8"]'),
    call("-0", "eth_getBlockByNumber", '["0x10",false]'),
    call("1.5e3", "eth_getFilterChanges", '["0x60aaaaaa01"]'),
    call("null", "eth_getStorageAt", '["0x00","0x0","earliest"]'),
    '{"jsonrpc":"2.0","method":"eth_subscribe"}',
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"eth_call"}',
  ];
  for (const [nth, one] of calls.entries()) {
    seed("client", kind(4 + (nth % 4), one));
    seed("client", kind(4 + (nth % 4), `[${[one, ...calls.slice(nth)].join(",")}]`));
  }
  for (const id of ['"0x1"', '"0xABCDEF"', '"deadbeef"', '"0x9ca2fe00000000000000000000000000"'])
    seed("client", kind(1, id));
  const payment = '"paymentPayload":{ "a" : 1.0 },"paymentRequirements":{}';
  for (const body of [`{"x402Version":2,${payment}}`, `{${payment},${payment}}`])
    seed("client", kind(2, body));
  for (const body of ['{"kind":"slow","value":2000,"for_ms":60000}', '{"kind":"down","for_ms":1}'])
    seed("client", kind(3, body));
  const paths = [
    "",
    "eth",
    "1",
    "eth/client-key-1",
    "pay/settle",
    "pay/discovery/search",
    "admin/routes/eth/endpoints/alpha/fault",
    "status/eth",
    "ready/eth",
    "health",
    "eth/..%2fadmin",
  ];
  for (const [nth, path] of paths.entries()) {
    const origin = [
      "https://app.example",
      "https://a.wide.example:8443",
      "chrome-extension://abc",
      "",
    ][nth % 4];
    seed(
      "client",
      kind(0, String.fromCharCode(nth + 1)),
      path,
      origin,
      "Bearer client-key-1",
      "client-key-2",
      "text/html;q=0.9, application/json;q=0.8",
    );
  }
  for (const wait of [
    "120",
    "1.5",
    "Thu, 01 Jan 2027 00:00:10 GMT",
    "2001:db8:1:2::7",
    "203.0.113.7",
  ]) {
    seed("client", kind(0, "\x01"), "eth", "", "Bearer t0ken-of-the-operator", "", wait);
  }
}

function configs() {
  const toml = read("tests/config/accepted.rs").match(/r#"\n(\[SERVICE\][\s\S]*?)"#/)?.[1] ?? "";
  const tables = [parse(toml), parse(read("wrangler.toml")).vars ?? {}];
  const value = "s3cr3t-value-of-many-letters";
  for (const vars of tables) {
    const service = JSON.stringify(/** @type {any} */ (vars).SERVICE ?? {});
    for (const [name, route] of Object.entries(vars)) {
      if (!name.startsWith("ROUTE_")) continue;
      seed(
        "config",
        value,
        "B",
        service,
        JSON.stringify(route),
        '{"chain_id":1,"endpoints":[{"name":"a","url":"https://KEY"}]}'.replaceAll("KEY", K),
      );
      seed(
        "config",
        `https://${value}.example`,
        "B",
        "",
        JSON.stringify(route),
        '{"protocol":"x402","endpoints":[{"name":"a","url":"KEY","headers":{"x":"KEY"}}]}'.replaceAll(
          "KEY",
          K,
        ),
      );
    }
  }
  for (const url of [
    "https://rpc.example.org/v2/key?a=b",
    "https://RPC.example.org:8443",
    "http://127.0.0.1:8545",
    "http://[::1]/x",
    "https://xn--bcher-kva.example",
    "https://1.2.3",
    "https://0x7f.1/",
  ]) {
    seed("config", url);
  }
  for (const line of read("tests/config/refused.txt").split("\n")) {
    if (!line.includes("=>") || line.startsWith("#")) continue;
    const keys = line.slice(0, line.lastIndexOf("=>")).split(";").join("\n");
    let table;
    try {
      table = parse(keys);
    } catch {
      continue;
    }
    const route = {
      chain_id: 1,
      endpoints: [{ name: "a", url: `https://a.example.org/${K}`, ...table }],
      ...table,
    };
    seed(
      "config",
      value,
      "B",
      JSON.stringify({ default_route: "a", ...table }),
      JSON.stringify(route),
      "{}",
    );
  }
}

function wires() {
  const head = '{"number":7,"at":1800000000000}';
  const tally =
    '{"requests":3,"failures":1,"classes":{"timeout":1},"methods":{"eth_call":{"requests":3,"failures":1}},"latency":[1,2],"last_failure":{"at_ms":1,"class":"timeout","status":null,"method":"eth_call"},"slow":0,"disagreements":0}';
  const report = (/** @type {string} */ name) =>
    `{"name":"${name}","open":true,"reason":"timeout","seen":1,"rest":{"until":1800000009000,"why":"rate"},"head":${head},"trial":{"id":4,"generation":3,"heard":"failure","reason":"timeout"},"tally":${tally},"replies":["{}"]}`;
  const command = (/** @type {string} */ action) =>
    `{"endpoint":"alpha","action":"${action}","drill":{"kind":"stale","value":9,"until_ms":1800000060000}}`;
  for (const action of ["disable", "enable", "open", "close", "reset", "fault"]) {
    const said = `{"v":1,"isolate":"i","route":"eth","region":"weur","endpoints":[${report("alpha")},${report("beta")}],"traffic":true,"locals":[{"name":"alpha","state":"open","gaps":["x"]}],"given":${head},"writes":[{"hash":"0xab","endpoint":"alpha","at":1800000000000,"client":"01020304"}],"events":[{"event":"alert","endpoint":null,"line":"{}","text":"t","at_ms":4,"times":2}],"command":${command(action)},"for_operator":true}`;
    seed("wire", kind(4, "\x01\x05\x1e"), said, said.replace('"i"', '"j"'), said);
  }
  for (const state of ["closed", "open", "half_open"]) {
    const regional = `{"name":"alpha","state":"${state}","generation":3,"retry_at":1800000005000,"rest":{"until":1800000009000,"why":"rate"},"head":${head},"orders":{"disabled":false,"drill":null,"reset":0},"lag":{"blocks":3,"ms":20000},"finalized":${head},"finalized_lag":null,"chain":"wrong","recent":{"requests":3,"failures":1,"ms":20},"lease":{"id":4,"generation":3,"until":1800000009000}}`;
    const snapshot = `{"v":1,"endpoints":[${regional},${regional.replace("alpha", "beta").replace("wrong", "ok")}],"given":${head},"writes":[]}`;
    seed(
      "wire",
      kind(5, "\x01\x05\x02"),
      snapshot,
      `{"snapshot":${snapshot},"status":"{}","obeyed":true}`,
    );
    const kept = `{"name":"alpha","fingerprint":-5,"breaker":{"state":"${state}","since":1,"generation":2,"failures":3,"successes":1,"failed_probes":4,"retry_at":1800000005000,"lease":null,"leases":3,"trips":2},"rest":null,"tally":${tally},"orders":{"disabled":true,"drill":null,"reset":2},"wrong_for":1}`;
    seed(
      "wire",
      kind(7, "\x01"),
      kept,
      kept.replace("alpha", "beta"),
      `{"at_ms":1,"endpoint":"alpha","from":"closed","to":"${state}","reason":"timeout","region":"weur"}`,
    );
  }
  const asked = ["verified", "claim", "wait", "renew", "move", "end"].map(
    (want) =>
      `{"want":"${want}","endpoint":"a","flight":1,"end":"settled","told":{"status":200,"content_type":null,"extension":null,"endpoint":"a","retry_after_s":null,"hex":"7b7d"}}`,
  );
  seed("wire", kind(6, "\x01\x05\x1e"), "{}", ...asked, ...asked.reverse());
  seed(
    "wire",
    kind(6, "\x1e"),
    '{"v":1,"payment":{"verified_by":"a","bound":"b","flight":2,"lease":1800000009000,"first":true,"doubted":true,"told":null,"touched":1}}',
    ...asked,
  );
}

function scans() {
  for (const line of lines) {
    const { body = "" } = JSON.parse(line);
    for (const text of [line, body, `[${body},null]`, body.slice(0, body.length / 2)])
      seed("scan", text);
  }
}

for (const target of ["answer", "client", "config", "wire", "scan"]) {
  rmSync(join(root, "fuzz/seeds", target), { recursive: true, force: true });
  mkdirSync(join(root, "fuzz/seeds", target), { recursive: true });
}
answers();
clients();
configs();
wires();
scans();

const words = new Set([
  ...METHODS,
  '"jsonrpc":"2.0"',
  '"id":',
  '"result":',
  '"error":{"code":-32000,"message":"',
  '"data":',
  '"params":[',
  "\\u0000",
  "\\\\",
  "%2f",
  K,
  "https://",
  "[::1]",
  "127.0.0.1",
  "@",
  "0x",
  '"latest"',
  "null",
  "18446744073709551615",
  "1e400",
]);
for (const line of messages) words.add(JSON.parse(line).message?.slice(0, 40) ?? "x");
for (const key of read("src/config/route.rs").matchAll(/"([a-z_]+)"/g)) words.add(`"${key[1]}":`);
const entry = (/** @type {string} */ word) =>
  `"${[...Buffer.from(word)].map((b) => `\\x${b.toString(16).padStart(2, "0")}`).join("")}"`;
writeFileSync(join(root, "fuzz/seeds/words.dict"), `${[...words].map(entry).join("\n")}\n`);
