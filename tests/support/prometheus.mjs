/**
 * Prometheus itself: its tool, and a server that scrapes a Worker on loopback with the project's own
 * configuration and rules.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild, stopChild } from "../../local/children.mjs";
import { freePort } from "../../local/ports.mjs";
import { removeFolder, scratchFolder } from "../../local/scratch.mjs";
import { root } from "../../scripts/paths.mjs";
import { prometheus, promtool } from "../../scripts/prometheus.mjs";

const READY_MS = 120_000;
const TOOL_MS = 120_000;
const STEP_MS = 200;

/** @param {string} name @returns {string} a file of `monitoring/` */
export const file = (name) => join(root, "monitoring", name);

/** @param {string} name @returns {string} what is in it */
export const read = (name) => readFileSync(file(name), "utf8");

/**
 * Runs promtool to its end.
 *
 * @param {string[]} args
 * @param {{ input?: string, cwd?: string }} [options]
 * @returns {{ status: number | null, output: string }}
 */
export function tool(args, { input, cwd = join(root, "monitoring") } = {}) {
  const ran = spawnSync(promtool(), args, { input, cwd, encoding: "utf8", timeout: TOOL_MS });
  return { status: ran.status, output: `${ran.stdout}${ran.stderr}${ran.error?.message ?? ""}` };
}

/**
 * `monitoring/` as an operator would have it: his host, his key, and here a scrape every two seconds.
 *
 * @param {{ url: string, key: string }} worker
 * @returns {string} a folder
 */
export function configured({ url, key }) {
  const folder = scratchFolder();
  const { host, protocol } = new URL(url);
  const swaps = [
    ["breakwater.example.workers.dev", host],
    ["scheme: https", `scheme: ${protocol.slice(0, -1)}`],
    ["scrape_interval: 15s", "scrape_interval: 2s"],
    ["evaluation_interval: 15s", "evaluation_interval: 1s"],
    // Longer than the interval is refused.
    ["scrape_timeout: 10s", "scrape_timeout: 2s"],
  ];
  let config = read("prometheus.yml");
  for (const [from, to] of swaps) {
    assert.ok(config.includes(from), `prometheus.yml has no ${from}`);
    config = config.replace(from, to);
  }
  writeFileSync(join(folder, "prometheus.yml"), config);
  writeFileSync(join(folder, "breakwater.key"), key);
  copyFileSync(file("alerts.yml"), join(folder, "alerts.yml"));
  return folder;
}

/** A running server. */
export class Prometheus {
  #url;
  #folder;
  #child;

  constructor(url, folder, child) {
    this.#url = url;
    this.#folder = folder;
    this.#child = child;
  }

  /** @param {string} path of its API, with the query @returns {Promise<any>} `data` of the answer */
  async api(path) {
    const response = await fetch(`${this.#url}/api/v1/${path}`);
    const { status, data, error } = await response.json();
    if (status !== "success") throw new Error(`${path}: ${error}`);
    return data;
  }

  /** @param {string} expression @returns {Promise<{ metric: any, value: [number, string] }[]>} now */
  async query(expression) {
    return (await this.api(`query?query=${encodeURIComponent(expression)}`)).result;
  }

  async stop() {
    await stopChild(this.#child, 5000);
    removeFolder(this.#folder);
  }
}

/**
 * @param {{ url: string, key: string }} worker
 * @returns {Promise<Prometheus>} that scrapes it
 */
export async function startPrometheus(worker) {
  const folder = configured(worker);
  const port = await freePort(0);
  mkdirSync(join(folder, "data"));
  const args = [
    `--config.file=${join(folder, "prometheus.yml")}`,
    `--storage.tsdb.path=${join(folder, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--log.level=warn",
  ];
  const child = startChild(prometheus(), args, { group: true, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  }
  const url = `http://127.0.0.1:${port}`;
  const end = Date.now() + READY_MS;
  while (!(await ready(url))) {
    if (child.exitCode !== null || Date.now() > end) {
      await stopChild(child, 0);
      throw new Error(`prometheus did not start:\n${said}`);
    }
    await sleep(STEP_MS);
  }
  return new Prometheus(url, folder, child);
}

const ready = (url) =>
  fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
