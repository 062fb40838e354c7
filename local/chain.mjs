/**
 * A local chain: anvil, with the well-known development accounts.
 */
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { startChild, stopChild } from "./children.mjs";

const READY_MS = 20_000;
/** The mnemonic that anvil and hardhat share; its accounts hold 10 000 test ether each. */
export const MNEMONIC = "test test test test test test test test test test test junk";

/**
 * @typedef {object} Chain
 * @property {string} url JSON-RPC over HTTP
 * @property {number} chainId
 * @property {string[]} accounts addresses that hold test ether
 * @property {string[]} privateKeys theirs, in the same order
 * @property {(method: string, params?: unknown[]) => Promise<unknown>} rpc asks the chain itself
 * @property {() => Promise<void>} stop
 */

/**
 * @param {{ chainId?: number, blockTimeS?: number, port?: number, accounts?: number,
 *   bornS?: number }} [options] `blockTimeS`: seconds between blocks, 0 (the default) for one block
 *   per transaction; `bornS`: the first block's time, seconds since 1970, by default now; chain id
 *   31337, any free port and 10 accounts by default
 * @returns {Promise<Chain>}
 */
export async function startChain({
  chainId = 31337,
  blockTimeS = 0,
  port = 0,
  accounts = 10,
  bornS,
} = {}) {
  const args = ["--port", port, "--chain-id", chainId, "--mnemonic", MNEMONIC];
  args.push("--accounts", accounts);
  if (bornS !== undefined) args.push("--timestamp", bornS);
  if (blockTimeS > 0) args.push("--block-time", blockTimeS);
  const child = startChild(anvilPath(), args.map(String), {
    group: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { address, printed } = await listening(child);
  const url = `http://${address}`;
  return {
    url,
    chainId,
    accounts: printed.filter((line) => /^\(\d+\) 0x[\da-fA-F]{40} /.test(line)).map(secondWord),
    privateKeys: printed.filter((line) => /^\(\d+\) 0x[\da-f]{64}$/.test(line)).map(secondWord),
    rpc: (method, params = []) => ask(url, method, params),
    stop: () => stopChild(child),
  };
}

const secondWord = (line) => line.split(" ")[1];

/** anvil's own binary, since a signal to the package's wrapper script would leave it running. */
function anvilPath() {
  const { platform, arch } = process;
  const os = platform === "win32" ? "win32" : platform;
  const file = `anvil-${os}-${arch === "x64" ? "amd64" : arch}/bin/anvil`;
  return createRequire(import.meta.url).resolve(
    `@foundry-rs/${file}${platform === "win32" ? ".exe" : ""}`,
  );
}

/** anvil prints its accounts first and the address it listens on last. */
function listening(child) {
  const printed = [];
  return new Promise((resolve, reject) => {
    const fail = (why) => {
      clearTimeout(timer);
      stopChild(child, 0).then(() => reject(new Error(`anvil ${why}\n${printed.join("\n")}`)));
    };
    const timer = setTimeout(() => fail(`was not ready after ${READY_MS} ms`), READY_MS);
    child.once("error", (error) => fail(`did not start: ${error.message}`));
    child.once("close", () => fail("ended before it was ready"));
    createInterface({ input: child.stderr }).on("line", (line) => printed.push(line));
    createInterface({ input: child.stdout }).on("line", (line) => {
      printed.push(line);
      const address = line.match(/^Listening on (\S+)/)?.[1];
      if (!address) return;
      clearTimeout(timer);
      child.removeAllListeners("close");
      resolve({ address, printed });
    });
  });
}

async function ask(url, method, params) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = await response.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}
