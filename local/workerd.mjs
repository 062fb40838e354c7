/**
 * Runs the built Worker in plain workerd: real sockets, real SQLite, as many isolates as asked for.
 */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import workerd from "workerd";
import { capnp, RATE_LIMIT_FILE } from "./capnp.mjs";
import { startChild, stopChild } from "./children.mjs";
import { Logs } from "./logs.mjs";
import { readProject } from "./project.mjs";
import { removeFolder, scratchFolder } from "./scratch.mjs";

const READY_MS = 20_000;

const RATE_LIMIT_SOURCE = fileURLToPath(new URL(RATE_LIMIT_FILE, import.meta.url));

/**
 * @typedef {object} Options
 * @property {Record<string, unknown>} [vars] in place of wrangler.toml's `[vars]`
 * @property {Record<string, string>} [secrets] Worker secrets. Default: none.
 * @property {number} [isolates] how many run the Worker, `a`, `b`, `c`, …; all use the same
 *   Durable Objects. Default 1.
 * @property {number} [port] of isolate `a`; the others get any free port. Default 0, any.
 * @property {string} [storageDir] where the objects' SQLite files are kept. Default: a folder that
 *   goes with `stop()`.
 * @property {import("./project.mjs").Project} [project] default: the project's wrangler.toml
 * @property {import("./project.mjs").RateLimit[]} [rateLimits] in place of wrangler.toml's
 *   `[[ratelimits]]`; each isolate counts for itself
 * @property {string[]} [extraBindings] bindings in workerd's notation, `(name = "X", text = "y")`
 * @property {string[]} [extraServices] services in workerd's notation
 * @property {string | Record<string, string>} [outbound] the service among them that takes the
 *   isolates' requests in place of the network, or one by isolate name
 */

/**
 * A running Worker. A request's header `cf-blob`, a JSON object, becomes its `request.cf`.
 */
export class Workerd {
  /** What it prints; outlives restarts. */
  logs = new Logs();
  /** @type {Record<string, string>} base URL by isolate name, without a trailing slash */
  urls = {};
  #options;
  #folder;
  #child;
  #stopping = false;

  /** @param {Options} options */
  constructor(options) {
    this.#options = { secrets: {}, isolates: 1, port: 0, project: readProject(), ...options };
    this.#folder = scratchFolder();
  }

  /** @returns {string} base URL of isolate `a` */
  get url() {
    return this.urls.a;
  }

  /** @returns {number | undefined} process id of workerd */
  get pid() {
    return this.#child?.pid;
  }

  /**
   * Stops workerd and starts it again on the same ports with the same storage: all isolates come
   * up cold, as after a deploy.
   *
   * @param {Pick<Options, "vars" | "secrets">} [changes] a deploy that changes these as a whole
   */
  async restart(changes = {}) {
    Object.assign(this.#options, changes);
    await this.#end();
    await this.start();
  }

  /** Ends workerd and keeps what it left on disk: `start` goes on with it, on the same ports. */
  async halt() {
    await this.#end();
  }

  /** Ends workerd and removes what it left on disk, but not a `storageDir` that was given. */
  async stop() {
    await this.#end();
    removeFolder(this.#folder);
  }

  /** Starts workerd and waits until every socket listens; `runWorker` has called it already. */
  async start() {
    this.#stopping = false;
    this.#writeConfig();
    const child = startChild(workerd.default, ["serve", "config.capnp", "--control-fd=3"], {
      cwd: this.#folder,
      group: true,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    this.#child = child;
    this.logs.read(child.stdout);
    this.logs.read(child.stderr);
    await this.#listening(child);
    child.once("exit", (code, signal) => {
      if (!this.#stopping) console.error(`workerd ended by itself (${signal ?? code})`);
    });
  }

  async #end() {
    this.#stopping = true;
    await stopChild(this.#child);
  }

  /** Copies the build beside the configuration, so that a later build does not touch this run. */
  #writeConfig() {
    const { project, secrets, outbound, extraBindings = [], extraServices = [] } = this.#options;
    const modules = moduleFiles(project);
    for (const file of modules) copyFileSync(join(project.build, file), join(this.#folder, file));
    copyFileSync(RATE_LIMIT_SOURCE, join(this.#folder, RATE_LIMIT_FILE));
    const storageDir = resolve(this.#options.storageDir ?? join(this.#folder, "storage"));
    mkdirSync(storageDir, { recursive: true });
    const vars = this.#options.vars ?? project.vars;
    const rateLimits = this.#options.rateLimits ?? project.rateLimits;
    const sockets = this.#ports();
    const extras = { extraBindings, extraServices, outbound };
    const layout = { project, modules, vars, secrets, rateLimits, ...extras, sockets, storageDir };
    writeFileSync(join(this.#folder, "config.capnp"), capnp(layout));
  }

  /** Ports to ask for: those of the last run, if there was one. */
  #ports() {
    const names = Array.from({ length: this.#options.isolates }, (_, i) =>
      String.fromCharCode(97 + i),
    );
    const port = (name) => this.urls[name] && Number(new URL(this.urls[name]).port);
    return Object.fromEntries(
      names.map((name, i) => [name, port(name) ?? (i === 0 ? this.#options.port : 0)]),
    );
  }

  /** workerd tells on its control channel which port each socket got. */
  #listening(child) {
    const waiting = new Set(Object.keys(this.#ports()));
    return new Promise((resolve, reject) => {
      const fail = (why) => {
        clearTimeout(timer);
        const said = this.logs.runtime.map(({ message }) => message).join("\n");
        stopChild(child, 0).then(() => reject(new Error(`workerd ${why}\n${said}`)));
      };
      const timer = setTimeout(() => fail(`was not ready after ${READY_MS} ms`), READY_MS);
      child.once("error", (error) => fail(`did not start: ${error.message}`));
      // "close", not "exit": by then everything it printed has been read.
      child.once("close", () => fail("ended before it was ready"));
      createInterface({ input: child.stdio[3] }).on("line", (line) => {
        const { event, socket, port } = JSON.parse(line);
        if (event !== "listen") return;
        this.urls[socket] = `http://127.0.0.1:${port}`;
        waiting.delete(socket);
        if (waiting.size > 0) return;
        clearTimeout(timer);
        child.removeAllListeners("close");
        resolve();
      });
    });
  }
}

/**
 * @param {Options} [options]
 * @returns {Promise<Workerd>} ready for requests
 */
export async function runWorker(options = {}) {
  const worker = new Workerd(options);
  await worker.start();
  return worker;
}

/** The entry first: workerd takes the first module as the main one. */
function moduleFiles({ build, entry }) {
  const others = readdirSync(build).filter((file) => /\.(js|wasm)$/.test(file) && file !== entry);
  return [entry, ...others];
}
