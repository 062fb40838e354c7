/**
 * Secrets of a configuration: `.dev.vars` and `${NAME}`, as the Worker and wrangler read them.
 */

/** Secrets that are the Worker's own: no endpoint is sent them. */
const OWN = ["ADMIN_TOKEN", "ALERT_WEBHOOK", "CLIENT_KEYS"];

/** @param {string} text of `.dev.vars` @returns {Record<string, string>} */
export function readDevVars(text) {
  const entries = text
    .split(/\r?\n/)
    .map((line) => line.trim().match(/^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/))
    .filter(Boolean);
  return Object.fromEntries(entries.map(([, name, value]) => [name, unquoted(value)]));
}

function unquoted(value) {
  const quoted = value.match(/^(["'])(.*?)\1/);
  return quoted ? quoted[2] : value.split(" #")[0].trim();
}

/**
 * @param {string} template
 * @param {Record<string, string | undefined>} secrets
 * @returns {{ text: string, missing: string[] }} `missing`: names without a value. The text is secret.
 */
export function fill(template, secrets) {
  const missing = [];
  const text = template.replace(/\$\{(\w+)\}/g, (_, name) => {
    const value = OWN.includes(name) ? "" : (secrets[name] ?? "").trim();
    if (!value) missing.push(name);
    return value;
  });
  return { text, missing };
}
