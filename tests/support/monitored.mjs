/**
 * One Worker with a route of every kind, all of whose metrics have something to say.
 */
import { Ledger, ledgerEngine, startFacilitator } from "../../local/facilitator.mjs";
import { scripted } from "./calls.mjs";
import { payment } from "./facilitators.mjs";
import { harness } from "./harness.mjs";

const WAIT_MS = 150_000;
const BLOCK = { number: "0x60", hash: "0x01" };
/** Nothing may time out where it should not, however slow the machine is. */
const PATIENT = { attempt_timeout_ms: 20_000, total_timeout_ms: 60_000 };
export const KEY = "m0nitoring-key";
const BEARER = { authorization: `Bearer ${KEY}` };
export const ADMIN = { authorization: "Bearer m0nitoring-admin" };

/** Routes of JSON-RPC, each with endpoints `<route>-a`, `-b` and `-c`. */
const RPC = {
  ordered: { trip_after: 2 },
  weighted: { mode: "weighted" },
  quorum: { mode: "quorum", quorum: { threshold: 2, of: 3, methods: ["eth_call"] } },
};

/**
 * @returns {Promise<import("./harness.mjs").Harness & Monitored>} started, with client key `KEY`
 *
 * @typedef {object} Monitored
 * @property {() => Promise<string>} page the metrics
 * @property {(route: string, method?: string) => Promise<import("./answer.mjs").Answer>} ask
 * @property {() => Promise<void>} useAll calls every route once
 * @property {() => Promise<void>} settled waits until heads, chain ids and finalized blocks are known
 * @property {() => Promise<void>} breakAll lets every kind of trouble happen that a metric tells of
 */
export async function monitored() {
  const facilitator = await startFacilitator({
    name: "pay-a",
    engine: ledgerEngine("a", new Ledger()),
  });
  const names = Object.keys(RPC).flatMap((route) => ["a", "b", "c"].map((e) => `${route}-${e}`));
  const script = { eth_call: "0xaa", eth_getBlockByNumber: BLOCK };
  const of = (route) => names.filter((name) => name.startsWith(route));
  const base = { protocol: "evm", chain_id: 31337, poll_ms: 500, cooldown_ms: 2000, ...PATIENT };
  const tables = Object.entries(RPC).map(([route, keys]) => [
    `ROUTE_${route.toUpperCase()}`,
    { ...base, endpoints: of(route), ...keys },
  ]);
  const pay = { protocol: "x402", endpoints: [{ name: "pay-a", url: facilitator.url }] };
  const t = await harness({
    chain: false,
    endpoints: names.map((name) => scripted(name, { script })),
    service: { default_route: "ordered", require_key: true },
    secrets: { CLIENT_KEYS: KEY, ADMIN_TOKEN: ADMIN.authorization.split(" ")[1] },
    // One more that only the harness wants.
    route: { ...base, endpoints: ["ordered-a"] },
    routes: { ...Object.fromEntries(tables), ROUTE_PAY: pay, ROUTE_BAD: {} },
  }).catch(async (error) => {
    await facilitator.stop();
    throw error;
  });
  t.endpoint["pay-a"] = facilitator;
  return Object.assign(t, actions(t, of));
}

function actions(t, of) {
  const page = async () => (await t.get("/metrics", BEARER)).text;
  const ask = (route, method = "eth_call") =>
    t.post(`/${route}`, { jsonrpc: "2.0", id: 1, method, params: [{}, "latest"] }, BEARER);
  const useAll = async () => {
    for (const route of [...Object.keys(RPC), "local"]) await ask(route);
    await t.post("/pay/verify", payment(), BEARER);
  };
  const settled = () =>
    t.until(async () => {
      await useAll();
      const text = await page();
      const known = (metric, name) => text.includes(`${metric}{route="${name.split("-")[0]}",`);
      const all = ["chain_id_ok", "lag_blocks", "finalized_lag_blocks"];
      return Object.keys(RPC).every((route) =>
        all.every((metric) => known(`breakwater_endpoint_${metric}`, route)),
      );
    }, WAIT_MS);
  const breakAll = async () => {
    for (const name of of("ordered")) await t.endpoint[name].set({ mode: "status", status: 503 });
    await t.endpoint["weighted-a"].set({ mode: "status", status: 401 });
    await t.endpoint["weighted-b"].set({
      mode: "status",
      status: 429,
      headers: { "retry-after": "120" },
    });
    t.endpoint["quorum-c"].script.eth_call = "0xbb";
    const drill = { kind: "slow", value: 1, for_ms: 600_000 };
    await t.post("/admin/routes/quorum/endpoints/quorum-b/fault", drill, ADMIN);
    await t.post("/admin/routes/local/endpoints/ordered-a/disable", "", ADMIN);
    await t.endpoint["pay-a"].set({ mode: "status", status: 500 });
    await t.until(async () => {
      await useAll();
      const text = await page();
      const seen = (name, endpoint, more = "") =>
        text.includes(
          `breakwater_${name}{route="${endpoint.split("-")[0]}",region="weur",endpoint="${endpoint}"${more}} 1\n`,
        );
      return (
        ["a", "b", "c"].every((e) => seen("endpoint_state", `ordered-${e}`, ',state="open"')) &&
        seen("endpoint_account_trouble", "weighted-a") &&
        seen("endpoint_throttled", "weighted-b") &&
        seen("endpoint_drill", "quorum-b") &&
        /breakwater_route_exhausted_total\{route="ordered",region="weur"\} [1-9]/.test(text) &&
        /breakwater_endpoint_disagreements_total\{.*"quorum-c"\} [1-9]/.test(text)
      );
    }, WAIT_MS);
  };
  return { page, ask, useAll, settled, breakAll };
}
