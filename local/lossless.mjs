/**
 * JSON in and out without touching a number: `9007199254740993` and `1.0` come back as they were.
 */

const MARK = "\u0000number:";
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** @param {string} text @returns {any} numbers that JavaScript would change are marked strings */
export function parse(text) {
  const safe = text.replace(TOKEN, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : JSON.stringify(MARK + token),
  );
  return JSON.parse(safe);
}

/** @param {any} value as `parse` gave it @returns {string} */
export function stringify(value) {
  return JSON.stringify(value).replace(/"\\u0000number:([^"]*)"/g, "$1");
}
