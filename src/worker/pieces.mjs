/**
 * What happens once for every piece of a large answer. Here and not in Rust: a piece would wake wasm
 * twice, which costs more than moving its bytes.
 */

/**
 * @param {import("./glue.mjs").Deadline} [time] when it is over the stream ends, and its connection
 * @returns {ReadableStreamBYOBReader}
 */
export function open(stream, time) {
  const reader = stream.getReader({ mode: "byob" });
  if (time) time.end = () => reader.cancel().catch(() => {});
  return reader;
}

/**
 * Writes what is left of a stream, in pieces as they come.
 *
 * @param {ReadableStreamBYOBReader} reader
 * @param {ArrayBuffer} buffer as long as the longest piece
 * @param {WritableStreamDefaultWriter} writer
 * @param {import("./glue.mjs").Deadline} idle how long no byte may come; then it breaks the stream
 * @param {number | undefined} left how many bytes are announced
 * @param {boolean} closed whether the last byte before them ends an answer
 * @returns {Promise<{ end: "whole" | "broken" | "gone", bytes: number, buffer?: ArrayBuffer }>} whether
 *   the answer came to its end, broke, or has nobody any more who reads it; bytes read; the buffer, to
 *   be used again
 */
export async function passOn(reader, buffer, writer, idle, left, closed) {
  for (let bytes = 0; ; ) {
    idle.again();
    let piece;
    try {
      piece = await reader.read(new Uint8Array(buffer));
    } catch (reason) {
      return broken(writer, reason, { bytes });
    } finally {
      idle.stop();
    }
    // The memory is the same, its object is another.
    buffer = piece.value?.buffer;
    if (piece.done) {
      return closed
        ? { end: "whole", bytes, buffer }
        : broken(writer, undefined, { bytes, buffer });
    }
    bytes += piece.value.byteLength;
    closed = closes(piece.value) ?? closed;
    // With its last bytes the client would take it for whole.
    if (bytes === left && !closed) return broken(writer, undefined, { bytes, buffer });
    try {
      await writer.write(piece.value);
    } catch {
      return { end: "gone", bytes, buffer };
    }
  }
}

function broken(writer, reason, passed) {
  writer.abort(reason).catch(() => {});
  return { end: "broken", ...passed };
}

const BLANKS = [0x20, 0x0a, 0x0d, 0x09];

/** Whether the object that an answer is ends here; undefined where there are but blanks. */
function closes(bytes) {
  const last = bytes.findLast((byte) => !BLANKS.includes(byte));
  return last && last === 0x7d;
}
