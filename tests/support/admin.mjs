/**
 * The operator's side of a harness, and a webhook that listens.
 */
import { once } from "node:events";
import { createServer } from "node:http";

export const TOKEN = "adm1n-t0ken-for-tests";
const BEARER = { authorization: `Bearer ${TOKEN}` };

/**
 * @param {import("./harness.mjs").Harness} t started with the secret `ADMIN_TOKEN` of `TOKEN`
 * @param {string} [isolate] which one the operator talks to
 */
export const operator = (t, isolate = "a") => ({
  /** Any request under `/admin`. */
  ask: (method, path, body, how = {}) =>
    t.fetch(`/admin/${path}`, { method, body, headers: BEARER, isolate, ...how }),

  /** @param {string} action of endpoint `name`, with the body of a drill */
  order: (name, action, body, how) =>
    t.fetch(`/admin/routes/local/endpoints/${name}/${action}`, {
      method: "POST",
      body,
      headers: BEARER,
      isolate,
      ...how,
    }),

  /** The operator's status, with `endpoint` by name. */
  async status(how = {}) {
    const { body } = await t.get("/admin/routes/local", BEARER, { isolate, ...how });
    return { ...body, endpoint: Object.fromEntries(body.endpoints.map((e) => [e.name, e])) };
  },
});

/**
 * A receiver of alerts on loopback. `answer`: HTTP status, or a function that answers itself.
 *
 * @returns {Promise<{ url: string, posts: any[], requests: { method: string, url: string, text: string }[],
 *   answer: number | ((req: any, res: any) => void), stop: () => void }>}
 */
export async function startWebhook() {
  const hook = { url: "", posts: [], requests: [], answer: 200, stop: () => {} };
  const server = createServer(async (req, res) => {
    const text = (await req.toArray()).join("");
    const { method, url, headers } = req;
    hook.requests.push({ method, url, headers, text });
    if (text) hook.posts.push(JSON.parse(text));
    if (typeof hook.answer === "function") return hook.answer(req, res);
    res.writeHead(hook.answer).end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  hook.url = `http://127.0.0.1:${server.address().port}/h00k-s3cret/x`;
  hook.stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return hook;
}
