import { el, followDrag } from "../core/dom.js";
import { pictureURL } from "../core/api.js";
import { percent, t } from "../core/strings.js";

/** @typedef {import("../core/types").Asset} Asset */

/** The comparison of before and after: the original covers the picture up to a line that can be dragged. */
export class Compare {
  constructor() {
    this.before = el("img.before", { alt: t("viewer.before"), draggable: "false" });
    this.line = el("div.divider", {
      role: "slider", tabindex: "0", "aria-label": t("viewer.divider"), "aria-valuemin": "0", "aria-valuemax": "100",
    });
    this.element = el("div.compare", { hidden: true }, this.before, this.line,
      el("span.tag.left", {}, t("viewer.before")), el("span.tag.right", {}, t("viewer.after")));
    this.line.addEventListener("keydown", (event) => this.keyed(event));
    this.element.addEventListener("pointerdown", (event) => this.grab(event));
    this.share = 50;
  }

  get isOpen() { return !this.element.hidden && !this.element.classList.contains("held"); }

  /**
   * Shows or hides the comparison.
   * @param {Asset} item
   * @param {HTMLElement} picture the picture to cover
   */
  toggle(item, picture) {
    if (this.isOpen) { this.close(); return false; }
    this.open(item, picture, false);
    this.line.focus();
    return true;
  }

  /**
   * Shows the original while a key is held.
   * @param {Asset} item
   * @param {HTMLElement} picture the picture to cover
   */
  hold(item, picture) {
    if (this.element.hidden) this.open(item, picture, true);
  }

  release() { if (this.element.classList.contains("held")) this.close(); }

  /** @param {Asset} item @param {HTMLElement} picture @param {boolean} isHeld */
  open(item, picture, isHeld) {
    const size = Math.max(picture.offsetWidth, picture.offsetHeight);
    this.before.src = pictureURL(item, { size: size > 1280 ? 2048 : 1280, version: "original" });
    this.element.classList.toggle("held", isHeld);
    this.element.hidden = false;
    Object.assign(this.element.style, { width: picture.style.width, height: picture.style.height });
    this.put(isHeld ? 100 : 50);
  }

  close() { this.element.hidden = true; }

  /**
   * Puts the line at a percentage of the width.
   * @param {number} share
   */
  put(share) {
    this.share = Math.min(Math.max(share, 0), 100);
    this.before.style.clipPath = `inset(0 ${100 - this.share}% 0 0)`;
    this.line.style.left = `${this.share}%`;
    this.line.setAttribute("aria-valuenow", String(Math.round(this.share)));
    this.line.setAttribute("aria-valuetext", `${percent(Math.round(this.share))} ${t("viewer.before")}`);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 };
    /** @type {Record<string, number>} */
    const places = { Home: 0, End: 100 };
    if (event.key in steps) this.put(this.share + steps[event.key] * (event.shiftKey ? 10 : 2));
    else if (event.key in places) this.put(places[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {PointerEvent} event */
  grab(event) {
    event.preventDefault();
    const { left, width } = this.element.getBoundingClientRect();
    const move = (/** @type {PointerEvent} */ now) => this.put((100 * (now.clientX - left)) / width);
    move(event);
    followDrag(move);
  }
}
