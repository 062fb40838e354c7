/**
 * What a run has shown, for people.
 */

/** @param {import("./record.mjs").Record} record @param {import("./world.mjs").World} world */
export function report(record, world) {
  return [
    `ran for ${(record.now() / 60_000).toFixed(1)} minutes`,
    ...counts(record),
    ...memory(world),
    `requests to the objects: ${JSON.stringify(world.calls.total())}`,
    ...violations(record),
  ].join("\n");
}

function counts({ counts }) {
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([what, count]) => `${String(count).padStart(8)}  ${what}`);
}

function memory({ memory }) {
  return [...memory.lives.values()].map(({ name, samples }) => {
    const at = (share) => samples[Math.floor(share * (samples.length - 1))].mib.toFixed(1);
    const minutes = (samples.at(-1).age / 60_000).toFixed(1);
    return `memory of ${name}, ${minutes} minutes: ${[0, 0.25, 0.5, 0.75, 1].map(at).join(", ")} MiB`;
  });
}

function violations({ violations, counts }) {
  if (violations.size === 0) return ["no violation"];
  return [...violations].flatMap(([kind, stories]) => [
    `\nVIOLATION ${kind}: ${counts.get(`VIOLATION ${kind}`)} times`,
    ...stories,
  ]);
}
