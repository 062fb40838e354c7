/**
 * Looks for what must never come out in everything that does: answers, their headers, log lines.
 * Each harness has a watch and fails its file at `stop()` when it has seen something.
 */

/** Shorter ones are words that may stand anywhere. */
const LEN_MIN = 6;

/** Calls whose good answers pass through as they are, like results. */
const FACILITATORS = /\/(verify|settle|supported|discovery\/\w+)(\/[^/]*)?\/*(\?|$)/;

/** What a deployment must not show, and where it was seen. */
export class Watch {
  /** @type {string[]} what was found, and in what */
  found = [];
  /** @type {Map<string, string>} what to look for, in lower case, and what it is */
  #hidden = new Map();

  /**
   * @param {Record<string, string>} secrets
   * @param {Record<string, any>} vars
   */
  constructor(secrets, vars) {
    this.add(secrets, vars);
  }

  /** After a deploy that changes them. */
  add(secrets = {}, vars = {}) {
    for (const [name, value] of Object.entries(secrets)) {
      for (const part of value.split(/[\s,]+/)) this.#hide(part, name);
    }
    for (const [name, table] of Object.entries(vars)) {
      for (const endpoint of list(table?.endpoints)) this.#hideEndpoint(endpoint, name, secrets);
    }
  }

  /** @param {import("./answer.mjs").Answer} answer @param {string} path */
  answer({ status, headers, text }, path) {
    this.hear(`a header of ${path}`, [...headers].join("\n"));
    const passed = status < 400 && FACILITATORS.test(path);
    if (!passed) this.hear(`the body of ${path}`, withoutResults(text));
  }

  /** @param {string} where @param {string} text */
  hear(where, text) {
    const low = text.toLowerCase();
    for (const [hidden, what] of this.#hidden) {
      if (low.includes(hidden)) this.found.push(`${what} is in ${where}: ${text.slice(0, 300)}`);
    }
  }

  /** @throws {Error} when something came out */
  check() {
    if (this.found.length > 0) throw new Error(`it came out:\n${this.found.join("\n")}`);
  }

  #hideEndpoint({ name, url, headers = {} }, route, secrets) {
    if (typeof url !== "string") return;
    const filled = fill(url, secrets);
    this.#hide(filled.split("://")[1]?.split(/[/?]/)[0] ?? "", `the host of ${route}'s ${name}`);
    for (const value of Object.values(headers)) {
      this.#hide(fill(String(value), secrets), `a header of ${route}'s ${name}`);
    }
  }

  /** As it is, as JSON may write it, and as a URL may. */
  #hide(value, what) {
    if (value.length < LEN_MIN) return;
    for (const spelled of [value, value.replaceAll("/", "\\/"), encodeURIComponent(value)]) {
      this.#hidden.set(spelled.toLowerCase(), what);
    }
  }
}

const list = (value) => (Array.isArray(value) ? value : []);

const fill = (text, secrets) =>
  text.replace(/\$\{(\w+)\}/g, (_, name) => secrets[name]?.trim() ?? "");

/** A JSON-RPC answer without its results, which are never touched; anything else as it is. */
function withoutResults(text) {
  if (!text.includes('"result"')) return text;
  try {
    const body = JSON.parse(text);
    for (const one of [body].flat()) delete one?.result;
    return JSON.stringify(body);
  } catch {
    // Cut in the middle of a result.
    return "";
  }
}
