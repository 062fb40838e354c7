/**
 * When what the page is told is hostile, old, or does not come.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { endpointOf, startBrowser } from "../support/browser.mjs";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const NASTY = `"><img src=x onerror=globalThis.hit=1><script>globalThis.hit=1</script>`;

let t;
let browser;

before(async () => {
  t = await harness({ chain: false, endpoints: [scripted("a"), scripted("b")] });
  browser = await startBrowser();
});
after(async () => {
  await browser?.stop();
  await t?.stop();
});

const jsonOnly = (page, handle) =>
  page.route(`${t.url}/local`, (route) =>
    route.request().resourceType() === "document" ? route.continue() : handle(route),
  );

/** Nothing of it became markup, and nothing ran. */
async function assertText(page) {
  const found = await page.evaluate(() => [
    globalThis.hit,
    document.querySelectorAll("img, body script:not([type=module])").length,
  ]);
  assert.deepEqual(found, [undefined, 0]);
}

// Callers cannot bring such words here: methods take letters, digits, `_`, `-` and `.` only.
describe("hostile words are text", () => {
  test("all words of a status", async () => {
    const status = await t.status();
    const nasty = (value) => {
      if (typeof value === "string") return NASTY;
      if (Array.isArray(value)) return value.map(nasty);
      if (value === null || typeof value !== "object") return value;
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, nasty(inner)]));
    };
    const { endpoint: _, ...rest } = status;
    const body = nasty(rest);
    body.protocol = "evm";
    const moved = { at_ms: status.now_ms, endpoint: NASTY, from: NASTY, to: NASTY, reason: NASTY };
    body.transitions = [moved];
    body.endpoints[0].last_failure = { at_ms: 1, class: NASTY, status: 500, method: NASTY };
    body.endpoints[0].fault = { kind: NASTY, value: 1, until_ms: status.now_ms + 60_000 };
    body.endpoints[0].gaps = [NASTY];
    body.endpoints[0].methods = { [NASTY]: { requests: 1, failures: 0 } };
    const page = await browser.open(`${t.url}/local`, {
      before: (page) => jsonOnly(page, (route) => route.fulfill({ json: body })),
    });
    assert.ok((await page.locator("main").textContent()).split(NASTY).length > 8);
    await assertText(page);
    await browser.close(page);
  });
});

describe("when the status does not come", () => {
  const alarm = (page) => page.locator("p.alarm");

  test("it says so, says how old it is, and goes on when it comes again", async () => {
    let broken = false;
    const page = await browser.open(`${t.url}/local`, {
      before: async (page) => {
        await page.clock.install();
        await jsonOnly(page, (route) =>
          broken ? route.fulfill({ status: 503 }) : route.continue(),
        );
      },
    });
    assert.ok(await alarm(page).isHidden());
    broken = true;
    await page.clock.runFor(6000);
    await alarm(page)
      .getByText("The status cannot be loaded (HTTP 503). Below is what it was")
      .waitFor();
    assert.equal(await page.locator("#live").textContent(), "The status cannot be loaded.");
    await page.clock.runFor(15_000);
    await page.getByText(/as of 2\d s ago, which is old/).waitFor();
    assert.equal(await page.locator("body.old").count(), 1);
    assert.match(await endpointOf(page, "a").textContent(), /Serves now/);
    broken = false;
    await page.clock.runFor(6000);
    await alarm(page).waitFor({ state: "hidden" });
    assert.equal(await page.locator("body.old").count(), 0);
    await browser.close(page);
    // Chromium itself complains of the 503.
    browser.errors = browser.errors.filter((line) => !line.includes("503"));
  });

  test("it does not ask while nobody looks", async () => {
    let asked = 0;
    const page = await browser.open(`${t.url}/local`, {
      before: async (page) => {
        await page.clock.install();
        await jsonOnly(page, (route) => {
          asked += 1;
          return route.continue();
        });
      },
    });
    const look = (state) =>
      page.evaluate((now) => {
        Object.defineProperty(document, "visibilityState", { value: now, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await page.clock.runFor(6000);
    await t.until(() => asked === 2);
    await look("hidden");
    await page.clock.runFor(60_000);
    assert.equal(asked, 2);
    await look("visible");
    await t.until(() => asked === 3);
    await browser.close(page);
  });
});

test("no page complained", () => browser.assertQuiet([t.url]));
