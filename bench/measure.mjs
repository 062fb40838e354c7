/**
 * What the benchmarks share: bare Workers to stand beside, an endpoint, and CPU time of a process.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { readProject } from "../local/project.mjs";
import { runWorker } from "../local/workerd.mjs";
import { builtKind } from "../scripts/inputs.mjs";

/** A Worker of `bench/workers`. */
export function bare(name, vars) {
  const build = fileURLToPath(new URL(`workers/${name}`, import.meta.url));
  return runWorker({ project: { ...readProject(), build, entry: "index.js", objects: [] }, vars });
}

/** Breakwater with one route to these endpoints, as it is built. */
export function breakwater(...urls) {
  if (builtKind() !== "release") throw new Error("a release of the present sources: npm run build");
  const endpoints = urls.map((url, nth) => ({ name: `endpoint-${nth}`, url }));
  const route = { protocol: "evm", chain_id: 1, poll_ms: 600_000, endpoints };
  return runWorker({ vars: { SERVICE: { default_route: "local" }, ROUTE_LOCAL: route } });
}

/**
 * An endpoint that costs as little as one can.
 *
 * @param {(body: Buffer) => Buffer} answer
 * @param {() => number} [latencyMs] default: none
 */
export async function listen(answer, latencyMs = () => 0) {
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const body = answer(Buffer.concat(parts));
      const length = { "content-type": "application/json", "content-length": body.length };
      const send = () => response.writeHead(200, length).end(body);
      if (latencyMs() > 0) setTimeout(send, latencyMs());
      else send();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** CPU spent so far and resident memory of a process. Linux counts time in hundredths. */
export function usage(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  const kib = readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1];
  return { ms: (Number(fields[11]) + Number(fields[12])) * 10, mib: Math.round(kib / 1024) };
}

export const middle = (figures) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
