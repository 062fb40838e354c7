/**
 * What keeping an eye on the endpoints costs.
 */
import { grouped } from "../../console/table.mjs";
import { note } from "./advice.mjs";

const DAY_MS = 86_400_000;
const FINALIZED_MS = 60_000;
const CHAIN_ID_MS = 600_000;

/** @type {import("./advice.mjs").Rule} */
export function polling({ keys, protocol }) {
  const heads = DAY_MS / keys.poll_ms;
  const others = protocol === "evm" ? DAY_MS / FINALIZED_MS + DAY_MS / CHAIN_ID_MS : 0;
  const what = protocol === "evm" ? "heads, finalized blocks and chain ids" : "/supported";
  return [
    note(
      null,
      `poll_ms = ${keys.poll_ms} costs each endpoint at most ${grouped(Math.round(heads + others))} ` +
        `requests a day and region for ${what}, and nothing while nobody calls`,
    ),
  ];
}
