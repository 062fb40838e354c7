/**
 * What happens once for every piece of a large answer. Here and not in Rust: a piece would wake wasm
 * twice, which costs more than moving its bytes.
 */

/**
 * Writes what is left of a stream, in pieces as they come.
 *
 * @param {ReadableStreamBYOBReader} reader
 * @param {ArrayBuffer} buffer as long as the longest piece
 * @param {WritableStreamDefaultWriter} writer
 * @param {number | undefined} quietMs how long no byte may come; undefined: for ever
 * @param {() => void} quiet called then: it breaks the stream
 * @returns {Promise<{ end: "whole" | "broken" | "gone", bytes: number, buffer?: ArrayBuffer }>} whether
 *   the stream came to its end, broke, or has nobody any more who reads it; bytes written; the
 *   buffer, to be used again
 */
export async function passOn(reader, buffer, writer, quietMs, quiet) {
  for (let bytes = 0; ; ) {
    const timer = quietMs === undefined ? undefined : setTimeout(quiet, quietMs);
    let piece;
    try {
      piece = await reader.read(new Uint8Array(buffer));
    } catch (reason) {
      writer.abort(reason).catch(() => {});
      return { end: "broken", bytes };
    } finally {
      clearTimeout(timer);
    }
    // The memory is the same, its object is another.
    buffer = piece.value?.buffer;
    if (piece.done) return { end: "whole", bytes, buffer };
    bytes += piece.value.byteLength;
    try {
      await writer.write(piece.value);
    } catch {
      return { end: "gone", bytes, buffer };
    }
  }
}
