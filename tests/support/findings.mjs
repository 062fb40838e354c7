/**
 * Findings of the doctor, as if endpoints had been asked.
 */
import { readRoutes } from "../../scripts/doctor/configured.mjs";
import { blank } from "../../scripts/doctor/examine.mjs";
import { METHODS } from "../../scripts/doctor/methods.mjs";

const all = (word) => Object.fromEntries(Object.keys(METHODS).map((m) => [m, { word }]));

/** An endpoint without a fault. @param {string} name @param {object} [more] */
export const well = (name, more = {}) => ({
  ...blank(name),
  ...{ chain_id: 1, head: 1_000, advances: true, lag: { blocks: 0, seconds: 0 } },
  agrees: true,
  ...{ finalized: 900, finalized_lag: 0 },
  state_depth: { kind: "archive", blocks: 999 },
  batch: { good: 100, bad: null, sure: true },
  logs: { good: 1_000, bad: null, sure: true, all: true },
  methods: all("yes"),
  latency: Object.fromEntries(
    ["eth_blockNumber", "eth_call", "eth_getLogs"].map((m) => [m, took(50, 80)]),
  ),
  ...more,
});

export const took = (p50, p99, samples = 8) => ({ samples, failed: 0, p50, p99 });

/**
 * @param {object[]} findings
 * @param {{ route?: object, endpoints?: Record<string, object> }} [keys] of the route, and of
 *   endpoints by name
 * @returns {[import("../../scripts/doctor/configured.mjs").ConfiguredRoute, object]} what rules take
 */
export function judged(findings, { route = {}, endpoints = {} } = {}) {
  const listed = findings.map(({ name }) => ({
    name,
    url: `https://${name}.example.org`,
    ...endpoints[name],
  }));
  const table = { chain_id: 1, ...route, endpoints: listed };
  const [configured] = readRoutes({ vars: { ROUTE_A: table } }, {});
  const { protocol, chain_id } = configured;
  return [configured, { route: "a", protocol, chain_id, block_time_s: 12, endpoints: findings }];
}
