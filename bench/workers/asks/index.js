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
    const attempt = { over: false };
    const end = () => {
      attempt.over = true;
    };
    if (signal) signal.onabort = end;
    const body = await request.text();
    const began = Date.now();
    const timer = setTimeout(end, TIMEOUT_MS);
    const sent = { method, headers: JSON_TYPE, body, redirect: "manual" };
    const response = await fetch(this.env.UPSTREAM, sent);
    const facts = TOLD.map((name) => response.headers.get(name));
    const bytes = new Uint8Array(await response.arrayBuffer());
    clearTimeout(timer);
    const known = heading.length + facts.length > 0 && !attempt.over;
    const status = known ? response.status : 500;
    return new Response(bytes, { status, headers: explained(Date.now() - began) });
  }
}

const TIMEOUT_MS = 1_000;
const JSON_TYPE = { "content-type": "application/json" };
const TOLD = [
  "content-type",
  "retry-after",
  "cf-error-type",
  "extension-responses",
  "content-encoding",
  "transfer-encoding",
  "content-length",
];

const explained = (ms) => ({
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "x-breakwater-endpoint, x-breakwater-attempts, x-breakwater-reason, x-breakwater-quorum, server-timing",
  "x-breakwater-endpoint": "endpoint-0",
  "x-breakwater-attempts": "1",
  "server-timing": `total;dur=${ms}, upstream;dur=${ms};desc="endpoint-0"`,
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
});
