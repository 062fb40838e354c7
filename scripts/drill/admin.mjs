/**
 * The operator's side of a deployment.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Usage } from "../console/arguments.mjs";
import { Trouble } from "../say.mjs";

const TIMEOUT_MS = 15_000;
/** An order that some region did not take is repeated. */
const TRIES = 4;
const AGAIN_MS = 1_500;

const WHY = {
  401: "the deployment refuses this ADMIN_TOKEN",
  404: "the deployment has no ADMIN_TOKEN, or no such route or endpoint",
  409: 'the deployment has SERVICE.state = "isolate": no object keeps what a drill could change',
};

export class Admin {
  #at;
  #token;

  /** @param {import("../console/deployment.mjs").Deployment} at with its route @param {string} token */
  constructor(at, token) {
    this.#at = at;
    this.#token = token;
  }

  /** @returns {Promise<any>} the status of the route as the operator sees it */
  async status() {
    return this.#ask("GET", "");
  }

  /**
   * @param {string} endpoint
   * @param {{ kind: string, value?: number, for_ms: number }} fault
   * @returns {Promise<{ fault: { until_ms: number }, regions: string[] }>}
   */
  begin(endpoint, fault) {
    return this.#order(endpoint, "fault", fault);
  }

  /** Ends whatever is played, and begins its breaker and counts anew. @param {string} endpoint */
  reset(endpoint) {
    return this.#order(endpoint, "reset");
  }

  async #order(endpoint, action, body) {
    const path = `/endpoints/${encodeURIComponent(endpoint)}/${action}`;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#ask("POST", path, body);
      } catch (error) {
        if (error instanceof Usage || tries >= TRIES) throw error;
        await sleep(AGAIN_MS);
      }
    }
  }

  async #ask(method, path, body) {
    const { origin, route } = this.#at;
    const response = await fetch(`${origin}/admin/routes/${encodeURIComponent(route)}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}` },
      body: body && JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error) => {
      throw new Trouble(`the deployment cannot be reached (${error.cause?.code ?? error.name})`);
    });
    const answer = await response.json().catch(() => undefined);
    if (response.status === 200 && answer) return answer;
    if (WHY[response.status]) throw new Usage(WHY[response.status]);
    const regions = answer?.regions ? ` (${answer.regions.join(", ")})` : "";
    const said = answer?.error ?? "without a reason";
    const text = `the order was not taken: HTTP ${response.status}, ${said}${regions}`;
    throw response.status === 400 ? new Usage(text) : new Trouble(text);
  }
}
