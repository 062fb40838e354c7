/**
 * A whole Breakwater for one test file: a chain, endpoints that can fail, the built Worker.
 *
 *     const t = await harness({ endpoints: ["a", "b"], route: { trip_after: 2 } });
 *     after(() => t.stop());
 *
 *     await t.endpoint.a.set("refuse");
 *     const r = await t.rpc("eth_blockNumber");
 *     assert.equal(r.endpoint, "b");
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startChain } from "../../local/chain.mjs";
import { startEndpoint } from "../../local/endpoint.mjs";
import { runWorker } from "../../local/workerd.mjs";
import { builtKind } from "../../scripts/inputs.mjs";
import { send } from "./answer.mjs";
import { Watch } from "./leaks.mjs";

const UNTIL_MS = 20_000;
const UNTIL_STEP_MS = 20;

/**
 * @typedef {object} Options
 * @property {(string | EndpointOptions)[]} [endpoints] in configured order. Default `["a", "b"]`.
 * @property {Record<string, unknown>} [route] keys of the route `local`, over the defaults
 * @property {Record<string, unknown>} [routes] further variables by name (`ROUTE_OTHER`). An
 *   endpoint given as a name becomes the one of this harness, here and in `route`.
 * @property {Record<string, unknown>} [service] keys of `SERVICE`
 * @property {Record<string, string>} [secrets]
 * @property {number} [isolates] default 1
 * @property {boolean | Parameters<typeof startChain>[0]} [chain] settings of the chain behind the
 *   endpoints; false: none, all answers come from scripts. Default: one with its defaults.
 * @property {Partial<import("../../local/workerd.mjs").Options>} [worker] anything else of workerd's
 *
 * @typedef {Record<string, unknown> & { name: string, script?: Record<string, unknown> }} EndpointOptions
 *   `script`: own answers by method; `path`: added to its URL, `${SECRET}`s and all; every other key
 *   goes into the endpoint's configuration
 *
 * @typedef {object} How a request is made
 * @property {Record<string, string>} [headers]
 * @property {string} [path] default `/`
 * @property {string} [isolate] which one is asked. Default `a`.
 * @property {Record<string, unknown>} [cf] what the Worker finds in `request.cf`
 * @property {AbortSignal} [signal]
 * @property {unknown} [id] of the JSON-RPC call. Default 1.
 */

/**
 * @param {Options} [options]
 * @returns {Promise<Harness>} ready for requests
 * @throws {Error} when `build/` is missing or older than the sources
 */
export async function harness(options = {}) {
  const built = builtKind();
  if (built === "none" || built === "stale") {
    throw new Error("build/ is not what the sources give: npm run build (or add -- --dev)");
  }
  const chainOptions = options.chain === true ? {} : (options.chain ?? {});
  const chain = chainOptions ? await startChain(chainOptions) : undefined;
  const wanted = (options.endpoints ?? ["a", "b"]).map((e) =>
    typeof e === "string" ? { name: e } : e,
  );
  const endpoints = await Promise.all(
    wanted.map(({ name, script }) => startEndpoint({ name, script, upstream: chain?.url })),
  );
  const vars = configure(options, wanted, endpoints, chain?.chainId ?? 31337);
  const { secrets = {}, isolates = 1 } = options;
  try {
    const worker = await runWorker({ ...options.worker, vars, secrets, isolates });
    return new Harness(chain, endpoints, worker, vars, new Watch(secrets, vars));
  } catch (error) {
    // An open port would keep the test file running.
    await stopAll([...endpoints, chain]);
    throw error;
  }
}

/** @param {({ stop: () => Promise<void> } | undefined)[]} parts */
const stopAll = (parts) => Promise.all(parts.map((part) => part?.stop()));

/** The `[vars]` of the Worker. */
function configure({ service, route, routes = {} }, wanted, endpoints, chainId) {
  const configured = wanted.map(({ script: _, path = "", ...config }, i) => ({
    ...config,
    url: config.url ?? endpoints[i].url + path,
  }));
  const named = (name) => configured.find((e) => e.name === name) ?? name;
  const filled = (table) =>
    Array.isArray(table?.endpoints) ? { ...table, endpoints: table.endpoints.map(named) } : table;
  const local = { protocol: "evm", chain_id: chainId, endpoints: configured, ...route };
  const others = Object.entries(routes).map(([name, table]) => [name, filled(table)]);
  return {
    SERVICE: { default_route: "local", ...service },
    ROUTE_LOCAL: filled(local),
    ...Object.fromEntries(others),
  };
}

