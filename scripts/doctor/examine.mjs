/**
 * One endpoint of an evm route, asked for all that is worth knowing of it.
 */
import { Asker } from "./asker.mjs";
import { MEASURED, measure } from "./latency.mjs";
import { batches, depth, ranges } from "./limits.mjs";
import { METHODS, wordFor } from "./methods.mjs";
import { told } from "./outcome.mjs";

/**
 * @typedef {object} Finding what was found of an endpoint; `null`: not known
 * @property {string} name
 * @property {"fit" | "unreachable" | "refused" | "wrong_chain" | "no_secret"} state `refused`: it
 *   answers, and wants another key or plan
 * @property {string[]} missing_secrets names
 * @property {string | null} trouble why it is not fit
 * @property {number | null} chain_id
 * @property {number | null} head
 * @property {boolean | null} advances
 * @property {import("./heads.mjs").Lag | null} lag
 * @property {boolean | null} agrees whether an old block has the hash that most others give it
 * @property {number | null} finalized
 * @property {number | null} finalized_lag blocks
 * @property {import("./limits.mjs").Depth | null} state_depth
 * @property {import("./search.mjs").Found | null} batch
 * @property {(import("./search.mjs").Found & { all: boolean }) | null} logs `all`: the whole chain
 * @property {Record<string, { word: import("./methods.mjs").Word, code?: number }>} methods
 * @property {Record<string, import("./latency.mjs").Latency>} latency
 * @property {number} requests
 * @property {number} throttles
 * @property {string | null} given_up why it was not asked to the end
 */

/** @param {string} name @returns {Finding} nothing known */
export const blank = (name) => ({
  name,
  state: "fit",
  missing_secrets: [],
  trouble: null,
  ...{
    chain_id: null,
    head: null,
    advances: null,
    lag: null,
    finalized: null,
    finalized_lag: null,
  },
  ...{ state_depth: null, batch: null, logs: null, methods: {}, latency: {} },
  ...{ requests: 0, throttles: 0, given_up: null },
});

/** @param {unknown} text @returns {number | null} of `0x…` */
const quantity = (text) =>
  typeof text === "string" && /^0x[\da-f]{1,13}$/i.test(text) ? Number(text) : null;

export class Patient {
  /** @type {Finding} */
  finding;
  /** @type {(import("./heads.mjs").Head | undefined)[]} one a look */
  looks = [];
  asker;
  #settings;
  #say;

  /**
   * @param {import("./configured.mjs").Configured} endpoint
   * @param {import("./options.mjs").Settings} settings
   * @param {(line: string) => void} say
   */
  constructor(endpoint, settings, say) {
    this.finding = blank(endpoint.name);
    this.asker = new Asker(endpoint, settings);
    this.#settings = settings;
    this.#say = (line) => say(`${endpoint.name}: ${line}`);
    if (endpoint.missing.length === 0) return;
    this.finding.missing_secrets = endpoint.missing;
    this.#is("no_secret", `the secret ${endpoint.missing.join(", ")} is not there`);
  }

  /** @returns {boolean} whether it is worth asking */
  get fit() {
    return this.finding.state === "fit";
  }

  #is(state, trouble) {
    Object.assign(this.finding, { state, trouble });
  }

  /** Whether it is there, and serves the chain. @param {number | null} chainId */
  async meet(chainId) {
    this.#say("chain id");
    const outcome = await this.asker.call("eth_chainId");
    const id = quantity(outcome.result);
    this.finding.chain_id = id;
    if (outcome.kind === "account") this.#is("refused", told(outcome));
    else if (outcome.kind === "left_out") return;
    else if (id === null) this.#is("unreachable", told(outcome));
    else if (chainId !== null && id !== chainId) this.#is("wrong_chain", `it serves chain ${id}`);
  }

  /** Its head at this moment. */
  async look() {
    const block = await this.#block("latest");
    this.looks.push(block);
    this.finding.head = block?.number ?? this.finding.head;
  }

  async lookAtFinalized() {
    this.finding.finalized = (await this.#block("finalized"))?.number ?? null;
  }

  /** @param {number} number @returns {Promise<string | undefined>} the hash of this block */
  async hashOf(number) {
    const params = [`0x${number.toString(16)}`, false];
    return (await this.asker.call("eth_getBlockByNumber", params)).result?.hash;
  }

  async #block(tag) {
    const { result } = await this.asker.call("eth_getBlockByNumber", [tag, false]);
    const block = quantity(result?.number);
    if (block !== null) return { number: block, time_s: quantity(result.timestamp) };
    if (tag !== "latest") return undefined;
    const number = quantity((await this.asker.call("eth_blockNumber")).result);
    return number === null ? undefined : { number, time_s: null };
  }

  /** All that takes a while. */
  async examine() {
    const { finding, asker } = this;
    this.#say("finalized block");
    await this.lookAtFinalized();
    this.#say("depth of state");
    if (finding.head > 0) finding.state_depth = await depth(asker, finding.head);
    this.#say("batches");
    finding.batch = await batches(asker);
    this.#say("ranges of eth_getLogs");
    if (finding.head > 0) finding.logs = await this.#logs(finding.head);
    await this.#methods();
    await this.#latency(finding.head ?? 0);
    const { asked: requests, throttles, gaveUp: given_up = null } = asker;
    Object.assign(finding, { requests, throttles, given_up });
  }

  async #logs(head) {
    const found = await ranges(this.asker, head, this.#settings.long);
    return { ...found, all: found.good === head };
  }

  async #methods() {
    const known = { transaction: await this.#transaction() };
    for (const [method, params] of Object.entries(METHODS)) {
      this.#say(method);
      const outcome = await this.asker.call(method, params(known));
      if (method.startsWith("eth_new") && outcome.result)
        await this.asker.call("eth_uninstallFilter", [outcome.result]);
      const word = wordFor(outcome);
      const { code } = outcome;
      this.finding.methods[method] = { word, ...(code !== undefined && { code }) };
    }
  }

  /** Of the newest block that has one, out of a few. */
  async #transaction() {
    for (let back = 0; back < 3 && this.finding.head > back; back += 1) {
      const block = `0x${(this.finding.head - back).toString(16)}`;
      const { result } = await this.asker.call("eth_getBlockByNumber", [block, false]);
      if (result?.transactions?.length > 0) return result.transactions[0];
    }
    return undefined;
  }

  async #latency(head) {
    const ask = (method) => this.asker.call(method, MEASURED[method](head));
    for (const method of Object.keys(MEASURED)) {
      const word = this.finding.methods[method]?.word;
      if (word !== "yes") continue;
      this.#say(`${this.#settings.samples} × ${method}`);
      this.finding.latency[method] = await measure(ask, method, this.#settings.samples);
    }
  }
}
