/**
 * Wallets of this browser (EIP-6963, else `window.ethereum`), and adding a chain to one (EIP-3085).
 */

/** @type {Map<string, { name: string, provider: any }>} by the id that each made up for itself */
const announced = new Map();

const DECLINED = 4001;
const CANNOT = [4200, -32601];

/** Asks wallets to show themselves. @param {() => void} changed called for each that does */
export function findWallets(changed) {
  addEventListener("eip6963:announceProvider", ({ detail }) => {
    const { info, provider } = detail ?? {};
    if (typeof info?.uuid !== "string" || typeof provider?.request !== "function") return;
    announced.set(info.uuid, { name: String(info.name ?? "wallet").slice(0, 40), provider });
    changed();
  });
  dispatchEvent(new Event("eip6963:requestProvider"));
  // Older ones put themselves into the page without a word.
  addEventListener("ethereum#initialized", changed);
}

/** @returns {[string, { name: string, provider: any }][]} id and wallet */
export function wallets() {
  if (announced.size > 0) return [...announced];
  const provider = globalThis.ethereum;
  return typeof provider?.request === "function" ? [["", { name: "", provider }]] : [];
}

/**
 * @param {string} id of a wallet @param {any} route @param {string} url
 * @returns {Promise<string>} what came of it, as a sentence
 */
export async function addChain(id, route, url) {
  const wallet = new Map(wallets()).get(id);
  const chain = {
    chainId: `0x${route.chain_id.toString(16)}`,
    chainName: route.chain_name,
    nativeCurrency: route.currency,
    rpcUrls: [url],
  };
  try {
    await wallet.provider.request({ method: "wallet_addEthereumChain", params: [chain] });
    return `Your wallet has ${route.chain_name} with this URL now.`;
  } catch (error) {
    if (error?.code === DECLINED) return "You declined it in your wallet.";
    if (CANNOT.includes(error?.code)) return "Your wallet cannot add chains: copy the URL into it.";
    return `Your wallet refused: ${String(error?.message ?? error).slice(0, 200)}`;
  }
}
