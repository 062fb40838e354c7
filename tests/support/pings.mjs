/**
 * A contract that logs what it is called with, assembled by hand: 32 bytes in, `Ping(uint256)` out.
 */

import { setTimeout as sleep } from "node:timers/promises";

const MINED_STEP_MS = 5;

export const PING = "event Ping(uint256 n)";
/** keccak-256 of `Ping(uint256)`. */
export const TOPIC = "0x48257dc961b6f792c2b78a080dacfed693b660960a702de21cee364e20270e2f";

// MSTORE(0, CALLDATALOAD(0)) LOG1(0, 32, TOPIC) STOP
const RUNTIME = `600035600052${`7f${TOPIC.slice(2)}`}60206000a100`;
const LENGTH = (RUNTIME.length / 2).toString(16).padStart(2, "0");
const BYTECODE = `0x60${LENGTH}80600b6000396000f3${RUNTIME}`;

/**
 * @param {import("../../local/chain.mjs").Chain} chain asked directly, whatever its endpoints do
 * @returns {Promise<{ address: string, ping: (n: number) => Promise<string> }>} `ping` gives the hash
 *   of the transaction, in its block by then
 */
export async function deployPings(chain) {
  const [from] = chain.accounts;
  const mined = async (tx) => {
    const hash = await chain.rpc("eth_sendTransaction", [{ from, ...tx }]);
    for (;;) {
      const receipt = await chain.rpc("eth_getTransactionReceipt", [hash]);
      if (receipt) return receipt;
      await sleep(MINED_STEP_MS);
    }
  };
  const { contractAddress: address } = await mined({ data: BYTECODE });
  const ping = async (n) => {
    const data = `0x${n.toString(16).padStart(64, "0")}`;
    const { transactionHash, logs } = await mined({ to: address, data });
    if (logs.length !== 1) throw new Error("no log");
    return transactionHash;
  };
  return { address, ping };
}
