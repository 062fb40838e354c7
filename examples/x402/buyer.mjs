/**
 * Pays for a page with x402, as a browser or an agent would.
 *
 *     PRIVATE_KEY=0x… node examples/x402/buyer.mjs [URL]
 *
 * Without `PRIVATE_KEY` it is a development account that everybody knows, which owns nothing but on
 * chains like that of `npm start`.
 */
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPaymentFromConfig } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

const [url = "http://127.0.0.1:4021/paid"] = process.argv.slice(2);
const KNOWN = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";

const buyer = privateKeyToAccount(process.env.PRIVATE_KEY ?? KNOWN);
const pay = wrapFetchWithPaymentFromConfig(fetch, {
  schemes: [{ network: "eip155:*", client: new ExactEvmScheme(buyer) }],
});

const response = await pay(url);
console.log(`${response.status} ${await response.text()}`);
const receipt = response.headers.get("payment-response");
if (receipt) {
  const { success, transaction } = JSON.parse(atob(receipt));
  console.log(`settled: ${success}, transaction ${transaction}`);
}
process.exitCode = response.ok ? 0 : 1;
