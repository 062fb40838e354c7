/**
 * A shop that takes x402: `GET /paid` costs a cent. Its one facilitator URL is a route of Breakwater,
 * which has several facilitators behind it.
 *
 *     node examples/x402/merchant.mjs [URL] [PORT]
 */
import { HTTPFacilitatorClient, x402ResourceServer } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { paymentMiddleware } from "@x402/express";
import express from "express";

const [url = "http://127.0.0.1:8787/pay", port = "4021"] = process.argv.slice(2);
const network = "eip155:84532";

const facilitator = new HTTPFacilitatorClient({ url });
const server = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme());
const accepts = {
  scheme: "exact",
  network,
  price: "$0.01",
  payTo: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
};

const app = express();
app.use(paymentMiddleware({ "GET /paid": { accepts, description: "a sentence" } }, server));
app.get("/paid", (_, res) => res.json({ sentence: "You have paid, once." }));
const shop = app.listen(Number(port), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${shop.address().port}/paid costs $0.01, by way of ${url}`);
});
