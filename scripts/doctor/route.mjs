/**
 * The endpoints of an evm route side by side: each is asked one thing after the other, all of them
 * at the same time, so that heads can be compared.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Patient } from "./examine.mjs";
import { advances, agreement, blockTime, lagOf, least, reference } from "./heads.mjs";

/** Where finalized blocks are not told: no reorganisation goes deeper. */
const OLD_BLOCKS = 64;

/**
 * @typedef {object} Examined
 * @property {string} route
 * @property {"evm"} protocol
 * @property {number | null} chain_id
 * @property {number | null} block_time_s
 * @property {import("./examine.mjs").Finding[]} endpoints
 *
 * @param {import("./configured.mjs").ConfiguredRoute} route
 * @param {import("./options.mjs").Settings} settings
 * @param {import("../console/progress.mjs").Progress} progress
 * @returns {Promise<Examined>}
 */
export async function examineRoute({ route, chain_id, endpoints }, settings, progress) {
  const patients = endpoints.map((one) => new Patient(one, settings, progress.step));
  const each = (act) => Promise.all(patients.filter((one) => one.fit).map(act));
  const names = endpoints.map(({ name }) => name).join(", ");
  progress.stage(`${route}: chain ids and heads of ${names}`);
  await each((one) => one.meet(chain_id));
  const first = await look(each, patients);
  progress.stage(`${route}: limits, methods and latency (a minute or so)`);
  await each((one) => one.examine());
  await sleep(Math.max(0, settings.apartMs - (Date.now() - first.at_ms)));
  progress.stage(`${route}: heads again`);
  const second = await look(each, patients);
  await compareOld(patients);
  compare(patients, first, second);
  const block_time_s = blockTime(first.reference, second.reference);
  const findings = patients.map(({ finding, asker }) => ({ ...finding, requests: asker.asked }));
  return { route, protocol: "evm", chain_id, block_time_s, endpoints: findings };
}

async function look(each, patients) {
  const at_ms = Date.now();
  await each((one) => one.look());
  const heads = patients.map((one) => (one.fit ? one.looks.at(-1) : undefined));
  return { at_ms, heads, reference: reference(heads, at_ms / 1000) };
}

/** A block that all have by now, and that no reorganisation changes: its hash tells forks apart. */
async function compareOld(patients) {
  const fit = patients.filter((one) => one.fit && one.finding.head !== null);
  if (fit.length < 2) return;
  const old = fit.map(({ finding: { finalized, head } }) => finalized ?? head - OLD_BLOCKS);
  const number = Math.max(0, Math.min(...old));
  const hashes = await Promise.all(fit.map((one) => one.hashOf(number)));
  agreement(hashes).forEach((agrees, i) => {
    fit[i].finding.agrees = agrees;
  });
}

function compare(patients, first, second) {
  const moved = patients.some((_, i) => advances(first.heads[i], second.heads[i], true));
  const alone = patients.filter((one) => one.finding.head !== null).length < 2;
  const finalized = Math.max(...patients.map(({ finding }) => finding.finalized ?? 0));
  patients.forEach(({ finding }, i) => {
    finding.advances = advances(first.heads[i], second.heads[i], moved);
    if (alone) return;
    const lags = [first, second].map(({ heads, reference }) => lagOf(heads[i], reference));
    finding.lag = least(lags);
    if (finding.finalized !== null) finding.finalized_lag = finalized - finding.finalized;
  });
}
