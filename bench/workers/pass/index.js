/** The floor: hands request and answer on, unread. */
export default {
  fetch(request, { UPSTREAM }) {
    const headers = { "content-type": "application/json" };
    const { body } = request;
    return fetch(UPSTREAM, { method: "POST", headers, body, redirect: "manual" });
  },
};
