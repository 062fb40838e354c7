/**
 * HTTP by hand, for requests that no client library would send.
 */
import { once } from "node:events";
import { connect } from "node:net";

const PATIENCE_MS = 20_000;

/** @param {string} url @returns {import("node:net").Socket} whose errors nobody needs to hear */
export function dial(url) {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname).on("error", () => {});
}

/**
 * Sends these bytes and reads one answer, or until the connection ends.
 *
 * @param {string} url
 * @param {string | Buffer} bytes
 * @returns {Promise<{ status: number, head: string, body: string }>} status 0: no answer came
 */
export async function raw(url, bytes) {
  const socket = dial(url);
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  let text = "";
  socket.setEncoding("latin1");
  socket.on("data", (piece) => {
    text += piece;
    if (isWhole(text)) socket.destroy();
  });
  const closed = once(socket, "close");
  socket.write(bytes);
  await closed;
  const [head, ...body] = text.split("\r\n\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  return { status, head, body: body.join("\r\n\r\n") };
}

/** Whether an answer is there to its end, by its length or its last chunk. */
function isWhole(text) {
  const [head, ...rest] = text.split("\r\n\r\n");
  if (rest.length === 0) return false;
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  const body = rest.join("\r\n\r\n");
  return length === undefined ? body.endsWith("0\r\n\r\n") : body.length >= Number(length);
}

/** @param {string} line method and target @param {string[]} headers @param {string} [body] */
export const request = (line, headers = [], body = "") =>
  [
    `${line} HTTP/1.1`,
    ...(headers.some((header) => /^host:/i.test(header)) ? [] : ["host: x.example"]),
    ...(body ? [`content-length: ${Buffer.byteLength(body)}`] : []),
    ...headers,
    "connection: close",
    "",
    body,
  ].join("\r\n");
