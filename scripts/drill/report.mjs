/**
 * What a drill showed, for people and as JSON.
 */
import { table } from "../console/table.mjs";
import { seconds } from "../say.mjs";
import { amiss } from "./findings.mjs";

/**
 * @typedef {object} Result
 * @property {1} version of this shape, which is told in docs/drills.md
 * @property {string} route
 * @property {string} mode
 * @property {string} endpoint
 * @property {number} rate reads a second
 * @property {import("./findings.mjs").Finding[]} drills
 * @property {string[]} amiss
 */

/** @returns {Result} */
export const resultOf = ({ route, mode }, endpoint, rate, drills) => ({
  version: 1,
  ...{ route, mode, endpoint, rate, drills },
  amiss: drills.flatMap(amiss),
});

const NONE = "–";
const after = (ms) => (ms === null ? NONE : seconds(ms));
const UNIT = { down: () => "", slow: (ms) => ` ${seconds(ms)}`, stale: (n) => ` ${n} blocks` };

/** @param {Result} result @returns {string} */
export function report({ route, mode, endpoint, rate, drills, amiss: said }) {
  const head = `${route} (${mode}): drills of ${endpoint}, ${rate} reads a second`;
  const heads = ["drill", "played for", "moved to", "moved after", "breaker open after"];
  const rows = drills.map((one) => [
    one.kind + UNIT[one.kind](one.value),
    seconds(one.for_ms),
    one.took_over.join(", ") || NONE,
    after(one.moved_ms),
    after(one.opened_ms),
    after(one.back_ms),
    one.reads,
    total(one.errors),
    `${one.p99_ms.before ?? NONE} → ${one.p99_ms.during ?? NONE}`,
  ]);
  const all = table([...heads, "back after", "reads", "errors", "p99 ms"], rows);
  const end = said.length === 0 ? ["No client saw an error; all went as it should."] : said;
  return [head, "", all, "", ...drills.flatMap((one) => detail(one, endpoint)), ...end].join("\n");
}

const total = (counts) => Object.values(counts).reduce((sum, n) => sum + n, 0);

function detail({ kind, before, reasons, errors, by_endpoint }, endpoint) {
  const list = (counts) => Object.entries(counts).map(([word, n]) => `${n} × ${word}`);
  const aside =
    before !== endpoint && `${before ?? "nobody"} answered before, so callers noticed nothing`;
  const parts = [
    ...(aside ? [aside] : []),
    ...(total(reasons) > 0 ? [`left for ${list(reasons).join(", ")}`] : []),
    ...(by_endpoint > 0
      ? [`${by_endpoint} read${by_endpoint === 1 ? "" : "s"} still answered by it`]
      : []),
    ...(total(errors) > 0 ? [`clients saw ${list(errors).join(", ")}`] : []),
  ];
  return parts.length > 0 ? [`${kind}: ${parts.join("; ")}`] : [];
}
