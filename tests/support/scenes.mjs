/**
 * One Worker, and for each scene a route with endpoints of its own, so that scenes of one file do
 * not see each other.
 */
import { scripted } from "./calls.mjs";
import { harness } from "./harness.mjs";

const LETTERS = ["a", "b", "c", "d"];

/** What an endpoint does. */
export const http = (status, body = "", headers = {}) => ({
  mode: "status",
  status,
  body,
  headers,
});
export const error = (code, message, more = {}) => ({ mode: "rpc_error", code, message, ...more });
/** An answer of a script that is an error. */
export const refusing = (code, message) => () => {
  throw { code, message };
};

/**
 * @typedef {Record<string, unknown> & { count?: number, endpoint?: Record<string, unknown> }} Wanted
 *   `count` endpoints (2), each with the keys of `endpoint`; every other key is the route's
 *
 * @param {Record<string, Wanted>} wanted by scene
 * @param {import("./harness.mjs").Options} [options]
 * @returns {Promise<{ t: import("./harness.mjs").Harness, scene: (name: string) => Scene }>}
 */
export async function scenes(wanted, options = {}) {
  const all = Object.entries(wanted).map(([name, { count = 2, endpoint, ...route }]) => {
    const names = LETTERS.slice(0, count).map((letter) => `${name}-${letter}`);
    return { name, names, endpoint, route };
  });
  const tables = all.map(({ name, names, route }) => [
    `ROUTE_${name.replaceAll("-", "_").toUpperCase()}`,
    { protocol: "evm", chain_id: 31337, endpoints: names, ...route },
  ]);
  const t = await harness({
    chain: false,
    endpoints: all.flatMap(({ names, endpoint }) => names.map((name) => scripted(name, endpoint))),
    service: { state: "isolate", ...options.service },
    route: tables[0][1],
    routes: { ...Object.fromEntries(tables), ...options.routes },
    secrets: options.secrets,
  });
  return { t, scene: (name) => new Scene(t, name) };
}

/** One route and its endpoints `a`, `b`, … */
export class Scene {
  #t;
  #name;

  constructor(t, name) {
    this.#t = t;
    this.#name = name;
    for (const letter of LETTERS) this[letter] = t.endpoint[`${name}-${letter}`];
  }

  /** @param {string} method @param {unknown} [params] @param {import("./harness.mjs").How} [how] */
  async rpc(method, params, how) {
    return this.#short(await this.#t.rpc(method, params, { path: this.path, ...how }));
  }

  /** A read that each endpoint answers by its own name. */
  read() {
    return this.rpc("eth_call", [{ to: "0x00" }, "latest"]);
  }

  async post(body, headers) {
    return this.#short(await this.#t.post(this.path, body, headers));
  }

  get path() {
    return `/${this.#name}`;
  }

  /** @returns {Promise<any>} of endpoint `a`, and how many seconds it rests */
  async status(letter = "a") {
    const { endpoint, now_ms } = await this.#t.status(this.#name);
    const own = endpoint[`${this.#name}-${letter}`];
    const until = own.throttled_until_ms;
    return { ...own, rest: until === null ? 0 : (until - now_ms) / 1000 };
  }

  /** How many calls of a method, or requests, the endpoints got. */
  hits(method) {
    return LETTERS.filter((letter) => this[letter]).map((letter) => this[letter].hits(method));
  }

  /** The answer with `by`, the letter of the endpoint. */
  #short(answer) {
    return { ...answer, by: answer.endpoint?.replaceAll(`${this.#name}-`, "") ?? null };
  }
}
