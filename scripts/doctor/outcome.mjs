/**
 * What one request showed. Never holds text of the endpoint: that could quote its URL or key.
 *
 * @typedef {object} Outcome
 * @property {"result" | "error" | "throttled" | "account" | "http" | "odd" | "timeout" | "network"
 *   | "redirect" | "left_out"} kind `error`: a JSON-RPC error; `account`: 401, 402 or 403; `odd`: no
 *   JSON-RPC; `left_out`: not asked, since its configuration or this run's limit says so
 * @property {any} [result]
 * @property {any[]} [replies] of a batch
 * @property {number} [status] HTTP
 * @property {number} [code] of the JSON-RPC error
 * @property {"missing" | "plan" | "throttle" | "other"} [said] what the error's text is about
 * @property {number} [retryAfterMs]
 * @property {number} ms from asking to the whole answer
 */

const MISSING =
  /method\b.*\b(not found|not supported|unsupported|not available|unavailable|does not exist|not implemented)|unsupported method|unknown method|not (?:yet )?implemented|no such method/i;
const PLAN =
  /upgrade|your plan|tier|paid|subscription|whitelist|not allowed|forbidden|disabled|permission|restricted|unauthori[sz]ed|access denied|not authorized/i;
const THROTTLE =
  /rate.?limit|too many requests|per second|throttl|compute units|capacity exceeded/i;
/** JSON-RPC codes that endpoints use for throttles alone. */
const THROTTLES = [-32005, -32029, -32097, 429];

/**
 * @param {{ status: number, retryAfter: string | null, text: string, ms: number }} response
 * @returns {Outcome}
 */
export function readOutcome({ status, retryAfter, text, ms }) {
  const base = { status, ms, ...(seconds(retryAfter) && { retryAfterMs: seconds(retryAfter) }) };
  if (status >= 300 && status < 400) return { kind: "redirect", ...base };
  const body = json(text);
  if (status === 429) return { kind: "throttled", ...base };
  if (Array.isArray(body)) return { kind: "result", replies: body, ...base };
  if (body?.error && typeof body.error === "object") return { ...ofError(body.error), ...base };
  if ([401, 402, 403, 407, 451].includes(status)) return { kind: "account", ...base };
  if (status >= 400) return { kind: "http", ...base };
  if (body && "result" in body) return { kind: "result", result: body.result, ...base };
  return { kind: "odd", ...base };
}

/** Of a `GET` that is answered with JSON of its own. @returns {Outcome} */
export function readPlain(response) {
  const body = json(response.text);
  const good = response.status === 200 && body && typeof body === "object";
  return good
    ? { kind: "result", result: body, status: 200, ms: response.ms }
    : readOutcome({ ...response, text: "" });
}

function ofError({ code: given, message }) {
  // Only a number: anything else is text of its own.
  const code = Number.isInteger(given) ? given : undefined;
  const said = about(code, String(message));
  return { kind: said === "throttle" ? "throttled" : "error", code, said };
}

/** @param {number | undefined} code @param {string} message @returns {NonNullable<Outcome["said"]>} */
export function about(code, message) {
  if (THROTTLE.test(message) || (THROTTLES.includes(code) && !/range|block|result/i.test(message)))
    return "throttle";
  if (code === -32601 || code === -32004 || MISSING.test(message)) return "missing";
  return PLAN.test(message) ? "plan" : "other";
}

const seconds = (text) => {
  const s = Number(text);
  return text !== null && s > 0 ? s * 1000 : undefined;
};

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {Outcome} outcome @returns {boolean} whether the endpoint answered at all, well or not */
export const answered = ({ kind }) => !["timeout", "network", "left_out"].includes(kind);

/** @param {Outcome} outcome @returns {string} for people: no text of the endpoint's own */
export function told({ kind, status, code, why }) {
  if (kind === "error") return code === undefined ? "an error" : `error ${code}`;
  if (kind === "http" || kind === "account") return `HTTP ${status}`;
  if (kind === "redirect") return `HTTP ${status}, a redirect`;
  if (kind === "network") return why ?? "no connection";
  if (kind === "result") return "a result of another form";
  const words = { throttled: "rate limited", odd: "no JSON-RPC", timeout: "too late" };
  return words[kind] ?? kind.replace("_", " ");
}
