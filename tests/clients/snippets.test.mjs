/**
 * The texts that the status page gives to copy, run as they are against the URL that they hold.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { snippets } from "../../src/page/snippets.mjs";
import { scripted } from "../support/calls.mjs";
import { facilitators } from "../support/facilitators.mjs";
import { harness } from "../support/harness.mjs";

const IMPORT = /^import \{ (.*) \} from "(.*)";$/gm;

let t;
before(async () => {
  t = await harness({
    chain: false,
    endpoints: [scripted("a")],
    route: { chain_name: 'A "quoted" \\ chain', currency: { symbol: "TST", decimals: 6 } },
  });
});
after(() => t?.stop());

const textFor = (name, route, url) => new Map(snippets(route, url)).get(name);

/** Runs a text with what it imports. @returns {Promise<any>} the value of `result` at its end */
async function run(text, result) {
  const given = {};
  for (const [, names, from] of text.matchAll(IMPORT)) {
    const module = await import(from);
    for (const name of names.split(", ")) given[name] = module[name];
  }
  const body = `${text.replace(IMPORT, "")}\nreturn ${result};`;
  return new Function(...Object.keys(given), body)(...Object.values(given));
}

test("viem", async () => {
  const client = await run(textFor("viem", await t.status(), `${t.url}/local`), "client");
  assert.equal(await client.getBlockNumber(), 100n);
  const { id, name, nativeCurrency } = client.chain;
  assert.deepEqual([id, name], [31337, 'A "quoted" \\ chain']);
  assert.deepEqual(nativeCurrency, { name: "TST", symbol: "TST", decimals: 6 });
});

test("ethers", async () => {
  const provider = await run(textFor("ethers", await t.status(), `${t.url}/local`), "provider");
  assert.equal(await provider.getBlockNumber(), 100);
  provider.destroy();
});

test("@x402/core", async () => {
  const pay = await facilitators({ names: ["a"] });
  const text = textFor("@x402/core", await pay.status("pay"), `${pay.url}/pay`);
  const facilitator = await run(text, "facilitator");
  assert.ok((await facilitator.getSupported()).kinds.length > 0);
  await pay.stop();
});
