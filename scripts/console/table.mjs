/**
 * Tables of text.
 */

/**
 * @param {string[]} heads
 * @param {(string | number)[][]} rows numbers are put to the right
 * @returns {string} lines, columns two spaces apart
 */
export function table(heads, rows) {
  const right = heads.map((_, i) => rows.some((row) => typeof row[i] === "number"));
  const texts = [heads, ...rows.map((row) => row.map(cell))];
  const widths = heads.map((_, i) => Math.max(...texts.map((row) => [...row[i]].length)));
  const line = (row) =>
    row
      .map((text, i) => {
        const gap = " ".repeat(widths[i] - [...text].length);
        return right[i] ? gap + text : text + gap;
      })
      .join("  ")
      .trimEnd();
  return texts.map(line).join("\n");
}

const cell = (value) => (typeof value === "number" ? grouped(value) : value);

/** @param {number} n @returns {string} `19,123,456` */
export const grouped = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

/**
 * @param {string} first before the first line
 * @param {string} text
 * @param {number} [width]
 * @returns {string} `text` in lines, those after the first under it
 */
export function hanging(first, text, width = 100) {
  const indent = " ".repeat([...first].length);
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line && [...line].length + [...word].length + 1 + indent.length > width) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.map((line, i) => (i === 0 ? first : indent) + line).join("\n");
}
