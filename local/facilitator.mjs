/**
 * An x402 facilitator on the loopback interface that can be made to fail like any other endpoint.
 * Money is a shared `Ledger`, as the token's contract is for real facilitators: each payment moves it
 * once, whoever settles it.
 *
 *     await alpha.set({ mode: "status", status: 502, method: "settle", forward: true });
 */
import { Endpoint } from "./endpoint.mjs";

const json = { "content-type": "application/json" };
const NETWORK = "eip155:84532";
const PAYER = "0x857b06519e91e3a54538791bdbb0e22373e36b66";
const USED = "invalid_exact_evm_nonce_already_used";

/** Which payments were made, and how often somebody tried. */
export class Ledger {
  /** @type {Map<string, string>} transaction by payment */
  #made = new Map();
  /** @type {{ payment: string, by: string }[]} settles that reached a facilitator */
  tries = [];

  /** @param {string} payment @param {string} by @returns {string | undefined} its transaction */
  settle(payment, by) {
    this.tries.push({ payment, by });
    if (this.#made.has(payment)) return undefined;
    const transaction = `0x${(this.#made.size + 1).toString(16).padStart(64, "0")}`;
    this.#made.set(payment, transaction);
    return transaction;
  }

  /** @param {string} payment @returns {boolean} */
  moved(payment) {
    return this.#made.has(payment);
  }

  /** @param {string} payment @returns {string[]} who was asked to settle it, in order */
  by(payment) {
    return this.tries.filter((one) => one.payment === payment).map(({ by }) => by);
  }
}

/**
 * @typedef {object} Engine how a facilitator comes to its answers: JSON values, or promises of them
 * @property {(body: any) => any} verify
 * @property {(body: any) => any} settle
 * @property {() => any} supported
 *
 * @param {string} name @param {Ledger} ledger
 * @param {boolean} [strict] it settles only what it has verified itself
 * @returns {Engine} one that keeps its accounts in a ledger
 */
export function ledgerEngine(name, ledger, strict = false) {
  const verified = new Set();
  const paymentOf = ({ paymentPayload }) => JSON.stringify(paymentPayload);
  const refused = (errorReason) => ({
    success: false,
    errorReason,
    transaction: "",
    network: NETWORK,
  });
  return {
    supported: () => ({
      kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }],
      by: name,
    }),
    verify: (body) => {
      verified.add(paymentOf(body));
      return { isValid: true, payer: PAYER };
    },
    settle: (body) => {
      if (strict && !verified.has(paymentOf(body))) return refused("not_verified_here");
      const transaction = ledger.settle(paymentOf(body), name);
      if (!transaction) return refused(USED);
      return { success: true, transaction, network: NETWORK, payer: PAYER };
    },
  };
}

/** What the modes see of a call. */
class Call {
  batch = false;
  #answer;
  #body;
  #engine;

  constructor(path, body, engine) {
    const [method] = path.split("?")[0].split("/").filter(Boolean);
    this.calls = [{ id: 0, method }];
    this.#body = body;
    this.#engine = engine;
  }

  /** The true answer, made once: asking again moves nothing. */
  answer() {
    this.#answer ??= this.#make();
    return this.#answer;
  }

  async #make() {
    const [{ method }] = this.calls;
    const [status, value] = await this.#value(method);
    return { status, headers: json, body: JSON.stringify(value) };
  }

  async #value(method) {
    if (method === "supported") return [200, await this.#engine.supported()];
    if (method === "discovery") return [200, { items: [] }];
    try {
      const body = JSON.parse(this.#body);
      if (body.paymentPayload) return [200, await this.#engine[method](body)];
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    return [400, { error: "Missing paymentPayload" }];
  }
}

export class Facilitator extends Endpoint {
  #engine;

  /** @param {{ name: string, engine: Engine }} options */
  constructor({ name, engine }) {
    super({ name });
    this.#engine = engine;
  }

  exchange(req, body) {
    return new Call(req.url, body, this.#engine);
  }
}

/**
 * @param {ConstructorParameters<typeof Facilitator>[0]} options
 * @returns {Promise<Facilitator>} listening on a free port
 */
export async function startFacilitator(options) {
  const facilitator = new Facilitator(options);
  await facilitator.listen();
  return facilitator;
}
