/**
 * Tables on request: with `PRINT_TABLE=1` a test prints what it has seen, as Markdown.
 */

const cell = (value) =>
  String(value ?? "")
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ");
const line = (cells) => `| ${cells.map(cell).join(" | ")} |`;

/**
 * @param {string} title
 * @param {string[]} columns
 * @param {unknown[][]} rows
 */
export function printTable(title, columns, rows) {
  if (process.env.PRINT_TABLE !== "1") return;
  const rule = columns.map(() => "---");
  console.log([`\n### ${title}\n`, ...[columns, rule, ...rows].map(line), ""].join("\n"));
}
