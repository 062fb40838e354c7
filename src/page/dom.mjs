/**
 * Elements, and bringing what is shown to what should be. Whatever is put in becomes text or an
 * attribute's value: there is no way here to make markup of a text.
 */

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "path", "rect", "title"]);

/**
 * @param {string} name with classes: `p.why`
 * @param {Record<string, unknown>} [attributes] those that are null or false are left out
 * @param {...unknown} children elements and texts, in lists too; null and false are left out
 * @returns {Element}
 */
export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const node = DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  if (classes.length > 0) node.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes)) {
    if (value != null && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return node;
}

/**
 * Changes what is shown as little as it can, so that focus, selection and what was unfolded stay.
 * What is inside of an element with `data-own` is left to whoever put it there.
 *
 * @param {Node} shown
 * @param {Node} wanted of which parts may be taken over
 */
export function morph(shown, wanted) {
  if (shown.nodeName !== wanted.nodeName || shown.id !== wanted.id) {
    shown.replaceWith(wanted);
  } else if (shown.nodeType === Node.TEXT_NODE) {
    if (shown.data !== wanted.data) shown.data = wanted.data;
  } else {
    morphAttributes(shown, wanted);
    if (!wanted.hasAttribute("data-own")) fill(shown, [...wanted.childNodes]);
  }
}

/** Brings an element's content to these nodes. @param {Element} shown @param {Node[]} wanted */
export function fill(shown, wanted) {
  const present = [...shown.childNodes];
  wanted.forEach((node, i) => {
    if (present[i]) morph(present[i], node);
    else shown.append(node);
  });
  for (const left of present.slice(wanted.length)) left.remove();
}

/** Whether `<details>` is open is the reader's business. */
function morphAttributes(shown, wanted) {
  for (const { name } of [...shown.attributes]) {
    if (name !== "open" && !wanted.hasAttribute(name)) shown.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (name !== "open" && shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  }
}
