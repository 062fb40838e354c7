/**
 * The status page: asks for the status while it is looked at, and shows it.
 */
import { press } from "./connect.mjs";
import { el, fill } from "./dom.mjs";
import { head, level, title } from "./head.mjs";
import { icon } from "./marks.mjs";
import { alone, dataPath, keyed } from "./place.mjs";
import { routeSection } from "./route.mjs";
import { overall } from "./sight.mjs";
import { findWallets } from "./wallet.mjs";

const POLL_MS = 5000;
const TIMEOUT_MS = 8000;
const HEALTH_MS = 60_000;
const OLD_MS = 15_000;
const TICK_MS = 1000;

/** What was heard, and when by this device's clock. */
const heard = { routes: [], at: Number.NaN, trouble: "", faults: [] };
/** When it was last asked for. */
const asked = { status: 0, health: 0 };
/** Who serves, by route, as it was last said aloud. */
const serving = new Map();
/** How far this device's clock is behind the Worker's. */
let offset = 0;
let timer;

const byId = (id) => document.getElementById(id);

async function json(path) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = { accept: "application/json" };
  const answer = await fetch(path, { headers, cache: "no-store", signal });
  if (!answer.ok && path === dataPath) throw new Error(`HTTP ${answer.status}`);
  return answer.json();
}

async function load() {
  asked.status = Date.now();
  try {
    const body = await json(dataPath);
    heard.routes = (body.routes ?? [body]).filter((route) => route != null);
    if (heard.routes.length === 0) throw new Error("no status");
    heard.at = Date.now();
    offset = Math.max(...heard.routes.map(({ now_ms: at }) => at)) - heard.at;
    await loadHealth();
    if (heard.trouble) say("The status can be loaded again.");
    heard.trouble = "";
  } catch (error) {
    if (!heard.trouble) say("The status cannot be loaded.");
    heard.trouble = error.name === "TimeoutError" ? "no answer" : error.message;
  }
  sayWhoServes();
  show();
}

/** What is wrong with the configuration stands nowhere else. */
async function loadHealth() {
  if (alone || Date.now() - asked.health < HEALTH_MS) return;
  const { errors = [], notices = [] } = await json("/health");
  heard.faults = [...errors, ...notices];
  asked.health = Date.now();
}

function sayWhoServes() {
  for (const { route, serving: now } of heard.routes) {
    if (serving.has(route) && serving.get(route) !== now) {
      say(`${route}: ${now == null ? "nobody is fit to serve" : `${now} serves now`}.`);
    }
    serving.set(route, now);
  }
}

/** To those who do not see it. */
function say(sentence) {
  byId("live").textContent = sentence;
}

function show() {
  const { routes, at, trouble, faults } = heard;
  const now = Date.now() + offset;
  const age = Date.now() - at;
  const told = routes.map((route) => ({ name: route.route, level: overall(route, now).level }));
  const seen = { told, trouble, faults, age, old: age > OLD_MS };
  fill(byId("head"), head(seen));
  if (Number.isNaN(age)) return;
  fill(
    byId("main"),
    routes.map((route) => routeSection(route, now)),
  );
  fill(byId("foot"), [el("p.note", {}, "Times are this device's. ", source())]);
  document.body.className = seen.old ? "old" : "";
  document.title = `${title(seen)} – Breakwater`;
  icon(level(seen));
}

const source = () =>
  !keyed && el("a", { href: alone ? `/status/${heard.routes[0].route}` : "/status" }, "As JSON");

/** Asks while somebody looks, and only then. */
function turn() {
  clearInterval(timer);
  if (document.visibilityState === "hidden") return;
  const next = () => (Date.now() - asked.status < POLL_MS ? show() : load());
  timer = setInterval(next, TICK_MS);
  next();
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button[data-act]");
  const route = heard.routes.find(({ route: name }) => name === button?.dataset.route);
  if (route) press(button, route);
});
document.addEventListener("visibilitychange", turn);
findWallets(show);
turn();
