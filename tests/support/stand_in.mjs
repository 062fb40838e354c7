/**
 * Other Durable Objects in the place of the Worker's own: silent ones, broken ones, and one that
 * counts before it lets through.
 */
import { readProject } from "../../local/project.mjs";

const CLASS = "StandIn";

/** @typedef {Partial<import("../../local/workerd.mjs").Options>} WorkerOptions */

/**
 * What the object does with a hand-in: JavaScript statements that end in `return`. They know
 * `request`, `sleep(ms)` and `real()`, which asks the true object.
 */
export const answers = {
  throws: `throw new Error("the object is broken");`,
  slow: "await sleep(10_000); return real();",
  refuses: `return new Response("no", { status: 500 });`,
  /** Taken down in the middle, as by a deploy; the next hand-in meets a new one. */
  stops: `this.ctx.abort("stopped"); return real();`,
  /** In Africa only. */
  refuses_afr: `if (!this.ctx.id.name.endsWith("@afr")) return real(); return new Response("no", { status: 500 });`,
  /** One of an older version, which knows no orders. */
  forgets: `const answer = await (await real()).json(); delete answer.obeyed; return Response.json(answer);`,
  nonsense: `return new Response("{}");`,
  page: `return new Response("<html>", { headers: { "content-type": "text/html" } });`,
  counts: `console.log(JSON.stringify({ event: "hand_in", name: this.ctx.id.name })); return real();`,
};

/**
 * @param {string} answer one of `answers`
 * @param {string} [replaced] the binding in whose place it stands
 * @returns {WorkerOptions}
 */
export function standIn(answer, replaced = "REGION") {
  const project = readProject();
  const { className, sqlite } = project.objects.find(({ binding }) => binding === replaced);
  const others = project.objects.filter(({ binding }) => binding !== replaced);
  return {
    // The true one stays, under a name of which the Worker knows nothing.
    project: { ...project, objects: [...others, { binding: "REAL", className, sqlite }] },
    extraBindings: [
      `(name = "${replaced}", durableObjectNamespace = (className = "${CLASS}", serviceName = "stand_in"))`,
    ],
    extraServices: [
      `(name = "stand_in", worker = (
        modules = [(name = "stand_in.js", esModule = ${JSON.stringify(source(answer))})],
        compatibilityDate = "${project.compatibilityDate}",
        bindings = [(name = "REAL", durableObjectNamespace = (className = "${className}", serviceName = "object"))],
        durableObjectNamespaces = [(className = "${CLASS}", uniqueKey = "${CLASS}", enableSql = true)],
        durableObjectStorage = (localDisk = "disk")))`,
    ],
  };
}

/** @returns {WorkerOptions} the Worker without any Durable Object bound */
export const noObject = () => ({ project: { ...readProject(), objects: [] } });

/** @returns {WorkerOptions} objects whose storage fails at every touch */
export function brokenStorage() {
  const project = readProject();
  return {
    project: { ...project, objects: project.objects.map((each) => ({ ...each, sqlite: false })) },
  };
}

const source = (answer) => `
import { DurableObject } from "cloudflare:workers";
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export default {};
export class ${CLASS} extends DurableObject {
  async fetch(request) {
    const body = await request.text();
    const real = () => {
      const namespace = this.env.REAL;
      const stub = namespace.get(namespace.idFromName(this.ctx.id.name));
      return stub.fetch(request.url, { method: request.method, body });
    };
    ${answers[answer]}
  }
}`;
