/**
 * An x402 facilitator on the loopback interface that can be made to fail like any other endpoint.
 * Money is a shared `Ledger`, as the token's contract is for real facilitators: each payment moves it
 * once, whoever settles it.
 *
 *     await alpha.set({ mode: "status", status: 502, method: "settle", forward: true });
 */
import { Endpoint } from "./endpoint.mjs";
import { parse } from "./lossless.mjs";

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

/** What the modes see of a call. */
class Call {
  batch = false;
  #body;
  #facilitator;

  constructor(path, body, facilitator) {
    const method = path.split("?")[0].replace(/^\/+/, "").split("/")[0];
    this.calls = [{ id: 0, method }];
    this.#body = body;
    this.#facilitator = facilitator;
  }

  /** The true answer, made once: asking again moves nothing. */
  answer() {
    this.answered ??= this.#facilitator.reply(this.calls[0].method, this.#body);
    return this.answered;
  }
}

export class Facilitator extends Endpoint {
  #ledger;
  #strict;
  #verified = new Set();
  #answers;

  /**
   * @param {{ name: string, ledger?: Ledger, strict?: boolean, answers?: Record<string, unknown> }}
   *   options `strict`: it settles only what it has verified itself; `answers`: own ones by call,
   *   JSON values
   */
  constructor({ name, ledger = new Ledger(), strict = false, answers = {} }) {
    super({ name });
    this.#ledger = ledger;
    this.#strict = strict;
    this.#answers = answers;
  }

  exchange(req, body) {
    return new Call(req.url, body, this);
  }

  /** @param {string} call @param {string} body @returns {import("./exchange.mjs").Reply} */
  reply(call, body) {
    const value = this.#answers[call] ?? this.#value(call, body);
    const status = value.error ? 400 : 200;
    return { status, headers: json, body: JSON.stringify(value) };
  }

  #value(call, body) {
    if (call === "supported") {
      return { kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }], by: this.name };
    }
    if (call === "discovery") return { items: [], by: this.name };
    const payment = paymentOf(body);
    if (payment === undefined) return { error: "Missing paymentPayload" };
    if (call === "verify") {
      this.#verified.add(payment);
      return { isValid: true, payer: PAYER };
    }
    return this.#settle(payment);
  }

  #settle(payment) {
    const refused = (errorReason) => ({
      success: false,
      errorReason,
      transaction: "",
      network: NETWORK,
    });
    if (this.#strict && !this.#verified.has(payment)) return refused("not_verified_here");
    const transaction = this.#ledger.settle(payment, this.name);
    if (!transaction) return refused(USED);
    return { success: true, transaction, network: NETWORK, payer: PAYER };
  }
}

/** @param {string} body @returns {string | undefined} what tells one payment from another */
function paymentOf(body) {
  try {
    return JSON.stringify(parse(body).paymentPayload);
  } catch {
    return undefined;
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
