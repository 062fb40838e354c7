/**
 * The failover of Breakwater's ordered mode as one would write it by hand in JavaScript, without
 * memory: reads both bodies, asks the next endpoint when one fails, is late or reports trouble.
 */
const TIMEOUT_MS = 1_000;
const headers = { "content-type": "application/json" };
/** A revert is the call's own result. */
const REVERTED = 3;

export default {
  async fetch(request, { UPSTREAM, OTHER }) {
    const body = await request.text();
    const calls = [JSON.parse(body)].flat();
    if (!calls.every(({ method }) => typeof method === "string")) return refuse(400, "no call");
    for (const url of [UPSTREAM, OTHER]) {
      const answer = await ask(url, body, calls.length).catch(() => undefined);
      if (answer !== undefined) return new Response(answer, { headers });
    }
    return refuse(502, "no endpoint answered");
  },
};

async function ask(url, body, count) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
  if (response.status !== 200) return undefined;
  const text = await response.text();
  const answers = [JSON.parse(text)].flat();
  return answers.length === count && answers.every(isGood) ? text : undefined;
}

const isGood = ({ result, error }) => (error ? error.code === REVERTED : result !== undefined);

const refuse = (status, message) =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code: -32603, message } }, { status });
