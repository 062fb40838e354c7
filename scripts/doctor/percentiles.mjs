/**
 * @param {number[]} values in ms
 * @param {number} share 0.5 for the median
 * @returns {number | null} a value that was seen, by nearest rank, in whole ms
 */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = Math.max(0, Math.ceil(sorted.length * share) - 1);
  return sorted.length > 0 ? Math.round(sorted[at]) : null;
}
