/**
 * Wallets that send transfers one after the other, by viem and by ethers: nonces, fees, a signature,
 * the send, the receipt, and then what they wrote must be there.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { FetchRequest, JsonRpcProvider, Network, Wallet } from "ethers";
import { createPublicClient, createWalletClient, defineChain, http, keccak256 } from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { failed } from "./ask.mjs";
import { between } from "./dice.mjs";
import { TOLD, Transfers } from "./transfers.mjs";

const GAS = 21_000n;
/** Longest until what was accepted is in a block, at a chain with one a second. */
const MINED_MS = 30_000;
const STEP_MS = 400;
const TIMEOUT_MS = 60_000;

/** @type {Record<string, (world: any, isolate: string, key: string, address: string) => Tool>} */
export const tools = { viem: byViem, ethers: byEthers };

/**
 * @typedef {object} Tool
 * @property {{ last: string }} said what its last answer said of itself
 * @property {() => Promise<number>} nonce the next one, pending counted
 * @property {(transfer: { nonce: number, to: string, value: bigint }) => Promise<string>} sign
 * @property {(raw: string) => Promise<string>} send its hash
 * @property {(hash: string) => Promise<any>} receipt null: none yet
 * @property {(hash: string) => Promise<any>} transaction
 * @property {(address: string, block: bigint) => Promise<bigint>} balance
 */

