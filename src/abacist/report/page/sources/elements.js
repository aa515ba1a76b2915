// Elements of the document, found by their ids and made in one go.

/**
 * The element with an id, which the page has.
 * @template {HTMLElement} T
 * @param {string} id @param {new () => T} kind @returns {T}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} with the id ${id}`);
  return found;
}

/**
 * A new element with attributes and content; a listener is an attribute that is a function.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, unknown>} [attributes] @param {(Node | string)[]} content
 * @returns {HTMLElementTagNameMap[K]}
 */
export function made(tag, attributes = {}, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, /** @type {EventListener} */ (value));
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...content);
  return element;
}

/**
 * Fill a list of choices.
 * @param {HTMLSelectElement} select @param {readonly (readonly [string, string])[]} options values and texts
 * @param {string} chosen
 */
export function fillChoices(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => made("option", { value, selected: value === chosen }, text)));
}

/** Bring an element into view where it is not, as on a phone. @param {HTMLElement} element */
export function reveal(element) {
  const { top, bottom } = element.getBoundingClientRect();
  if (top >= 0 && Math.min(bottom, top + 200) <= innerHeight) return;
  element.scrollIntoView({ behavior: motionWanted() ? "smooth" : "auto" });
}

/** Whether the visitor wants things to move. */
export function motionWanted() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** A number as people read it. @param {number} value */
export function readable(value) {
  return Math.abs(value) >= 1000 ? value.toExponential(2) : value.toFixed(Math.abs(value) < 10 ? 3 : 1);
}

/** A colour of the page's style, as it is now. @param {string} name */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
