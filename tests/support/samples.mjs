/**
 * Metrics as they stand on a page.
 */

/**
 * @param {string} page
 * @returns {Map<string, number>} by name and labels, as written: `up{job="a"}`
 */
export function samples(page) {
  const lines = page.split("\n").filter((line) => line && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** @param {string} page @returns {Map<string, string>} the type of each metric */
export function types(page) {
  const lines = page.split("\n").filter((line) => line.startsWith("# TYPE "));
  return new Map(lines.map((line) => line.split(" ").slice(2)));
}

/** @param {string} page @returns {Map<string, number>} samples that must never go back */
export function counters(page) {
  const kinds = types(page);
  const counts = (name) =>
    kinds.get(name) === "counter" ||
    kinds.get(name.replace(/_(bucket|count|sum)$/, "")) === "histogram";
  return new Map([...samples(page)].filter(([key]) => counts(key.split("{")[0])));
}
