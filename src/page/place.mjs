/**
 * Where this page stands, and the URLs that follow from it.
 */

/** `/{route}/{key}`: the page of one route, with a client key in its path if one is needed. */
const [segment, key] = location.pathname.split("/").filter((part) => part !== "");

/** Whether this page shows one route only. */
export const alone = segment !== undefined;

/** Whether a client key is in its path. */
export const keyed = key !== undefined;

/** Where its data is: the same path, asked for JSON. */
export const dataPath = location.pathname;

/** @param {string} route @returns {string} what callers use, with the key of this page */
export const urlOf = (route) => `${location.origin}/${route}${key ? `/${key}` : ""}`;

/** @param {string} text @returns {string} without the key: what is on a screen may be seen by others */
export const masked = (text) => (key ? text.replaceAll(`/${key}`, "/•••") : text);

/** @param {string} route @returns {string | undefined} its own page; none when a key would be shown */
export const pageOf = (route) => (alone ? undefined : `/${route}`);
