/**
 * A Breakwater in front of facilitators, for one test file.
 *
 *     const t = await facilitators({ names: ["a", "b"], route: { trip_after: 2 } });
 *     const paid = await t.settle(payment());
 */
import { Ledger, ledgerEngine, startFacilitator } from "../../local/facilitator.mjs";
import { harness } from "./harness.mjs";

let payments = 0;

/** @returns {{ x402Version: number, paymentPayload: object, paymentRequirements: object }} a new one */
export function payment() {
  payments += 1;
  return {
    x402Version: 2,
    paymentPayload: { accepted: {}, payload: { signature: "0x5e11", nonce: payments } },
    paymentRequirements: { scheme: "exact", amount: "10000" },
  };
}

/** @param {ReturnType<typeof payment>} body @returns {string} how the ledger knows it */
export const known = (body) => JSON.stringify(body.paymentPayload);

/**
 * @typedef {object} Options
 * @property {(string | Record<string, unknown> & { name: string })[]} [names] facilitators in
 *   configured order; further keys go into the endpoint's configuration, but for `strict` of
 *   `ledgerEngine`. Default a and b.
 * @property {(name: string, ledger: Ledger, strict?: boolean) => import("../../local/facilitator.mjs").Engine}
 *   [engine] default: `ledgerEngine`
 * @property {Record<string, unknown>} [route] keys of the route `pay`
 * @property {Partial<import("./harness.mjs").Options>} [more] anything else of the harness
 */

/**
 * @param {Options} [options]
 * @returns {Promise<import("./harness.mjs").Harness & Calls>}
 *
 * @typedef {object} Calls
 * @property {Ledger} ledger
 * @property {(body: unknown, how?: import("./harness.mjs").How) => Promise<import("./answer.mjs").Answer>} verify
 * @property {(body: unknown, how?: import("./harness.mjs").How) => Promise<import("./answer.mjs").Answer>} settle
 */
export async function facilitators({
  names = ["a", "b"],
  engine = ledgerEngine,
  route = {},
  more = {},
} = {}) {
  const ledger = new Ledger();
  const wanted = names.map((each) => (typeof each === "string" ? { name: each } : each));
  const started = await Promise.all(
    wanted.map(({ name, strict }) =>
      startFacilitator({ name, engine: engine(name, ledger, strict) }),
    ),
  );
  const endpoints = wanted.map(({ strict: _, ...config }, i) => ({
    url: started[i].url,
    ...config,
  }));
  const table = { protocol: "x402", endpoints, ...route };
  const { routes, ...rest } = more;
  try {
    const t = await harness({
      chain: false,
      endpoints: [],
      ...rest,
      service: { default_route: "pay", ...rest.service },
      route: { endpoints: [{ name: "none", url: "http://127.0.0.1:1" }] },
      routes: { ROUTE_PAY: table, ...routes },
    });
    for (const each of started) t.endpoint[each.name] = each;
    const call = (path) => (body, how) => t.post(`/pay/${path}`, body, {}, how);
    return Object.assign(t, { ledger, verify: call("verify"), settle: call("settle") });
  } catch (error) {
    await Promise.all(started.map((each) => each.stop()));
    throw error;
  }
}