export class Harness {
  /** @type {import("../../local/chain.mjs").Chain | undefined} */
  chain;
  /** @type {Record<string, import("../../local/endpoint.mjs").Endpoint>} by name */
  endpoint;
  /** @type {import("../../local/workerd.mjs").Workerd} */
  worker;
  /** The `[vars]` that the Worker runs with, to change and pass to `worker.restart({ vars })`. */
  vars;
  /** What has come out that must not. */
  watch;

  constructor(chain, endpoints, worker, vars, watch) {
    this.chain = chain;
    this.endpoint = Object.fromEntries(endpoints.map((e) => [e.name, e]));
    this.worker = worker;
    this.vars = vars;
    this.watch = watch;
    worker.logs.onLine((line) => watch.hear("a log line", line));
  }

  /** @returns {string} base URL of isolate `a` */
  get url() {
    return this.worker.url;
  }

  /** @returns {string[]} what the Worker has logged */
  get logs() {
    return this.worker.logs.lines;
  }

  /** @param {string} [kind] @returns {Record<string, unknown>[]} logged events, of one kind or all */
  events(kind) {
    return this.worker.logs.events(kind);
  }

  /**
   * Calls one method.
   *
   * @param {string} method
   * @param {unknown} [params] default `[]`
   * @param {How} [how]
   * @returns {Promise<import("./answer.mjs").Answer>}
   */
  rpc(method, params = [], { path = "/", id = 1, ...how } = {}) {
    return this.post(path, { jsonrpc: "2.0", id, method, params }, {}, how);
  }

  /**
   * @param {string} path
   * @param {unknown} body text or bytes as they are, anything else as JSON
   * @param {Record<string, string>} [headers]
   * @param {How} [how]
   */
  post(path, body, headers = {}, how = {}) {
    return this.fetch(path, { method: "POST", body, headers, ...how });
  }

  /** @param {string} path @param {Record<string, string>} [headers] @param {How} [how] */
  get(path, headers = {}, how = {}) {
    return this.fetch(path, { method: "GET", headers, ...how });
  }

  /** Any request. @param {string} path @param {How & { method?: string, body?: unknown }} how */
  async fetch(path, { isolate = "a", ...how } = {}) {
    const answer = await send(`${this.worker.urls[isolate]}${path}`, how);
    this.watch.answer(answer, path);
    return answer;
  }

  /**
   * @param {string} [route] default `local`
   * @param {How} [how]
   * @returns {Promise<any>} the status JSON, with `endpoints` also by name in `endpoint`
   */
  async status(route = "local", how = {}) {
    const { body } = await this.get(`/status/${route}`, {}, how);
    const endpoint = Object.fromEntries((body?.endpoints ?? []).map((e) => [e.name, e]));
    return { ...body, endpoint };
  }

  /**
   * Waits until something holds.
   *
   * @template T
   * @param {() => T | Promise<T>} holds
   * @param {number} [ms] how long at most. Default 20 s.
   * @returns {Promise<T>} what it gave in the end
   * @throws {Error} when it never gives anything truthy
   */
  async until(holds, ms = UNTIL_MS) {
    const end = Date.now() + ms;
    for (;;) {
      const value = await holds();
      if (value) return value;
      if (Date.now() > end) throw new Error(`not so after ${ms} ms: ${holds}`);
      await sleep(UNTIL_STEP_MS);
    }
  }

  /** Mends every endpoint and forgets what they and the logs have seen. */
  async heal() {
    for (const endpoint of Object.values(this.endpoint)) {
      await endpoint.set("answer");
      endpoint.clear();
    }
    this.worker.logs.clear();
  }

  /**
   * Ends everything it started.
   *
   * @throws {Error} when a secret or a host of an upstream has come out meanwhile
   */
  async stop() {
    await stopAll([this.worker, ...Object.values(this.endpoint), this.chain]);
    this.watch.check();
  }
}
