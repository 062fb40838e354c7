/**
 * Follows a chain with ethers 6: a line for each block, with the endpoint that told of it.
 *
 *     node examples/ethers.mjs [URL] [BLOCKS]
 *
 * Take that endpoint down while it runs: nothing is thrown and no block is missing.
 */
import { FetchRequest, formatUnits, JsonRpcProvider } from "ethers";

const [url = "http://127.0.0.1:8787", blocks = "20"] = process.argv.slice(2);

let by;
const request = new FetchRequest(url);
request.processFunc = async (_, response) => {
  by = response.getHeader("x-breakwater-endpoint") ?? by;
  return response;
};
// The chain of a URL does not change, so ethers need not ask for it again and again.
const network = await new JsonRpcProvider(url).getNetwork();
const provider = new JsonRpcProvider(request, network, {
  staticNetwork: network,
  pollingInterval: 500,
});

console.log(`chain ${network.chainId} at ${url}`);
let left = Number(blocks);
await new Promise((resolve) => {
  provider.on("block", async (number) => {
    const block = await provider.getBlock(number);
    const fee = formatUnits(block.baseFeePerGas ?? 0n, "gwei");
    console.log(
      `block ${number} from ${by}: ${block.transactions.length} transactions, ${fee} gwei`,
    );
    left -= 1;
    if (left === 0) resolve();
  });
});
provider.destroy();
