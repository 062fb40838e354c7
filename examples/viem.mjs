/**
 * Follows a chain with viem: a line for each block, with the endpoint that told of it.
 *
 *     node examples/viem.mjs [URL] [BLOCKS]
 *
 * Take that endpoint down while it runs: nothing is thrown and no block is missing.
 */
import { createPublicClient, formatGwei, http } from "viem";

const [url = "http://127.0.0.1:8787", blocks = "20"] = process.argv.slice(2);

let by;
const client = createPublicClient({
  // Breakwater asks other endpoints by itself and is done within 9 seconds, before viem's 10 are over.
  transport: http(url, {
    retryCount: 0,
    onFetchResponse: ({ headers }) => {
      by = headers.get("x-breakwater-endpoint") ?? by;
    },
  }),
  pollingInterval: 500,
});

console.log(`chain ${await client.getChainId()} at ${url}`);
let left = Number(blocks);
const unwatch = client.watchBlocks({
  emitMissed: true,
  onBlock: ({ number, transactions, baseFeePerGas }) => {
    const fee = formatGwei(baseFeePerGas ?? 0n);
    console.log(`block ${number} from ${by}: ${transactions.length} transactions, ${fee} gwei`);
    left -= 1;
    if (left === 0) unwatch();
  },
  onError: (error) => {
    console.error(error.message);
    process.exitCode = 1;
    unwatch();
  },
});
