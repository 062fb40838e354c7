/**
 * The example of a dApp in Chromium, served from another origin than Breakwater's, with a wallet.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { chromium } from "../../scripts/chromium.mjs";
import { root } from "../../scripts/paths.mjs";
import { startBrowser } from "../support/browser.mjs";
import { FOLLOWED } from "../support/example.mjs";
import { harness } from "../support/harness.mjs";

const PAGE = readFileSync(join(root, "examples", "dapp", "index.html"));
const LIMIT = { timeout: 60_000 };
const skip = !chromium() && "SKIPPED: no Chromium here";

/** In the page: a wallet with one account that keeps what it is asked. */
function injectWallet(account) {
  globalThis.asked = [];
  globalThis.ethereum = {
    request: async (request) => {
      globalThis.asked.push(request);
      return request.method === "eth_requestAccounts" ? [account] : null;
    },
  };
}

describe("the dApp", { skip }, () => {
  let t;
  let browser;
  let server;
  let address;
  before(async () => {
    t = await harness(FOLLOWED);
    server = createServer((req, res) => {
      if (req.url === "/favicon.ico") res.writeHead(204).end();
      else res.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://localhost:${server.address().port}/?rpc=${t.url}`;
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.stop();
    server?.close();
    await t?.stop();
  });

  const open = (...script) =>
    browser.open(address, {
      shows: "#block",
      before: (page) => script.length > 0 && page.addInitScript(...script),
    });
  const shows = (page, id, text) => page.locator(id, { hasText: text }).waitFor(LIMIT);

  test("connects a wallet, and goes on while its endpoint is killed", async () => {
    const [account] = t.chain.accounts;
    const page = await open(injectWallet, account);
    await shows(page, "#by", "first");
    await page.getByRole("button", { name: "Connect your wallet" }).click();
    await shows(page, "#account", account);
    await shows(page, "#balance", "10000");
    const asked = await page.evaluate(() => globalThis.asked);
    assert.deepEqual(
      asked.map(({ method }) => method),
      ["wallet_addEthereumChain", "eth_requestAccounts"],
    );
    const [{ chainId, rpcUrls }] = asked[0].params;
    assert.deepEqual([chainId, rpcUrls], ["0x7a69", [t.url]]);

    await t.endpoint.first.set("refuse");
    await shows(page, "#by", "second");
    const block = Number(await page.locator("#block").textContent());
    await page.waitForFunction(
      (then) => Number(document.getElementById("block").textContent) > then,
      block,
      LIMIT,
    );
    assert.equal(await page.locator("#said").textContent(), "");
    browser.assertQuiet([new URL(address).origin, t.url]);
    await browser.close(page);
  });

  test("says so when there is no wallet", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Connect your wallet" }).click();
    await shows(page, "#said", "There is no wallet in this browser.");
    await browser.close(page);
  });
});
