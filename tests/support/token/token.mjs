/**
 * The token of Token.sol on a local chain that takes itself for Base Sepolia, and facilitators of the
 * x402 project's own code that move it.
 *
 * `token.hex` is the contract's runtime code: solc 0.8.37, `evmVersion` paris, optimizer on for one
 * run, no metadata.
 */
import { readFileSync } from "node:fs";
import { x402Client } from "@x402/core/client";
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme as ExactEvmClient } from "@x402/evm/exact/client";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { ExactEvmSchemeV1 } from "@x402/evm/exact/v1/facilitator";
import { createWalletClient, encodeFunctionData, http, parseAbi, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { baseSepolia } from "viem/chains";
import { startChain } from "../../../local/chain.mjs";

/** Where USDC is on Base Sepolia: clients of version 1 know no other asset there. */
export const TOKEN = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
export const NETWORK = `eip155:${baseSepolia.id}`;
export const NETWORK_V1 = "base-sepolia";

const CODE = readFileSync(new URL("token.hex", import.meta.url), "utf8").trim();
const ABI = parseAbi([
  "function mint(address to, uint256 value)",
  "function balanceOf(address owner) view returns (uint256)",
]);

/** What everything costs. */
export const AMOUNT = 10_000n;
export const PRICE = {
  asset: TOKEN,
  amount: String(AMOUNT),
  extra: { name: "USDC", version: "2" },
};

/**
 * @param {import("viem").LocalAccount} buyer @param {`0x${string}`} payTo
 * @returns {() => Promise<object>} makes a new payment: the body of a verify and a settle
 */
export function payer(buyer, payTo) {
  const paymentRequirements = {
    scheme: "exact",
    network: NETWORK,
    ...PRICE,
    maxTimeoutSeconds: 60,
    payTo,
  };
  const resource = { url: "https://shop.example/paid" };
  const client = new x402Client().register("eip155:*", new ExactEvmClient(buyer));
  const offer = { x402Version: 2, resource, accepts: [paymentRequirements] };
  return async () => ({
    x402Version: 2,
    paymentPayload: await client.createPaymentPayload(offer),
    paymentRequirements,
  });
}

export class TokenChain {
  #keys;

  /** @param {import("../../../local/chain.mjs").Chain} chain */
  constructor(chain) {
    this.chain = chain;
    // The first is nobody's: it mints.
    this.#keys = chain.privateKeys.slice(1);
  }

  /** @returns an account that nobody else has got here */
  account() {
    return privateKeyToAccount(this.#keys.shift());
  }

  #client(account) {
    // A short interval: a block comes with each transaction.
    const options = { chain: baseSepolia, transport: http(this.chain.url), pollingInterval: 20 };
    return createWalletClient({ account, ...options }).extend(publicActions);
  }

  /** @param {`0x${string}`} to @param {bigint} value */
  async mint(to, value) {
    const data = encodeFunctionData({ abi: ABI, functionName: "mint", args: [to, value] });
    const from = this.chain.accounts[0];
    await this.chain.rpc("eth_sendTransaction", [{ from, to: TOKEN, data }]);
  }

  /** @param {`0x${string}`} owner @returns {Promise<bigint>} */
  async balance(owner) {
    const data = encodeFunctionData({ abi: ABI, functionName: "balanceOf", args: [owner] });
    return BigInt(await this.chain.rpc("eth_call", [{ to: TOKEN, data }, "latest"]));
  }

  /**
   * @param {boolean} [strict] settles only what it has verified itself
   * @returns {import("../../../local/facilitator.mjs").Engine} a facilitator with a relayer of its own
   */
  engine(strict = false) {
    const account = this.account();
    const client = this.#client(account);
    const signer = toFacilitatorEvmSigner({ ...client, address: account.address });
    const facilitator = new x402Facilitator()
      .register(NETWORK, new ExactEvmScheme(signer))
      .registerV1(NETWORK_V1, new ExactEvmSchemeV1(signer));
    if (strict) insist(facilitator);
    return {
      supported: () => facilitator.getSupported(),
      verify: (body) => facilitator.verify(body.paymentPayload, body.paymentRequirements),
      settle: (body) => settled(facilitator, body),
    };
  }

  async stop() {
    await this.chain.stop();
  }
}

/** What its routes make of a settle that was aborted. */
async function settled(facilitator, { paymentPayload, paymentRequirements }) {
  try {
    return await facilitator.settle(paymentPayload, paymentRequirements);
  } catch (error) {
    if (!/aborted/i.test(error.message)) throw error;
    return { success: false, errorReason: error.message, transaction: "", network: NETWORK };
  }
}

/** As the x402 project's own facilitator for tests does. */
function insist(facilitator) {
  const seen = new Set();
  const name = ({ paymentPayload }) => JSON.stringify(paymentPayload);
  facilitator.onAfterVerify(async (context) => {
    if (context.result.isValid) seen.add(name(context));
  });
  facilitator.onBeforeSettle(async (context) => {
    if (!seen.has(name(context))) return { abort: true, reason: "verify it here before" };
    return undefined;
  });
}

/** @returns {Promise<TokenChain>} */
export async function startToken() {
  const chain = await startChain({ chainId: baseSepolia.id, accounts: 20 });
  await chain.rpc("anvil_setCode", [TOKEN, CODE]);
  return new TokenChain(chain);
}
