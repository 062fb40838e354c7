/**
 * How to use a route: its URL, "Add to wallet", texts for programs.
 */
import { el } from "./dom.mjs";
import { masked, urlOf } from "./place.mjs";
import { snippets } from "./snippets.mjs";
import { addChain, wallets } from "./wallet.mjs";

/** @param {any} route @returns {Element} */
export function connect(route) {
  const url = urlOf(route.route);
  const payments = route.protocol === "x402";
  return el(
    "div.connect",
    {},
    el(
      "p.url",
      {},
      el("span.label", {}, payments ? "Facilitator URL" : "RPC URL"),
      code(url),
      copy(route, "url"),
    ),
    payments ? el("p.note", {}, "For merchants' servers: their only facilitator.") : addTo(route),
    el("p.said", { role: "status", id: `said--${route.route}`, "data-own": true }),
  );
}

const code = (text) => el("code", {}, masked(text));

const copy = (route, what, label = "") =>
  el(
    "button",
    { type: "button", "data-act": "copy", "data-route": route.route, "data-what": what },
    "Copy",
    el("span.hidden", {}, ` ${label || "the URL"} of ${route.route}`),
  );

function addTo(route) {
  const { symbol } = route.currency;
  const chain = `${route.chain_name}, chain id ${route.chain_id}, fees in ${symbol}`;
  const found = wallets();
  const button = ([id, { name }]) =>
    el(
      "button.main",
      { type: "button", "data-act": "add", "data-route": route.route, "data-wallet": id },
      name ? `Add to ${name}` : "Add to wallet",
      el("span.hidden", {}, `: ${route.chain_name}`),
    );
  return el(
    "p.wallet",
    {},
    el("span.label", {}, "Chain"),
    el("span", {}, chain),
    found.length > 0
      ? found.map(button)
      : el("span.note", {}, "No wallet in this browser: copy the URL into yours."),
  );
}

/** @param {any} route @returns {Element} texts to copy into a program */
export function programs(route) {
  const each = snippets(route, urlOf(route.route)).map(([name, text]) => [
    el("h4", {}, name, " ", copy(route, name, `the text for ${name}`)),
    el(
      "pre",
      { tabindex: 0, role: "region", "aria-label": `${name}, text` },
      el("code", {}, masked(text)),
    ),
  ]);
  return el("details.programs", {}, el("summary", {}, "Use it in code"), each);
}

/** Does what a button of this part says. @param {HTMLElement} button @param {any} route */
export async function press(button, route) {
  const { act, what, wallet } = button.dataset;
  const url = urlOf(route.route);
  const text = what === "url" ? url : new Map(snippets(route, url)).get(what);
  const said = act === "add" ? await addChain(wallet, route, url) : await copied(text);
  document.getElementById(`said--${route.route}`).textContent = said;
}

/** Not every browser lets every page use the clipboard. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    return copiedByHand(text)
      ? "Copied."
      : "This browser does not let a page copy: select the text.";
  }
}

function copiedByHand(text) {
  const before = document.activeElement;
  const box = el("textarea.hidden", { "aria-hidden": "true" });
  box.value = text;
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  before?.focus();
  return done;
}
