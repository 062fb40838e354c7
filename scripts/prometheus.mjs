/**
 * Prometheus and its tool, which the tests of metrics and alerts use: those of this machine.
 */
import { program } from "./on_path.mjs";

/**
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined} the server: `PROMETHEUS_BIN`, or the one on PATH
 */
export const prometheus = ({ PROMETHEUS_BIN, PATH } = process.env) =>
  program(PROMETHEUS_BIN, ["prometheus"], PATH);

/**
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined} the tool: `PROMTOOL_BIN`, or the one on PATH
 */
export const promtool = ({ PROMTOOL_BIN, PATH } = process.env) =>
  program(PROMTOOL_BIN, ["promtool"], PATH);
