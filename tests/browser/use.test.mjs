/**
 * What people do with the page: with a wallet, the clipboard, the keyboard, a screen reader; and a
 * dApp of another origin with the URL that it gives.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { startBrowser } from "../support/browser.mjs";
import { scripted } from "../support/calls.mjs";
import { harness } from "../support/harness.mjs";

const KEY = "wallet-key-1";
const CHAIN = {
  chainId: "0x7a69",
  chainName: "Testing <b>Ground</b>",
  nativeCurrency: { name: "Test Ether", symbol: "TST", decimals: 18 },
};

let t;
let guarded;
let browser;

before(async () => {
  const { nativeCurrency: currency, chainName: chain_name } = CHAIN;
  const options = { chain: false, endpoints: [scripted("a")], route: { chain_name, currency } };
  t = await harness(options);
  guarded = await harness({
    ...options,
    // A page's own requests carry no Origin, so it need not be in the list.
    service: { require_key: true, allowed_origins: ["https://app.example.org"] },
    secrets: { CLIENT_KEYS: KEY },
  });
  browser = await startBrowser();
});
after(async () => {
  await browser?.stop();
  await Promise.all([t?.stop(), guarded?.stop()]);
});

/** In the page: a wallet that keeps what it is asked, and answers with this error, if any. */
function injectWallet(error) {
  globalThis.asked = [];
  globalThis.ethereum = {
    request: async (request) => {
      globalThis.asked.push(request);
      if (error) throw error;
      return null;
    },
  };
}

/** In the page: wallets that announce themselves by EIP-6963, when asked and late. */
function announceWallets(names) {
  globalThis.asked = [];
  const announce = (name, uuid) => {
    const provider = { request: async (request) => globalThis.asked.push([name, request]) };
    const info = { uuid: String(uuid), name, icon: "data:,", rdns: "org.example" };
    const detail = Object.freeze({ info, provider });
    dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  };
  addEventListener("eip6963:requestProvider", () => announce(names[0], 0));
  setTimeout(() => announce(names[1], 1), 300);
}

const open = (path, ...script) =>
  browser.open(path.startsWith("http") ? path : t.url + path, {
    before: (page) => script.length > 0 && page.addInitScript(...script),
  });
const asked = (page) => page.evaluate(() => globalThis.asked);
const said = (page, text) => page.locator(".said", { hasText: text }).waitFor();

describe("Add to wallet", () => {
  test("gives the wallet the chain with this URL", async () => {
    const page = await open("/", injectWallet);
    await page.getByRole("button", { name: "Add to wallet" }).click();
    await said(page, "Your wallet has Testing <b>Ground</b> with this URL now.");
    const params = [{ ...CHAIN, rpcUrls: [`${t.url}/local`] }];
    assert.deepEqual(await asked(page), [{ method: "wallet_addEthereumChain", params }]);
    await browser.close(page);
  });

  for (const [error, sentence] of [
    [{ code: 4001, message: "User rejected" }, "You declined it in your wallet."],
    [{ code: -32601, message: "?" }, "Your wallet cannot add chains: copy the URL into it."],
    [{ code: -32602, message: "<i>https</i> only" }, "Your wallet refused: <i>https</i> only"],
  ]) {
    test(`tells what the wallet said: ${error.code}`, async () => {
      const page = await open("/local", injectWallet, error);
      await page.getByRole("button", { name: "Add to wallet" }).click();
      await said(page, sentence);
      await browser.close(page);
    });
  }

  test("offers each wallet that announces itself, by its name as text", async () => {
    const names = ["Fox <img src=x onerror=alert(1)>", "Rabbit"];
    const page = await open("/local", announceWallets, names);
    await page.getByRole("button", { name: `Add to ${names[0]}` }).waitFor();
    await page.getByRole("button", { name: "Add to Rabbit" }).click();
    await said(page, "Your wallet has");
    const [[name, { method }]] = await asked(page);
    assert.deepEqual([name, method], ["Rabbit", "wallet_addEthereumChain"]);
    assert.equal(await page.locator("img").count(), 0);
    await browser.close(page);
  });

  test("is not there without a wallet: a sentence is", async () => {
    const page = await open("/local");
    await page.getByText("No wallet in this browser").waitFor();
    assert.equal(await page.getByRole("button", { name: /Add to/ }).count(), 0);
    await browser.close(page);
  });
});

