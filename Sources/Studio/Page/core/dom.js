/** Creates elements. Texts become text nodes, never markup. */

/**
 * Creates an element with attributes, listeners (`onclick` and so on) and children. Null and false are omitted.
 * @template {string} Tag
 * @param {Tag} tag the tag name, optionally followed by `.class` parts
 * @param {import("./types").Attributes} [attributes]
 * @param {...import("./types").Child} children
 * @returns {import("./types").ElementOf<Tag>}
 */
export function el(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = /** @type {import("./types").ElementOf<Tag>} */ (document.createElement(name));
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) setAttribute(element, key, value);
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

/** @param {HTMLElement & Record<string, any>} element @param {string} key @param {any} value */
function setAttribute(element, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (key in PROPERTIES) element[key] = value;
  else element.setAttribute(key, value === true ? "" : value);
}

/** The names that are set as properties, because their attributes only define the initial state. */
const PROPERTIES = { value: 1, checked: 1, muted: 1, textContent: 1, disabled: 1 };

/**
 * Follows a drag until the pointer is released.
 * @param {(event: PointerEvent) => void} move
 * @param {() => void} [end]
 */
export function followDrag(move, end) {
  const stop = () => {
    removeEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, stop);
    end?.();
  };
  addEventListener("pointermove", move);
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, stop);
}

/**
 * Makes screen readers announce a text once.
 * @param {string} text
 */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (!region) return;
  region.textContent = "";
  // A repeated text is announced only if it was cleared first.
  requestAnimationFrame(() => { region.textContent = text; });
}

/** Returns whether the user prefers no animations. */
export function isStill() { return matchMedia("(prefers-reduced-motion: reduce)").matches; }

/**
 * Returns whether the focus is in a text field.
 * @param {EventTarget|null} target
 */
export function isTyping(target) {
  return target instanceof Element
    && target.closest("input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, select") !== null;
}