function byViem(world, isolate, key, address) {
  const { url } = world.isolate[isolate];
  const chain = defineChain({
    id: world.chain.chainId,
    name: "local",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const headers = { "cf-connecting-ip": address };
  const said = { last: "" };
  const onFetchResponse = (response) => {
    said.last = explained((name) => response.headers.get(name));
  };
  const options = {
    retryCount: 0,
    timeout: TIMEOUT_MS,
    fetchOptions: { headers },
    onFetchResponse,
  };
  const transport = http(url, options);
  const account = privateKeyToAccount(key);
  const reader = createPublicClient({ chain, transport, cacheTime: 0 });
  const wallet = createWalletClient({ chain, transport, account });
  const none = (error) => {
    if (/NotFound/.test(error.name)) return null;
    throw error;
  };
  return {
    said,
    nonce: () => reader.getTransactionCount({ address: account.address, blockTag: "pending" }),
    sign: async (transfer) => {
      const request = await wallet.prepareTransactionRequest({ ...transfer, gas: GAS });
      return wallet.signTransaction(request);
    },
    send: (serializedTransaction) => wallet.sendRawTransaction({ serializedTransaction }),
    receipt: (hash) => reader.getTransactionReceipt({ hash }).catch(none),
    transaction: (hash) => reader.getTransaction({ hash }).catch(none),
    balance: (of, blockNumber) => reader.getBalance({ address: of, blockNumber }),
  };
}

function byEthers(world, isolate, key, address) {
  const request = new FetchRequest(world.isolate[isolate].url);
  request.timeout = TIMEOUT_MS;
  request.setHeader("cf-connecting-ip", address);
  request.setThrottleParams({ maxAttempts: 1 });
  const said = { last: "" };
  request.processFunc = async (_, response) => {
    said.last = explained((name) => response.getHeader(name));
    return response;
  };
  const network = Network.from(world.chain.chainId);
  const provider = new JsonRpcProvider(request, network, {
    staticNetwork: network,
    cacheTimeout: -1,
  });
  const wallet = new Wallet(key, provider);
  return {
    said,
    nonce: () => provider.getTransactionCount(wallet.address, "pending"),
    sign: async (transfer) => {
      const filled = await wallet.populateTransaction({ ...transfer, gasLimit: GAS });
      return wallet.signTransaction(filled);
    },
    send: async (raw) => (await provider.broadcastTransaction(raw)).hash,
    receipt: (hash) => provider.getTransactionReceipt(hash),
    transaction: (hash) => provider.getTransaction(hash),
    balance: (of, block) => provider.getBalance(of, block),
    stop: () => provider.destroy(),
  };
}

/** What the last answer said of itself. */
const explained = (header) =>
  `[from ${header("x-breakwater-endpoint")}, reason ${header("x-breakwater-reason")}]`;

/** Sends until the world is over, and ends nothing in the middle. */
export async function write(world, isolate, roll, { tool: name, index }) {
  const key = world.chain.privateKeys[index];
  const to = privateKeyToAddress(generatePrivateKey());
  const transfers = new Transfers(privateKeyToAddress(key), to);
  world.transfers.push(transfers);
  const tool = tools[name](world, isolate, key, `198.51.100.${index}`);
  const writer = { world, isolate, name, tool, transfers, next: 0 };
  while (!world.over) {
    await transfer(writer);
    await sleep(between(roll, 100, 900));
  }
  tool.stop?.();
}

async function transfer(writer) {
  const { world, tool, transfers } = writer;
  const one = transfers.next();
  const nonce = await freshNonce(writer);
  const signed = await steadily(writer, "fill and sign", () =>
    tool.sign({ nonce, to: transfers.to, value: BigInt(one.n) }),
  );
  const hash = keccak256(signed);
  one.hashes.add(hash);
  await send(writer, one, signed, hash);
  if (one.told === TOLD.failure) return;
  const receipt = await mined(writer, one, signed, hash);
  if (!receipt) return;
  writer.next = nonce + 1;
  one.told = TOLD.success;
  await reads(writer, one, hash, receipt);
  world.record.count(`transfers by ${writer.name}`);
}

/** Until it is known that an endpoint has fallen behind: a poll, the lag that is allowed, a hand-in. */
const NOTICE_MS = 10_000;

/** Asks like any wallet; what comes must count in what this writer has already sent. */
async function freshNonce(writer) {
  const nonce = await steadily(writer, "nonce", () => writer.tool.nonce());
  if (nonce === writer.next) return nonce;
  const { name, isolate, next, world } = writer;
  const story = `${name} at ${isolate}: ${nonce}, not ${next}`;
  if (nonce > next) world.record.violation("a nonce too many", story);
  else if (!world.hasBegun("head", NOTICE_MS)) {
    world.record.violation("own transactions not counted", story);
  } else world.record.count("nonces from an endpoint that had just fallen behind");
  return writer.next;
}

/** Sends it; what it is told is written down. */
async function send({ world, isolate, name, tool }, one, signed, hash) {
  const from = performance.now();
  world.record.count(`requests: send by ${name}`);
  try {
    const said = await tool.send(signed);
    late(world, isolate, from, `send by ${name}`);
    if (said !== hash) world.record.violation("another hash", `${said}, not ${hash}`);
    one.told = TOLD.success;
  } catch (error) {
    one.why = `${why(error)} ${tool.said.last}`;
    one.told = isUnknown(error) ? TOLD.unknown : TOLD.failure;
    failed(world, isolate, from, `send by ${name}`, one.why);
  }
}

/** Nothing heard, or an own error that says so. */
function isUnknown(error) {
  const text = `${error.message} ${error.details ?? ""} ${JSON.stringify(error.info ?? "")}`;
  return !/not_sent|"outcome":"failed"/.test(text);
}

const why = (error) =>
  `${error.shortMessage ?? error.message} ${error.details ?? ""} ${JSON.stringify(error.info?.error ?? error.info?.responseBody ?? "")}`.slice(
    0,
    500,
  );

/** Waits for the receipt; whoever is in doubt sends the same again, which can do no harm. */
async function mined(writer, one, signed, hash) {
  const { world, tool, isolate } = writer;
  const end = performance.now() + MINED_MS;
  while (performance.now() < end + 3 * world.delays.longest(end - MINED_MS, performance.now())) {
    await sleep(STEP_MS);
    const receipt = await attempt(writer, "receipt", () => tool.receipt(hash));
    if (receipt) return receipt;
    if (one.told === TOLD.unknown) await again(writer, one, signed, hash);
  }
  const kind = "no receipt";
  const there = await world.chain.rpc("eth_getTransactionReceipt", [hash]);
  world.record.violation(kind, `${writer.name} at ${isolate}: ${hash}, on the chain: ${!!there}`);
  return undefined;
}

async function again({ world, isolate, name, tool }, one, signed, hash) {
  world.record.count("unknown transfers sent again");
  const from = performance.now();
  try {
    await tool.send(signed);
    one.told = TOLD.success;
  } catch (error) {
    // It may be in a block by now: then the receipt says so.
    if (await world.chain.rpc("eth_getTransactionByHash", [hash])) return;
    failed(world, isolate, from, `second send by ${name}`, why(error));
  }
}

/** What is in a block must be found by whoever has its receipt. */
async function reads(writer, one, hash, receipt) {
  const { world, tool, transfers } = writer;
  const found = await steadily(writer, "transaction", () => tool.transaction(hash));
  if (!found) world.record.violation("own transaction not found", `${writer.name}: ${hash}`);
  const block = BigInt(receipt.blockNumber);
  const balance = await steadily(writer, "balance", () => tool.balance(transfers.to, block));
  const params = [transfers.to, `0x${block.toString(16)}`];
  const right = BigInt(await world.chain.rpc("eth_getBalance", params));
  if (balance !== right) {
    world.record.violation("wrong balance", `${writer.name}, ${one.n}: ${balance}, not ${right}`);
  }
}

/** Until it works; every error counts. */
async function steadily(writer, what, ask) {
  for (;;) {
    const got = await attempt(writer, what, ask);
    if (got !== undefined) return got;
    await sleep(STEP_MS);
  }
}

async function attempt({ world, isolate, name, tool }, what, ask) {
  const from = performance.now();
  world.record.count(`requests: ${what} by ${name}`);
  try {
    const got = await ask();
    late(world, isolate, from, `${what} by ${name}`, 5);
    return got;
  } catch (error) {
    failed(world, isolate, from, `${what} by ${name}`, `${why(error)} ${tool.said.last}`);
    return undefined;
  }
}

/** A client may ask several things for one. */
function late(world, isolate, from, what, requests = 1) {
  const ms = performance.now() - from;
  if (ms <= requests * world.limitMs(from) || world.wasAway(isolate, from)) return;
  world.record.violation("took too long", `${what} at ${isolate}: ${ms} ms`);
}
