/**
 * How a line of the corpus comes over the wire, where that is more than status, headers and body.
 */
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * @typedef {object} Wire
 * @property {(res: import("node:http").ServerResponse, line: import("./lines.mjs").Line,
 *   body: Buffer, headers: Record<string, string>) => void} send
 * @property {(stage: number, closed: number) => string} [origin] where the endpoint is said to be,
 *   when that is not the stage; `closed` is a port where nobody listens
 * @property {boolean} [silent] the attempt ends by its timeout
 */

const GOOD = Buffer.from('{"jsonrpc":"2.0","id":1,"result":"0x1312d00"}');
/** A zstd frame: magic number, one segment of so many bytes, one raw block, the last. */
const ZSTD_HEAD = [0x28, 0xb5, 0x2f, 0xfd, 0x20, GOOD.length, (GOOD.length << 3) | 1, 0, 0];

const whole = {
  send: (res, line, body, headers) => {
    res.writeHead(line.status, headers);
    res.end(body);
  },
};
const encoded = (encoding, body) => ({
  send: (res) => {
    res.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
    res.end(body);
  },
});

const silent = { send: () => {}, silent: true };
const reset = { send: (res) => res.socket.resetAndDestroy() };
const close = { send: (res) => res.socket.destroy() };
/** Half a body, then silence or a reset. */
const half = (after) => ({
  send: (res) => {
    res.writeHead(200, { "content-type": "application/json", "content-length": GOOD.length });
    res.write(GOOD.subarray(0, GOOD.length / 2), () => after(res));
  },
});
/** The line's body as the beginning of a longer one, chunked when no `length` is announced. */
const cut = (length = {}) => ({
  send: (res, _, body) => {
    res.writeHead(200, { "content-type": "application/json", ...length });
    res.write(body, () => res.socket.resetAndDestroy());
  },
});

/** @type {Record<string, Wire>} by the line's id */
const BY_ID = {
  "tr-dns": { ...close, origin: () => "https://nobody.invalid" },
  "tr-tls-handshake": { ...close, origin: (stage) => `https://127.0.0.1:${stage}` },
  "tr-closed": close,
  "sendtx-refused": { ...close, origin: (_, closed) => `http://127.0.0.1:${closed}` },
  "x402-settle-dns": { ...close, origin: () => "https://nobody.invalid" },
  "x402-settle-tls": { ...close, origin: (stage) => `https://127.0.0.1:${stage}` },
  "x402-settle-refused": { ...close, origin: (_, closed) => `http://127.0.0.1:${closed}` },
  "bad-gzip-mislabeled": encoded("gzip", GOOD),
  "bad-zstd": encoded("zstd", Buffer.concat([Buffer.from(ZSTD_HEAD), GOOD])),
  "bad-content-length": cut({ "content-length": 4096 }),
  "llama-truncated-chunk": cut(),
};

/** @type {Record<string, Wire>} by the line's fault */
const BY_FAULT = {
  network: reset,
  timeout: silent,
  client_gone: silent,
  body_timeout: { ...half(() => {}), silent: true },
  body_broken: half((res) => res.socket.resetAndDestroy()),
};

/** @param {import("./lines.mjs").Line} line @returns {Wire} */
export const wireOf = ({ id, fault }) => BY_ID[id] ?? BY_FAULT[fault] ?? whole;

/** @returns {Promise<number>} a port where nobody listens */
export async function closedPort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
