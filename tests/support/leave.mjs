/**
 * A client that goes away before its answer.
 */
import { connect } from "node:net";

/**
 * Posts and resets the connection when `when` has come. Not by `fetch` and its signal: those only
 * finish the connection, which to workerd may be a client that still reads.
 *
 * @param {string} url
 * @param {string} body
 * @param {() => Promise<unknown>} when
 */
export async function postAndLeave(url, body, when) {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const length = Buffer.byteLength(body);
  const head = `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: ${length}`;
  socket.write(`${head}\r\n\r\n${body}`);
  await when();
  socket.resetAndDestroy();
}
