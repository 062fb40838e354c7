/**
 * What a tool is doing, on standard error: each step on a terminal, where a line replaces the one
 * before; only the coarse ones in a log.
 *
 * @typedef {object} Progress
 * @property {(line: string) => void} stage a coarse step, kept
 * @property {(line: string) => void} step a fine one
 * @property {() => void} end
 */

/** @param {NodeJS.WriteStream} [out] @returns {Progress} */
export function progress(out = process.stderr) {
  const live = out.isTTY && !process.env.CI;
  const clear = () => live && out.write("\r\x1b[2K");
  return {
    stage: (line) => {
      clear();
      out.write(`${line}\n`);
    },
    step: (line) => {
      if (!live) return;
      clear();
      out.write(`  ${line}`.slice(0, (out.columns || 80) - 1));
    },
    end: clear,
  };
}

/** @returns {Progress} one that says nothing */
export const silent = () => ({ stage: () => {}, step: () => {}, end: () => {} });