describe("Copy", () => {
  const permissions = ["clipboard-read", "clipboard-write"];

  test("copies the URL and each text for a program", async () => {
    const page = await browser.open(`${t.url}/local`, { permissions });
    await page.getByRole("button", { name: "Copy the URL of local" }).click();
    await said(page, "Copied.");
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    assert.equal(await copied(), `${t.url}/local`);
    await page.getByText("Use it in code").click();
    for (const name of ["viem", "wagmi", "ethers", "web3.py"]) {
      const label = `Copy the text for ${name} of local`;
      await page.getByRole("button", { name: label }).click();
      const shown = await page.getByRole("region", { name: `${name}, text` }).textContent();
      await page.waitForFunction(
        (text) => navigator.clipboard.readText().then((c) => c === text),
        shown,
      );
      assert.ok(shown.includes(`"${t.url}/local"`) && shown.length > 60, shown);
    }
    await browser.close(page);
  });

  test("copies where pages may not use the clipboard", async () => {
    const page = await browser.open(`${t.url}/local`, {
      permissions: ["clipboard-read"],
      before: (page) =>
        page.addInitScript(() => {
          navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
        }),
    });
    await page.getByRole("button", { name: "Copy the URL of local" }).click();
    await said(page, "Copied.");
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${t.url}/local`);
    await browser.close(page);
  });
});

describe("a key in the path", () => {
  test("opens the page, is copied and given to the wallet, and is not shown", async () => {
    const page = await open(`${guarded.url}/local/${KEY}`, injectWallet);
    await page.getByRole("button", { name: "Add to wallet" }).click();
    await said(page, "Your wallet has");
    const [{ params }] = await asked(page);
    assert.deepEqual(params[0].rpcUrls, [`${guarded.url}/local/${KEY}`]);
    await page.getByText("Use it in code").click();
    const text = await page.locator("body").textContent();
    assert.ok(text.includes("/local/•••") && !text.includes(KEY));
    assert.ok(!(await page.content()).includes(KEY));
    await browser.close(page);
  });
});

describe("without a mouse or a screen", () => {
  test("everything can be reached by keyboard, and stays in focus through updates", async () => {
    await t.rpc("eth_call", [], { path: "/local" });
    await t.until(async () => (await t.status()).endpoint.a.methods.eth_call);
    const page = await open("/local", injectWallet);
    const seen = [];
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press("Tab");
      seen.push(await page.evaluate(focused));
    }
    assert.deepEqual(
      seen.map(({ name }) => name),
      [
        "Copy the URL of local",
        `Add to wallet: ${CHAIN.chainName}`,
        "More about a",
        "Use it in code",
        "As JSON",
        "",
      ],
    );
    assert.ok(
      seen.slice(0, 5).every(({ outline }) => outline >= 2),
      JSON.stringify(seen),
    );
    for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Methods of a" }).waitFor();
    const answered = (n) => page.waitForResponse(`${t.url}/local`).then(() => n);
    await answered();
    await answered();
    assert.equal((await page.evaluate(focused)).name, "More about a");
    assert.ok(await page.getByRole("region", { name: "Methods of a" }).isVisible());
    await browser.close(page);
  });

  test("a screen reader finds its way", async () => {
    const page = await open("/local");
    for (const role of ["banner", "main", "contentinfo"]) {
      assert.equal(await page.getByRole(role).count(), 1, role);
    }
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "local: All is well");
    const region = page.getByRole("region", { name: `local ${CHAIN.chainName}` });
    assert.equal(
      await region.getByRole("heading", { level: 3, name: "a", exact: true }).count(),
      1,
    );
    assert.equal(await region.getByRole("term").filter({ hasText: "Latency" }).count(), 1);
    assert.equal(await page.locator("#live[aria-live=polite]").count(), 1);
    assert.equal(await page.locator("svg.mark:not([aria-hidden])").count(), 0);
    await browser.close(page);
  });
});

/** In the page: what has the focus, and how thick the line around it is. */
function focused() {
  const { activeElement: node } = document;
  const outline = Number.parseFloat(getComputedStyle(node).outlineWidth);
  return { name: node === document.body ? "" : node.textContent.trim(), outline };
}

test("a dApp of another origin calls the URL and reads who answered", async () => {
  const page = "<!doctype html><link rel=icon href='data:,'><section>dApp</section>";
  const server = createServer((_, answer) =>
    answer.setHeader("content-type", "text/html").end(page),
  );
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}/`;
  const dapp = await browser.open(origin);
  const answer = await dapp.evaluate(async (url) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "eth_call", params: [] });
    const response = await fetch(url, { method: "POST", headers, body });
    return [await response.json(), response.headers.get("x-breakwater-endpoint")];
  }, `${t.url}/local`);
  assert.deepEqual(answer, [{ jsonrpc: "2.0", id: 7, result: "0x61" }, "a"]);
  await browser.close(dapp);
  server.close();
  browser.assertQuiet([t.url, guarded.url, origin]);
});
