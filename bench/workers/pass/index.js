/** The floor: hands the upstream's answer on, unread. */
export default {
  async fetch(request, { UPSTREAM }) {
    const headers = { "content-type": "application/json" };
    const body = await request.arrayBuffer();
    return fetch(UPSTREAM, { method: "POST", headers, body, redirect: "manual" });
  },
};
