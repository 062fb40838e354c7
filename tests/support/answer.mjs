/**
 * What came back from Breakwater, taken apart for assertions.
 */

/**
 * @typedef {object} Answer
 * @property {number} status HTTP status
 * @property {Headers} headers
 * @property {string} text the body as it came
 * @property {any} body the body as JSON; undefined when it is none
 * @property {any} result of a single JSON-RPC reply
 * @property {{ code: number, message: string, data?: any } | undefined} error of such a reply
 * @property {string | null} endpoint whose answer it is (`x-breakwater-endpoint`)
 * @property {number | null} attempts how many were made (`x-breakwater-attempts`)
 * @property {string | null} reason why earlier attempts were left (`x-breakwater-reason`)
 * @property {number} ms from sending the request to the last byte of the answer
 */

/**
 * @param {string} url
 * @param {{ method?: string, body?: unknown, headers?: Record<string, string | null>,
 *   cf?: Record<string, unknown>, signal?: AbortSignal }} request `body`: text, bytes and streams as
 *   they are, anything else as JSON; sent as `application/json` unless `headers` name another type,
 *   or null for none
 * @returns {Promise<Answer>}
 */
export async function send(url, { body, headers = {}, cf, ...init }) {
  const began = performance.now();
  const all = {
    "content-type": body === undefined ? null : "application/json",
    ...headers,
    "cf-blob": cf ? JSON.stringify(cf) : null,
  };
  const response = await fetch(url, {
    redirect: "manual",
    duplex: "half",
    ...init,
    body: bytes(body),
    headers: Object.entries(all).filter(([, value]) => value !== null),
  });
  const text = await response.text();
  return { ...readAnswer(response, text), ms: performance.now() - began };
}

function readAnswer(response, text) {
  const header = (name) => response.headers.get(`x-breakwater-${name}`);
  const body = json(text);
  const attempts = header("attempts");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    result: body?.result,
    error: body?.error,
    endpoint: header("endpoint"),
    attempts: attempts === null ? null : Number(attempts),
    reason: header("reason"),
  };
}

function bytes(body) {
  const kinds = [Uint8Array, ReadableStream];
  if (body === undefined || kinds.some((kind) => body instanceof kind)) return body;
  // Not as a string: fetch would name a Content-Type for it.
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
