/**
 * The status page as it is served: to whom, under which headers, and what is not in it. What it
 * shows is asked of a browser, in tests/browser.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const LIMIT_BYTES = { raw: 24_000, gzipped: 10_500 };
const KEY = "page-key-1";

let t;
let guarded;

before(async () => {
  const pay = { protocol: "x402", endpoints: [{ name: "cdp", url: "http://127.0.0.1:1" }] };
  t = await harness({
    chain: false,
    endpoints: [scripted("a")],
    service: { allowed_origins: ["https://app.example.org"] },
    route: { chain_name: "Testing Ground", currency: { symbol: "TST" } },
    routes: { ROUTE_PAY: pay, ROUTE_BAD: {} },
  });
  guarded = await harness({
    chain: false,
    endpoints: [scripted("a")],
    service: { require_key: true },
    secrets: { CLIENT_KEYS: KEY },
  });
});
after(() => Promise.all([t?.stop(), guarded?.stop()]));

const isPage = ({ status, headers, text }) => {
  assert.equal(status, 200);
  assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(text, /^<!doctype html>/);
};

const isStatus = ({ status, headers, body }) => {
  assert.equal(status, 200);
  assert.equal(headers.get("content-type"), "application/json");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.ok(body.routes ?? body.endpoints);
};

/** The only element of that name, and what is in it. */
const inside = (html, tag) => {
  const found = [...html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, "g"))];
  assert.equal(found.length, 1, tag);
  return found[0][1];
};

const sha256 = (text) => createHash("sha256").update(text).digest("base64");

describe("who gets which", () => {
  const paths = ["/", "/local", "/31337", "/pay", "//local/"];

  for (const path of paths) {
    test(`${path} is a page for a browser`, async () => isPage(await t.get(path, BROWSER)));

    for (const accept of [
      "*/*",
      "application/json",
      "text/html;q=0",
      "application/json,text/html;q=0.9",
    ]) {
      test(`${path} is JSON for ${accept}`, async () => isStatus(await t.get(path, { accept })));
    }
  }

  test("/status stays JSON, even for a browser", async () => {
    isStatus(await t.get("/status", BROWSER));
    isStatus(await t.get("/status/local", BROWSER));
  });

  test("what is wrong with a route stays JSON", async () => {
    const { status, body } = await t.get("/bad", BROWSER);
    assert.deepEqual([status, body.error.code], [500, -32002]);
    assert.equal((await t.get("/nobody", BROWSER)).status, 404);
    assert.equal((await t.fetch("/local", { method: "PUT", headers: BROWSER })).status, 405);
  });

  test("HEAD is the page without its text", async () => {
    const { status, headers, text } = await t.fetch("/", { method: "HEAD", headers: BROWSER });
    assert.deepEqual([status, text], [200, ""]);
    assert.ok(headers.has("content-security-policy"));
  });

  test("a key is needed where one is required, and its path is enough", async () => {
    for (const path of ["/", "/local", "/local/another"]) {
      assert.equal((await guarded.get(path, BROWSER)).status, 401, path);
    }
    const page = await guarded.get(`/local/${KEY}`, BROWSER);
    isPage(page);
    assert.ok(!page.text.includes(KEY));
    isStatus(await guarded.get(`/local/${KEY}`, { accept: "application/json" }));
  });
});

describe("the page", () => {
  test("runs its own script and style, and nothing else", async () => {
    const { headers, text } = await t.get("/", BROWSER);
    const policy = new Map(
      headers
        .get("content-security-policy")
        .split("; ")
        .map((part) => {
          const [name, ...values] = part.split(" ");
          return [name, values.join(" ")];
        }),
    );
    assert.deepEqual(Object.fromEntries(policy), {
      "default-src": "'none'",
      "script-src": `'sha256-${sha256(inside(text, "script"))}'`,
      "style-src": `'sha256-${sha256(inside(text, "style"))}'`,
      "connect-src": "'self'",
      "img-src": "data:",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
      "trusted-types": "'none'",
    });
  });

  test("asks nobody else and says nothing of where it was", async () => {
    const { headers, text } = await t.get("/", BROWSER);
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.doesNotMatch(text, /(?:src|href)="?(?:https?:)?\/\//);
    assert.doesNotMatch(text, /innerHTML|insertAdjacentHTML|document\.write|\beval\(/);
  });

  test("is the same for every route, and holds nothing of any", async () => {
    const pages = await Promise.all(["/", "/local", "/pay"].map((path) => t.get(path, BROWSER)));
    assert.equal(new Set(pages.map(({ text }) => text)).size, 1);
    assert.ok(!pages[0].text.includes("Testing Ground"));
  });

  test("is asked for again each time, and sent again only when it is another", async () => {
    const { headers } = await t.get("/", BROWSER);
    const tag = headers.get("etag");
    assert.equal(headers.get("cache-control"), "no-cache");
    assert.match(headers.get("vary"), /^Accept, Origin$/);
    const same = await t.get("/", { ...BROWSER, "if-none-match": `W/${tag}` });
    assert.deepEqual([same.status, same.text], [304, ""]);
    assert.equal(same.headers.get("etag"), tag);
    const other = await t.get("/", { ...BROWSER, "if-none-match": '"another"' });
    isPage(other);
  });

  test("is small", async () => {
    const { text } = await t.get("/", BROWSER);
    const [raw, gzipped] = [Buffer.byteLength(text), gzipSync(text).length];
    assert.ok(raw <= LIMIT_BYTES.raw, `${raw} bytes`);
    assert.ok(gzipped <= LIMIT_BYTES.gzipped, `${gzipped} bytes gzipped`);
  });
});

describe("what the page goes by", () => {
  test("the chain's name and currency", async () => {
    const { chain_name: name, currency } = await t.status();
    assert.equal(name, "Testing Ground");
    assert.deepEqual(currency, { name: "TST", symbol: "TST", decimals: 18 });
    const pay = await t.status("pay");
    assert.deepEqual([pay.chain_name, pay.currency], [null, null]);
  });

  test("the last hour, as far back as it is known", async () => {
    for (let i = 0; i < 3; i++) await t.rpc("eth_call", [], { path: "/local" });
    const minutes = await t.until(async () => {
      const { endpoint } = await t.status();
      return endpoint.a.requests >= 4 && endpoint.a.minutes;
    });
    assert.ok(minutes.length >= 1 && minutes.length <= 60);
    const requests = minutes.reduce((sum, minute) => sum + minute[0], 0);
    const { endpoint } = await t.status();
    assert.ok(requests >= 4 && requests <= endpoint.a.requests, `${requests}`);
    assert.deepEqual(
      minutes.map((minute) => minute[1]),
      minutes.map(() => 0),
    );
  });
});
