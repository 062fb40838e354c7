/**
 * Chromium, as somebody who looks at the page has it.
 *
 *     const browser = await startBrowser();
 *     const page = await browser.open(`${t.url}/local`, { colorScheme: "dark" });
 */
import assert from "node:assert/strict";
import { chromium as engine } from "playwright-core";
import { chromium } from "../../scripts/chromium.mjs";

const WAIT_MS = 15_000;

/**
 * @typedef {import("playwright-core").Page} Page
 * @typedef {import("playwright-core").BrowserContextOptions} Look
 */

/** @returns {Promise<Browser>} @throws {Error} when this machine has none */
export async function startBrowser() {
  const executablePath = chromium();
  if (!executablePath) throw new Error("no Chromium here: install it, or name it in CHROMIUM_BIN");
  // Its own sandbox needs rights that a container's root has not.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return new Browser(await engine.launch({ executablePath, args }));
}

export class Browser {
  /** @type {import("playwright-core").Browser} */
  #browser;
  /** What pages complained about, and every request they made. */
  errors = [];
  requests = [];

  constructor(browser) {
    this.#browser = browser;
  }

  /**
   * @param {string} url
   * @param {Look & { before?: (page: Page) => Promise<unknown>, shows?: string }} [look] `before`:
   *   what is done to the page before it loads; `shows`: what it is to show then, a route by default
   * @returns {Promise<Page>} once it does
   */
  async open(url, { before, shows = "section", ...look } = {}) {
    const context = await this.#browser.newContext(look);
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    page.on("console", (line) => line.type() === "error" && this.errors.push(line.text()));
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("request", (request) => this.requests.push(request.url()));
    await before?.(page);
    await page.goto(url);
    await page.locator(shows).first().waitFor();
    return page;
  }

  /** Closes a page. @param {Page} page */
  close(page) {
    return page.context().close();
  }

  /** Nothing was complained about, and nobody but these hosts was asked. @param {string[]} urls */
  assertQuiet(urls) {
    const foreign = this.requests.filter((url) => !urls.some((own) => url.startsWith(own)));
    const asked = foreign.filter((url) => !url.startsWith("data:"));
    assert.deepEqual([this.errors, asked], [[], []]);
    assert.ok(this.requests.length > 0);
  }

  stop() {
    return this.#browser.close();
  }
}

/** @param {Page} page @returns {import("playwright-core").Locator} an endpoint's part of a route */
export const endpointOf = (page, name, route = "local") =>
  page.locator(`[id="r-${route}--${name}"]`);

/** @param {Page} page @param {string | RegExp} text waits until the route's first sentence has it */
export const headline = (page, text) =>
  page.locator("#r-local .headline", { hasText: text }).waitFor();
