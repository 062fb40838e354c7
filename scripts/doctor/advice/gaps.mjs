/**
 * Methods that an endpoint does not do.
 */
import { offers } from "../permitted.mjs";
import { advice, fitOnes, listed, note } from "./advice.mjs";

const LACKS = ["missing", "refused"];

/** @type {import("./advice.mjs").Rule} */
export function gaps(route, examined) {
  const fit = fitOnes(route, examined);
  const offered = Object.keys(fit[0]?.finding.methods ?? {}).filter((method) =>
    offers(route.keys.methods, method),
  );
  const word = ({ finding }, method) => finding.methods[method]?.word;
  const somewhere = (method) => fit.some((one) => word(one, method) === "yes");
  const deny = fit.flatMap((one) => {
    const lacking = offered.filter((m) => LACKS.includes(word(one, m)) && somewhere(m));
    return lacking.length > 0 ? [denied(one, lacking)] : [];
  });
  const nowhere = offered.filter((m) => fit.every((one) => LACKS.includes(word(one, m))));
  return [...deny, ...(nowhere.length > 0 ? [lost(nowhere)] : [])];
}

function denied({ finding, configured: { methods = {} } }, lacking) {
  const all = [...(methods.deny ?? []), ...lacking].map((method) => JSON.stringify(method));
  const allow = methods.allow?.length > 0 ? `allow = ${JSON.stringify(methods.allow)}, ` : "";
  const one = lacking.length === 1;
  return advice(
    finding.name,
    `does not do ${listed(lacking)}, others do: without the key it is asked for ` +
      `${one ? "it" : "them"} every 5 minutes in vain`,
    `methods = { ${allow}deny = [${all.join(", ")}] }`,
  );
}

const lost = (methods) =>
  note(null, `no endpoint does ${listed(methods)}: callers get the endpoint's error`);
