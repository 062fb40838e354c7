/**
 * The status page: asks for the status while it is looked at, and shows it.
 */
import { press } from "./connect.mjs";
import { el, fill } from "./dom.mjs";
import { icon, mark } from "./marks.mjs";
import { alone, dataPath } from "./place.mjs";
import { routeSection } from "./route.mjs";
import { overall, worst } from "./sight.mjs";
import { findWallets } from "./wallet.mjs";
import { span } from "./words.mjs";

const POLL_MS = 5000;
const TIMEOUT_MS = 8000;
const HEALTH_MS = 60_000;
const OLD_MS = 15_000;

const page = {
  routes: [],
  told: new Map(),
  loaded: 0,
  asked: 0,
  trouble: "",
  faults: [],
  health: 0,
};
/** How far this machine's clock is behind the Worker's. */
let offset = 0;
let timer;

const byId = (id) => document.getElementById(id);
const now = () => Date.now() + offset;

async function json(path) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(path, {
    headers: { accept: "application/json" },
    cache: "no-store",
    signal,
  });
  if (!answer.ok && path === dataPath) throw new Error(`HTTP ${answer.status}`);
  return answer.json();
}

async function load() {
  page.asked = Date.now();
  try {
    const body = await json(dataPath);
    page.routes = (body.routes ?? [body]).filter((route) => route != null);
    page.loaded = Date.now();
    offset = Math.max(0, ...page.routes.map(({ now_ms: at }) => at)) - page.loaded;
    if (page.trouble) announce("The status is there again.");
    page.trouble = "";
    await loadHealth();
  } catch (error) {
    if (!page.trouble) announce("The status cannot be loaded.");
    page.trouble = error.name === "TimeoutError" ? "no answer" : error.message;
  }
  tell();
  show();
}

/** What is wrong with the configuration stands nowhere else. */
async function loadHealth() {
  if (alone || Date.now() - page.health < HEALTH_MS) return;
  page.health = Date.now();
  const { errors = [], notices = [] } = await json("/health");
  page.faults = [...errors, ...notices];
}

/** Says aloud when somebody else serves. */
function tell() {
  for (const { route, serving } of page.routes) {
    const before = page.told.get(route);
    page.told.set(route, serving);
    if (before !== undefined && before !== serving) {
      announce(
        serving == null ? `${route}: nobody is fit to serve.` : `${route}: ${serving} serves now.`,
      );
    }
  }
}

function announce(sentence) {
  byId("live").textContent = sentence;
}

function show() {
  const at = now();
  const told = page.routes.map((route) => ({ name: route.route, ...overall(route, at) }));
  const old = page.loaded > 0 && Date.now() - page.loaded > OLD_MS;
  const level =
    page.trouble || page.faults.length > 0 ? worst([{ level: "warn" }, ...told]) : worst(told);
  document.body.className = old ? "old" : "";
  fill(byId("head"), heads(told, level, old));
  if (page.loaded > 0)
    fill(
      byId("main"),
      page.routes.map((route) => routeSection(route, at)),
    );
  fill(byId("foot"), [
    el(
      "p",
      {},
      "Times are this device's. The same as JSON: ",
      el("a", { href: alone ? `/status/${page.routes[0]?.route ?? ""}` : "/status" }, "status"),
      ".",
    ),
  ]);
  if (page.loaded === 0) return;
  icon(level);
  document.title = `${title(told)} – Breakwater`;
}

const summary = { ok: "All is well", warn: "Serving, with trouble", bad: "Somebody is not served" };

const title = (told) =>
  told.length === 1 ? `${told[0].name}: ${summary[told[0].level]}` : summary[worst(told)];

function heads(told, level, old) {
  const age = span(Date.now() - page.loaded);
  const loaded = page.loaded > 0;
  return [
    el("p.brand", {}, alone ? el("span", {}, "Breakwater") : "Breakwater"),
    el(
      "h1",
      {},
      loaded && mark(level, level),
      loaded ? el("span", {}, title(told)) : el("span", {}, "Loading the status…"),
    ),
    el(
      old ? "p.fresh.warn" : "p.fresh",
      {},
      loaded ? `as of ${age} ago${old ? ": this is old" : ""}` : "",
    ),
    page.trouble &&
      el(
        "p.alarm",
        {},
        `The status cannot be loaded (${page.trouble}). `,
        loaded ? `Below is what it was ${age} ago. ` : "",
        `Asking again every ${span(POLL_MS)}.`,
      ),
    page.faults.length > 0 &&
      el(
        "div.alarm",
        {},
        el("b", {}, "Configuration"),
        el(
          "ul",
          {},
          page.faults.map((fault) => el("li", {}, fault)),
        ),
      ),
    told.length > 1 &&
      el(
        "nav",
        { "aria-label": "Routes" },
        el(
          "ul",
          {},
          told.map((one) =>
            el("li", {}, el("a", { href: `#${one.name}` }, mark(one.level, one.level), one.name)),
          ),
        ),
      ),
  ].filter(Boolean);
}

/** Asks while somebody looks, and only then. */
function turn() {
  clearInterval(timer);
  if (document.visibilityState === "hidden") return;
  timer = setInterval(() => (Date.now() - page.asked >= POLL_MS ? load() : show()), 1000);
  if (Date.now() - page.asked >= POLL_MS) load();
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button[data-act]");
  const route = page.routes.find(({ route: name }) => name === button?.dataset.route);
  if (route) press(button, route);
});
document.addEventListener("visibilitychange", turn);
findWallets(() => show());
turn();
