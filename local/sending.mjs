/**
 * Putting a reply on the wire, whole or not.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";

/**
 * @typedef {import("node:http").ServerResponse} ServerResponse
 * @typedef {import("./exchange.mjs").Reply} Reply
 */

/** At its usual quality it takes a second a megabyte. */
const brotliQuick = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });

const encoders = { gzip: gzipSync, br: brotliQuick, deflate: deflateSync };

/** @type {(res: ServerResponse, reply: Reply, fault: Record<string, any>) => void} */
export function sendWhole(res, reply, fault) {
  const body = begin(res, reply, fault, false);
  res.end(body);
}

/** Half the body, then the connection is closed. */
export async function sendCut(res, reply, fault) {
  await sendHalf(res, reply, fault);
  res.socket?.destroy();
}

/** Half the body, then silence. */
export async function sendHalf(res, reply, fault) {
  const body = begin(res, reply, fault, fault.chunked ?? false);
  await new Promise((flushed) => res.write(body.subarray(0, Math.ceil(body.length / 2)), flushed));
}

/** The whole body in equal pieces with a pause before each but the first. */
export async function sendDrip(res, reply, fault) {
  const body = begin(res, reply, fault, fault.chunked ?? false);
  const { pieces = 10, pause_ms = 100 } = fault;
  const size = Math.ceil(body.length / pieces) || 1;
  for (let at = 0; at < body.length && !res.destroyed; at += size) {
    if (at > 0) await sleep(pause_ms);
    res.write(body.subarray(at, at + size));
  }
  res.end();
}

/** Writes status and headers; gives the bytes of the body. */
function begin(res, { status = 200, headers = {}, body }, fault, chunked) {
  const encode = encoders[fault.encoding];
  const bytes = encode ? encode(body) : Buffer.from(body);
  res.writeHead(status, {
    ...headers,
    ...(encode && { "content-encoding": fault.encoding }),
    ...(chunked ? {} : { "content-length": bytes.length }),
    ...fault.headers,
  });
  return bytes;
}
