/**
 * Finding a port to listen on.
 */
import { createServer } from "node:net";

/**
 * @param {number} wanted a port; 0 for any
 * @returns {Promise<number>} it, if it is free on the loopback interface, else another free one
 */
export async function freePort(wanted) {
  return (await tryPort(wanted)) ?? tryPort(0);
}

function tryPort(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => {
      const { port: got } = server.address();
      server.close(() => resolve(got));
    });
  });
}
