/**
 * Takes the names of functions out of a wasm file, a tenth of the upload that only people who read
 * stack traces miss. Functions keep their numbers, so `wasm-function[123]` of a trace can be looked
 * up in the copy that still has them.
 */
const HEADER_BYTES = 8;
const CUSTOM = 0;

/**
 * @param {Buffer} wasm
 * @returns {Buffer} the same without its "name" section
 */
export function withoutNames(wasm) {
  const kept = [wasm.subarray(0, HEADER_BYTES)];
  for (let start = HEADER_BYTES; start < wasm.length; ) {
    const size = unsigned(wasm, start + 1);
    const end = size.end + size.value;
    if (wasm[start] !== CUSTOM || title(wasm, size.end) !== "name") {
      kept.push(wasm.subarray(start, end));
    }
    start = end;
  }
  return Buffer.concat(kept);
}

/** What a custom section calls itself. */
function title(wasm, at) {
  const length = unsigned(wasm, at);
  return wasm.toString("utf8", length.end, length.end + length.value);
}

/** Reads a LEB128 number, at most 32 bits long, and tells where it ends. */
function unsigned(wasm, at) {
  let value = 0;
  for (let shift = 0, end = at; ; shift += 7) {
    const byte = wasm[end++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, end };
  }
}
