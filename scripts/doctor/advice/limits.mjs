/**
 * Batches, ranges of logs, history.
 */
import { grouped } from "../../console/table.mjs";
import { advice, fitOnes, listed, note, problem } from "./advice.mjs";

/** @type {import("./advice.mjs").Rule} */
export const batch = (route, examined) =>
  fitOnes(route, examined).flatMap(({ finding, configured }) =>
    finding.batch ? batchOf(finding, configured, route.keys.batch_max) : [],
  );

function batchOf({ name, batch: { good, bad, sure } }, { batch_max }, routeMax) {
  if (!sure && bad === null) return [];
  const most = Math.max(1, good);
  const took = good === 0 ? "takes no batch" : `took batches of ${good}`;
  const write = `batch_max = ${most}`;
  if (batch_max !== undefined && bad !== null && batch_max >= bad && batch_max > most)
    return [problem(name, `${took} and refused ${bad}, but batch_max is ${batch_max}`, write)];
  if (batch_max === undefined && bad !== null && bad <= routeMax)
    return [advice(name, `${took} and refused ${bad}; callers may send ${routeMax}`, write)];
  if (batch_max !== undefined && batch_max * 2 <= most)
    return [note(name, `${took}: batch_max = ${batch_max} costs more requests than needed`, write)];
  return [];
}

/** @type {import("./advice.mjs").Rule} */
export function logs(route, examined) {
  const known = fitOnes(route, examined).filter(({ finding }) => finding.logs?.good > 0);
  const refusing = known.filter(({ finding }) => finding.logs.bad !== null);
  if (refusing.length === 0) return [];
  const widest = known.reduce((a, b) => (reach(b) > reach(a) ? b : a)).finding;
  const say = ({ finding: { name, logs: found } }) => {
    const words = `eth_getLogs took ${grouped(found.good)} blocks and refused ${grouped(found.bad)}`;
    const others =
      widest.name === name || widest.logs.good <= found.good
        ? "no endpoint here takes more: callers have to split wider ones"
        : `wider ones move on (${widest.name} took ${grouped(widest.logs.good)})`;
    return note(name, `${words}; ${others}`);
  };
  return refusing.map(say);
}

const reach = ({ finding: { logs: found } }) =>
  found.bad === null ? Number.POSITIVE_INFINITY : found.good;

/** @type {import("./advice.mjs").Rule} */
export function archive(route, examined) {
  const fit = fitOnes(route, examined).filter(({ finding }) => finding.state_depth?.blocks > 0);
  const has = ({ finding }) => finding.state_depth.kind === "archive";
  const without = fit.filter((one) => !has(one));
  const unmarked = fit.filter((one) => has(one) && !one.configured.archive);
  return [
    ...without.filter((one) => one.configured.archive).map(wrongly),
    ...(without.length > 0 && unmarked.length > 0 ? [rightly(unmarked, without)] : []),
    ...(fit.length > 0 && without.length === fit.length ? [nobody(fit)] : []),
  ];
}

const names = (list) => list.map(({ finding }) => finding.name);
const deepest = (list) =>
  grouped(Math.max(...list.map(({ finding }) => finding.state_depth.blocks)));

const wrongly = (one) =>
  problem(
    names([one]),
    `archive = true, but its state goes back about ${deepest([one])} blocks: remove the key`,
  );

const rightly = (unmarked, without) =>
  advice(
    names(unmarked),
    `the first block's state is there, while ${listed(names(without))} goes back about ` +
      `${deepest(without)} blocks: reads of old blocks should go here first`,
    "archive = true",
  );

const nobody = (fit) =>
  note(
    null,
    `no endpoint has the first block's state, the deepest goes back about ${deepest(fit)} ` +
      "blocks: older reads fail everywhere",
  );
