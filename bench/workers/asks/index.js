import { WorkerEntrypoint } from "cloudflare:workers";

/**
 * What Breakwater asks of the runtime for a healthy call, and not one decision: the heading of the
 * request and whether its client is still there, both bodies whole, a time limit, what an answer's
 * headers say, eight headers of its own. No failover can cost less that reads what it passes on.
 */
export default class extends WorkerEntrypoint {
  async fetch(request) {
    const { method, url, headers, signal } = request;
    const asked = ["origin", "authorization", "x-api-key", "transfer-encoding", "content-length"];
    const heading = [method, url, ...asked.map((name) => headers.get(name))];
    const gone = new Promise((resolve) => {
      if (signal) signal.onabort = resolve;
    });
    const body = await request.text();
    return Promise.race([answer(this.env.UPSTREAM, body, heading), gone]);
  }
}

const TIMEOUT_MS = 1_000;
const JSON_TYPE = { "content-type": "application/json" };

async function answer(url, body, heading) {
  const began = Date.now();
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, TIMEOUT_MS);
  });
  const sent = fetch(url, { method: "POST", headers: JSON_TYPE, body, redirect: "manual" });
  const response = await Promise.race([sent, late]);
  const told = ["content-type", "retry-after", "cf-error-type", "extension-responses"];
  const length = ["content-encoding", "transfer-encoding", "content-length"];
  const facts = [...told, ...length].map((name) => response.headers.get(name));
  const bytes = new Uint8Array(await Promise.race([response.arrayBuffer(), late]));
  clearTimeout(timer);
  const ms = Date.now() - began;
  return new Response(bytes, {
    status: heading.length + facts.length > 0 ? response.status : 500,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-expose-headers":
        "x-breakwater-endpoint, x-breakwater-attempts, x-breakwater-reason, x-breakwater-quorum, server-timing",
      "x-breakwater-endpoint": "endpoint-0",
      "x-breakwater-attempts": "1",
      "server-timing": `total;dur=${ms}, upstream;dur=${ms};desc="endpoint-0"`,
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
