import { Bells } from "./bells.mjs";

/**
 * What the shell asks of the runtime, several steps at a time: each crossing between wasm and
 * JavaScript costs, most of all strings and promises.
 */

const JSON_TYPE = { "content-type": "application/json" };

/**
 * @param {Request} request
 * @returns {string} what nearly every request is asked for, one a line; a header that is not there
 *   is an empty line
 */
export function heading({ method, url, headers }) {
  const header = (name) => headers.get(name) ?? "";
  const origin = header("origin");
  const keys = `${header("authorization")}\n${header("x-api-key")}`;
  // Of a body in chunks the chunks alone count.
  const length = headers.has("transfer-encoding") ? "" : header("content-length");
  return `${method}\n${url}\n${origin}\n${keys}\n${length}`;
}

/** A time limit for one attempt, and what ends it before. */
export class Deadline {
  /**
   * @param {Bells} [bells] the request's, where it is for one
   * @param {number} [ms] none: no limit
   * @param {boolean} aborts whether the request ends at its endpoint too, which costs a signal
   */
  constructor(bells = new Bells(), ms, aborts) {
    this.bells = bells;
    this.ms = ms;
    this.passed = false;
    this.controller = aborts ? new AbortController() : undefined;
    /** Ends what waits for the endpoint now. */
    this.end = undefined;
    this.again();
  }

  get signal() {
    return this.controller?.signal;
  }

  /** Starts the clock again. */
  again() {
    this.stop();
    if (this.ms !== undefined) this.bell = this.bells.ring(this.ms, () => this.abort());
  }

  stop() {
    if (this.bell !== undefined) this.bells.silence(this.bell);
    this.bell = undefined;
  }

  abort() {
    this.passed = true;
    this.controller?.abort();
    this.end?.();
  }
}

/**
 * Tells wasm which of the promises that it waits for has settled.
 *
 * @param {(key: number, kept: boolean, value: unknown) => void} settle
 */
export function watch(promise, key, settle) {
  promise.then(
    (value) => settle(key, true, value),
    (reason) => settle(key, false, reason),
  );
}

/** The same after so many milliseconds. */
export const ring = (bells, key, settle, ms) => bells.ring(ms, () => settle(key, true));

/** The same when the client of this request has gone. */
export function hear({ signal }, key, settle) {
  if (signal) signal.onabort = () => settle(key, true);
}

/**
 * Makes an upstream request, reads the answer if its length is known and small, and tells `settle` of
 * an `Arrived`, or why no headers came.
 *
 * @param {Deadline} deadline
 * @param {Record<string, string>} [headers] on top of JSON's type
 * @param {number} most bytes that are small
 */
export function send(deadline, key, settle, method, url, headers, body, most) {
  const all = headers === undefined ? JSON_TYPE : { ...JSON_TYPE, ...headers };
  const { signal } = deadline;
  const settled = (kept, value) => {
    deadline.end = undefined;
    settle(key, kept, value);
  };
  const failed = (reason) => settled(false, reason);
  deadline.end = failed;
  fetch(url, { method, headers: all, body, redirect: "manual", signal }).then((response) => {
    if (deadline.passed) return leave(response);
    const arrived = facts(response);
    if (!(arrived.length <= most)) return settled(true, arrived);
    const broken = () => {
      arrived.broken = true;
      settled(true, arrived);
    };
    deadline.end = broken;
    response.arrayBuffer().then((bytes) => {
      arrived.bytes = new Uint8Array(bytes);
      settled(true, arrived);
    }, broken);
  }, failed);
}

/** Of an answer that nobody waits for any more. */
const leave = ({ body }) => body?.cancel().catch(() => {});

/**
 * @typedef {object} Arrived
 * @property {Response} response
 * @property {number} status
 * @property {number} [length] of what is read, where it is known
 * @property {Uint8Array} [bytes] the whole body
 * @property {boolean} broken the body broke off
 */
function facts(response) {
  const { status, headers } = response;
  return {
    response,
    status,
    length: plainLength(headers),
    bytes: undefined,
    broken: false,
    contentType: headers.get("content-type"),
    retryAfter: headers.get("retry-after"),
    edgeError: headers.get("cf-error-type"),
    extension: headers.get("extension-responses"),
  };
}

/**
 * `Content-Length` where it is the length of what is read: the runtime decodes encoded bodies, and in
 * a body that comes in chunks the chunks alone count.
 */
function plainLength(headers) {
  const coded = headers.get("content-encoding") ?? headers.get("transfer-encoding");
  const length = headers.get("content-length");
  return coded === null && /^\d+$/.test(length ?? "") ? Number(length) : undefined;
}

/**
 * @param {string} lines `name:value`, one a line
 * @param {Record<string, string>} [before] headers to add them to
 */
export function headers(lines, before) {
  const all = { ...before };
  for (const line of lines === "" ? [] : lines.split("\n")) {
    const at = line.indexOf(":");
    all[line.slice(0, at)] = line.slice(at + 1);
  }
  return all;
}

/**
 * @param {number} status
 * @param {Record<string, string>} common headers of many answers
 * @param {string} lines more of them
 * @param {BodyInit | null} body
 */
export const answer = (status, common, lines, body) =>
  new Response(body, { status, headers: headers(lines, common) });

/** @param {Uint8Array} bytes wasm's own, which change after this */
export const answerBytes = (status, common, lines, bytes) =>
  answer(status, common, lines, bytes.slice());
