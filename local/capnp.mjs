/**
 * The configuration text that `workerd serve` reads.
 *
 * One service per isolate, and one more that owns the Durable Objects, in an isolate of its own:
 * on Cloudflare's network too a Worker shares no memory with its object.
 */

/** Module that stands in for the platform's rate limits, and its file beside the configuration. */
const RATE_LIMIT = "breakwater-local:rate-limit";
export const RATE_LIMIT_FILE = "rate_limit.js";

/** Service whose isolate the Durable Objects live in. */
const OWNER = "object";

/**
 * @typedef {object} Layout
 * @property {import("./project.mjs").Project} project
 * @property {string[]} modules file names beside the configuration, entry first
 * @property {Record<string, unknown>} vars
 * @property {Record<string, string>} secrets
 * @property {import("./project.mjs").RateLimit[]} rateLimits
 * @property {string[]} extraBindings further bindings, in workerd's own notation
 * @property {string[]} extraServices further services, in workerd's own notation
 * @property {string | Record<string, string>} [outbound] service that takes the Worker's requests,
 *   or one by isolate name. Default: the network.
 * @property {Record<string, number>} sockets port (0: any) by isolate name
 * @property {string} storageDir absolute; the objects' SQLite files
 */

/** @param {Layout} layout @returns {string} */
export function capnp(layout) {
  const services = [
    ...(layout.project.objects.length > 0 ? [owner(layout)] : []),
    ...Object.keys(layout.sockets).map((name) => service(layout, name, outbound(layout, name))),
    `(name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true)))`,
    `(name = "disk", disk = (path = ${text(layout.storageDir)}, writable = true))`,
    ...layout.extraServices,
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  logging = (structuredLogging = true),
  services = [
    ${services.join(",\n    ")}
  ],
  sockets = [
    ${Object.entries(layout.sockets).map(socket).join(",\n    ")}
  ],
  extensions = [
    (modules = [(name = ${text(RATE_LIMIT)}, internal = true, esModule = embed ${text(RATE_LIMIT_FILE)})])
  ],
);
`;
}

function service({ project, modules, ...layout }, name, extras) {
  const flags = project.compatibilityFlags.map(text).join(", ");
  return `(name = ${text(name)}, worker = (
      modules = [${modules.map(module).join(", ")}],
      compatibilityDate = ${text(project.compatibilityDate)}, compatibilityFlags = [${flags}],
      bindings = [
        ${bindings(project, layout).join(",\n        ")}
      ]${extras}))`;
}

const owner = (layout) => service(layout, OWNER, ownerExtras(layout.project));

function outbound({ outbound: taker }, isolate) {
  const name = typeof taker === "string" ? taker : taker?.[isolate];
  return name ? `, globalOutbound = ${text(name)}` : "";
}

function module(file) {
  if (file.endsWith(".wasm")) return `(name = ${text(`./${file}`)}, wasm = embed ${text(file)})`;
  return `(name = ${text(file)}, esModule = embed ${text(file)})`;
}

function bindings(project, { vars, secrets, rateLimits, extraBindings }) {
  return [
    ...Object.entries(vars).map(([name, value]) =>
      typeof value === "string" ? plain(name, value) : json(name, value),
    ),
    ...Object.entries(secrets).map(([name, value]) => plain(name, value)),
    ...project.objects.map(
      ({ binding, className }) =>
        `(name = ${text(binding)}, durableObjectNamespace = (className = ${text(className)}, serviceName = ${text(OWNER)}))`,
    ),
    ...rateLimits.map(
      ({ binding, ...simple }) =>
        `(name = ${text(binding)}, wrapped = (moduleName = ${text(RATE_LIMIT)}, innerBindings = [${json("simple", simple)}]))`,
    ),
    ...extraBindings,
  ];
}

const plain = (name, value) => `(name = ${text(name)}, text = ${text(value)})`;
const json = (name, value) => `(name = ${text(name)}, json = ${text(JSON.stringify(value))})`;

function ownerExtras({ objects }) {
  const namespaces = objects.map(
    ({ className, sqlite }) =>
      `(className = ${text(className)}, uniqueKey = ${text(className)}, enableSql = ${sqlite})`,
  );
  return `,
      durableObjectNamespaces = [${namespaces.join(", ")}],
      durableObjectStorage = (localDisk = "disk")`;
}

/** `request.cf` is whatever JSON the request carries in the header `cf-blob`. */
function socket([name, port]) {
  return `(name = ${text(name)}, address = "127.0.0.1:${port}", http = (cfBlobHeader = "cf-blob"), service = ${text(name)})`;
}

/** A Cap'n Proto string literal, which knows `\xHH` but not `\uHHHH`. */
function text(value) {
  const escaped = Array.from(value, (c) => {
    if (c === "\\" || c === '"') return `\\${c}`;
    return c < " " ? `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}` : c;
  });
  return `"${escaped.join("")}"`;
}
