/**
 * A small HTTP port for people, to break and mend endpoints with curl:
 *
 *     GET  /                        how each one is
 *     POST /alpha/down   /alpha/up
 *     POST /alpha/slow?ms=2000      any mode, its settings as the query
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { modes } from "./modes.mjs";

const WORDS = { down: "refuse", up: "answer", heal: "answer" };

/**
 * @param {import("./endpoint.mjs").Endpoint[]} endpoints
 * @param {number} [port] default any
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startControl(endpoints, port = 0) {
  const server = createServer((req, res) => {
    answer(endpoints, req).then(
      (text) => res.end(`${text}\n`),
      (error) => res.writeHead(400).end(`${error.message}\n`),
    );
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(endpoints, { method, url }) {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const [, name, word] = pathname.split("/");
  if (!name) return [...endpoints.map(line), usage()].join("\n");
  const endpoint = endpoints.find((e) => e.name === name);
  if (!endpoint) throw new Error(`no endpoint ${name}; there are ${names(endpoints)}`);
  if (!word) return line(endpoint);
  if (method !== "POST") throw new Error("POST changes an endpoint");
  const mode = WORDS[word] ?? word.replaceAll("-", "_");
  const settings = [...searchParams].map(([key, value]) => [key, plain(value)]);
  await endpoint.set({ mode, ...Object.fromEntries(settings) });
  return line(endpoint);
}

const names = (endpoints) => endpoints.map((e) => e.name).join(", ");
const line = (e) => `${e.name.padEnd(8)} ${e.url.padEnd(24)} ${e.state}  (${e.hits()} requests)`;
const usage = () =>
  `\nPOST /NAME/down, /NAME/up, or any of: ${Object.keys(modes).join(" ").replaceAll("_", "-")}`;

/** `2000` is a number, `true` a truth value, the rest text. */
function plain(value) {
  if (value === "true" || value === "false") return value === "true";
  return value !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}
