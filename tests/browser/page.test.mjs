/**
 * What the status page shows, in Chromium, while endpoints fail and come back.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { endpointOf, headline, startBrowser } from "../support/browser.mjs";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const ADMIN = { authorization: "Bearer page-admin" };

let t;
let browser;

before(async () => {
  const pay = { protocol: "x402", endpoints: [{ name: "cdp", url: "http://127.0.0.1:1" }] };
  t = await harness({
    chain: false,
    endpoints: [scripted("a"), scripted("b"), scripted("c")],
    secrets: { ADMIN_TOKEN: "page-admin" },
    route: {
      trip_after: 2,
      cooldown_ms: 1000,
      cooldown_max_ms: 1500,
      chain_name: "Testing Ground",
    },
    routes: { ROUTE_PAY: pay, ROUTE_BAD: {} },
  });
  browser = await startBrowser();
});
after(async () => {
  await browser?.stop();
  await t?.stop();
});

const ask = async (n = 1) => {
  for (let i = 0; i < n; i++) await t.rpc("eth_call", [], { path: "/local" });
};
const text = (locator) => locator.textContent();
const drill = (name, body) => t.post(`/admin/routes/local/endpoints/${name}/fault`, body, ADMIN);
const mend = async () => {
  await t.heal();
  await t.post("/admin/routes/local/reset", "", ADMIN);
};

describe("the page of a route", () => {
  test("that is well", async () => {
    await ask(5);
    const page = await browser.open(`${t.url}/local`);
    await headline(page, "a serves; the other 2 are fit too.");
    assert.equal(await page.title(), "local: All is well – Breakwater");
    assert.match(await text(endpointOf(page, "a")), /Serves now/);
    assert.match(await text(endpointOf(page, "b")), /Fit, waiting/);
    const facts = await text(endpointOf(page, "a").locator("dl").first());
    assert.match(facts, /p50 ≤ \d+(\.\d+)? m?s, p99 ≤ \d+(\.\d+)? m?s/);
    assert.match(facts, /Failed\s*0 % of \d+ in \d+ min/);
    assert.match(facts, /Last failure\s*none seen/);
    const spark = endpointOf(page, "a").getByRole("img");
    assert.match(
      await spark.getAttribute("aria-label"),
      /^a, last \d+ minutes?: \d+ attempts?, 0 failed$/,
    );
    await browser.close(page);
  });

  test("of facilitators says unknown of what is not known, never 0", async () => {
    const page = await browser.open(`${t.url}/pay`);
    const facts = await text(endpointOf(page, "cdp", "pay"));
    assert.match(facts, /Latency so far\s*unknown/);
    assert.match(facts, /Failed\s*nothing asked/);
    assert.doesNotMatch(facts, /Head|Behind/);
    assert.equal(await page.getByRole("button", { name: /Add to/ }).count(), 0);
    await page.getByText("Use it in code").click();
    await page.getByText(`new HTTPFacilitatorClient({ url: "${t.url}/pay" })`).waitFor();
    await browser.close(page);
  });

  test("through an outage, without being loaded again", async () => {
    const page = await browser.open(`${t.url}/local`);
    await page.evaluate(() => {
      globalThis.same = true;
    });
    await t.endpoint.a.set("refuse");
    await ask(4);
    await headline(page, /^b serves; a is (out|being tested) since .*\(no connection\)\.$/);
    assert.match(await page.title(), /^local: Serving, with trouble/);
    const a = endpointOf(page, "a");
    assert.match(await text(a), /(?:Out|Being tested) since \d+:\d\d:\d\d.*\(\d+ s ago\)/);
    assert.match(await text(a), /no connection; (?:next test|\d of 2 good tests)/);
    assert.match(await text(a), /no connection \(network\), eth_/);
    assert.match(await text(endpointOf(page, "b")), /Serves now/);
    assert.equal(await page.locator("#live").textContent(), "local: b serves now.");
    assert.ok((await a.locator("rect.failed").count()) > 0);
    const past = page.getByRole("list", { name: "What happened on local, newest first" });
    assert.match(await text(past), /a out: no connection/);

    await t.endpoint.a.set("answer");
    await headline(page, "a serves; the other 2 are fit too.");
    assert.match(await text(past), /a fit: recovered/);
    assert.equal(await page.evaluate(() => globalThis.same), true);
    await browser.close(page);
    await mend();
  });

  test("with nobody fit", async () => {
    const page = await browser.open(`${t.url}/local`);
    for (const name of ["a", "b", "c"]) await t.endpoint[name].set("refuse");
    await ask(6);
    await headline(page, /^Nobody is fit to serve: a is .*, b is .*, c is /);
    assert.match(await page.title(), /^local: Out of service/);
    await browser.close(page);
    await mend();
  });

  test("with a drill and one that is switched off", async () => {
    await drill("b", { kind: "slow", value: 1500, for_ms: 60_000 });
    await t.post("/admin/routes/local/endpoints/c/disable", "", ADMIN);
    const page = await browser.open(`${t.url}/local`);
    await headline(page, "a serves; drill at b.");
    assert.match(
      await text(endpointOf(page, "b")),
      /Drill each request 1\.5 s later, ends in \d+ s/,
    );
    assert.match(await text(endpointOf(page, "c")), /Switched off/);
    await t.post("/admin/routes/local/endpoints/c/enable", "", ADMIN);
    await browser.close(page);
    await mend();
  });

  test("in a colour scheme and at a width of one's own", async () => {
    for (const colorScheme of ["light", "dark"]) {
      const look = { colorScheme, viewport: { width: 320, height: 640 } };
      const page = await browser.open(`${t.url}/local`, look);
      const { wide, paper, low } = await page.evaluate(measure);
      assert.ok(wide <= 320, `${wide} pixels wide`);
      assert.equal(paper < 0.2, colorScheme === "dark", `paper ${paper}`);
      assert.deepEqual(low, [], colorScheme);
      await browser.close(page);
    }
  });
});

/** In the page: its width, how bright its paper is, and texts that are hard to read on it. */
function measure() {
  const rgb = (colour) => colour.match(/[\d.]+/g).map(Number);
  const part = (v) => (v <= 10 ? v / 3295 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const behind = (node) => {
    const own = rgb(getComputedStyle(node).backgroundColor);
    return own[3] === 0 && node.parentElement ? behind(node.parentElement) : own;
  };
  const contrast = (node) => {
    const [a, b] = [light(rgb(getComputedStyle(node).color)), light(behind(node))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const texts = [...document.querySelectorAll("h1,h2,h3,p,dt,dd,a,button,summary,.note,small")];
  const shown = texts.filter((node) => node.checkVisibility() && node.textContent.trim());
  return {
    wide: document.documentElement.scrollWidth,
    paper: light(behind(document.body)),
    low: shown.filter((node) => contrast(node) < 4.5).map((node) => node.outerHTML.slice(0, 80)),
  };
}

test("the page of all routes has each, and what is wrong with the configuration", async () => {
  const page = await browser.open(`${t.url}/`);
  const nav = page.getByRole("navigation", { name: "Routes" });
  assert.deepEqual(
    await nav.getByRole("link").allTextContents(),
    ["local", "pay"].map((n) => `${n}: All is well`),
  );
  await page.getByText("ROUTE_BAD.chain_id: is missing").waitFor();
  assert.equal(await text(page.getByRole("heading", { level: 1 })), "Serving, with trouble");
  await page.getByRole("link", { name: "pay", exact: true }).click();
  await page.waitForURL(`${t.url}/pay`);
  await page.getByText("Facilitator URL").waitFor();
  await browser.close(page);
});

test("nobody else was asked, and no page complained", () => browser.assertQuiet([t.url]));
