/**
 * Breakwater as it is on Cloudflare's network: every isolate of the Worker a workerd process of its
 * own, and one more process that has the Durable Objects. An isolate reaches them over a socket, so
 * either side can go away alone.
 */
import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readProject } from "../local/project.mjs";
import { scratchFolder } from "../local/scratch.mjs";
import { runWorker } from "../local/workerd.mjs";

/**
 * @param {Record<string, unknown>} vars
 * @returns {Promise<import("../local/workerd.mjs").Workerd>} the objects' process; `GET /calls` tells
 *   how often each binding was asked since it started
 */
export const startObjects = (vars) => runWorker({ project: wrapped(objects), vars });

/**
 * @param {Record<string, unknown>} vars
 * @param {string} url of the objects' process
 * @returns {Promise<import("../local/workerd.mjs").Workerd>}
 */
export function startIsolate(vars, url) {
  const address = JSON.stringify(new URL(url).host);
  return runWorker({
    project: { ...wrapped(isolate), objects: [] },
    vars,
    extraBindings: [`(name = "OBJECTS", service = "objects")`],
    extraServices: [`(name = "objects", external = (address = ${address}, http = ()))`],
  });
}

/** The built Worker with another module as its entry. */
function wrapped(source) {
  const project = readProject();
  const build = scratchFolder();
  const files = readdirSync(project.build).filter((file) => /\.(js|wasm)$/.test(file));
  for (const file of files) copyFileSync(join(project.build, file), join(build, file));
  writeFileSync(join(build, "outer.js"), source(project));
  return { ...project, build, entry: "outer.js" };
}

/** The path names binding and object, escaped. */
const objects = ({ entry }) => `
export * from "./${entry}";
const calls = {};
export default {
  async fetch(request, env) {
    const { pathname, search } = new URL(request.url);
    const [, binding, name, ...rest] = pathname.split("/");
    if (binding === "calls") return Response.json(calls);
    calls[binding] = (calls[binding] ?? 0) + 1;
    const stub = env[binding].getByName(decodeURIComponent(name));
    return stub.fetch(new Request("https://object/" + rest.join("/") + search, request));
  },
};`;

const isolate = ({ entry, objects }) => `
import Built from "./${entry}";
class DurableObjectNamespace {
  constructor(service, binding) { Object.assign(this, { service, binding }); }
  getByName(name) {
    const { service, binding } = this;
    return { fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      const url = "http://objects/" + binding + "/" + encodeURIComponent(name) + pathname + search;
      return service.fetch(new Request(url, request));
    } };
  }
}
export default {
  fetch(request, { OBJECTS, ...env }, context) {
    for (const name of ${JSON.stringify(objects.map(({ binding }) => binding))}) {
      env[name] = new DurableObjectNamespace(OBJECTS, name);
    }
    return new Built(context, env).fetch(request);
  },
};`;
