import { el, followDrag } from "../core/dom.js";
import { nameOf } from "./slider.js";
import { number, t } from "../core/strings.js";

/** The number of ruler pixels per degree. */
const PIXELS = 10;
/** The largest angle. */
const END = 45;
/** The distance in degrees at which a drag snaps to a mark. */
const REACH = 0.5;

/** The dial that straightens: a ruler of degrees under a pointer, with marks to which it snaps, and a number field. */
export class Dial {
  /** @param {(value: number, isMoving: boolean) => void} onChange receives the angle in degrees */
  constructor(onChange) {
    this.onChange = onChange;
    this.value = 0;
    /**
     * The angle at which the picture is level, if known.
     * @type {number|null}
     */
    this.level = null;
    const name = nameOf("straighten");
    const bounds = { min: String(-END), max: String(END) };
    this.number = el("input.number", {
      type: "number", ...bounds, step: "any", "aria-label": `${name}, ${t("edit.value")}`,
    });
    const numbers = [-40, -30, -20, -10, 0, 10, 20, 30, 40].map((at) => this.at(el("span.degrees", {}, `${at}°`), at));
    this.found = el("span.found", { hidden: true });
    this.ticks = el("span.ticks", { "aria-hidden": "true" }, ...numbers, this.at(el("span.zero"), 0), this.found);
    this.ruler = el("div.ruler", {
      role: "slider", tabindex: "0", "aria-label": name, "aria-valuemin": bounds.min, "aria-valuemax": bounds.max,
    }, this.ticks, el("span.pointer", { "aria-hidden": "true" }));
    const unit = el("span.unit", { "aria-hidden": "true" }, "°");
    this.element = el("div.slider.dial", { title: t("edit.dial.how") },
      el("span.name", { "aria-hidden": "true" }, name), el("span.figure", {}, this.number, unit), this.ruler);
    this.ruler.addEventListener("pointerdown", (event) => this.grab(event));
    this.ruler.addEventListener("keydown", (event) => this.keyed(event));
    this.element.addEventListener("dblclick", (event) => {
      if (event.target !== this.number) this.moved(0, false);
    });
    this.number.addEventListener("change", () => this.moved(Number(this.number.value) || 0, false));
    this.show(0);
  }

  /**
   * Places an element at a position on the ruler.
   * @param {HTMLElement} element
   * @param {number} value
   */
  at(element, value) {
    element.style.left = `${(value + END) * PIXELS}px`;
    return element;
  }

  /**
   * Shows an angle.
   * @param {number} value the angle in degrees
   */
  show(value) {
    this.value = value;
    this.number.value = value.toFixed(2);
    this.ticks.style.transform = `translateX(${-(value + END) * PIXELS}px)`;
    this.ruler.setAttribute("aria-valuenow", String(Number(value.toFixed(2))));
    const isLevel = value !== 0 && value === this.level;
    this.ruler.setAttribute("aria-valuetext", `${number(value, 2)}°${isLevel ? `, ${t("edit.dial.level")}` : ""}`);
    this.element.classList.toggle("set", value !== 0);
    this.element.classList.toggle("level", isLevel);
  }

  /**
   * Marks the angle at which the picture is level; null if it is unknown.
   * @param {number|null} level
   */
  mark(level) {
    this.level = level === null ? null : Number(level.toFixed(2));
    this.found.hidden = !this.level;
    if (this.level) this.at(this.found, this.level);
    this.show(this.value);
  }

  /** The angles to which the dial snaps. */
  get marks() { return this.level ? [0, this.level] : [0]; }

  /** @param {number} value @param {boolean} isMoving */
  moved(value, isMoving) {
    const kept = Number(Math.min(Math.max(value, -END), END).toFixed(2));
    this.show(kept);
    this.onChange(kept, isMoving);
  }

  /**
   * Moves the ruler with the pointer; near a mark, the ruler snaps to it.
   * @param {PointerEvent} event
   */
  grab(event) {
    if (event.button) return;
    const [from, start] = [this.value, event.clientX];
    let isPulled = false;
    followDrag((now) => {
      isPulled ||= Math.abs(now.clientX - start) > 2;
      if (!isPulled) return;
      this.moved(snapped(from - (now.clientX - start) / PIXELS, this.marks), true);
    }, () => { if (isPulled) this.moved(this.value, false); });
  }

  /**
   * Changes the angle with keys: the arrows by 0.1°, with Shift by 1°, stopping at marks; Page Up and Page Down by 5°;
   * Home resets it to 0°.
   * @param {KeyboardEvent} event
   */
  keyed(event) {
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -0.1, ArrowDown: -0.1, ArrowRight: 0.1, ArrowUp: 0.1, PageUp: 5, PageDown: -5 };
    const step = steps[event.key];
    if (!step && event.key !== "Home") return;
    event.preventDefault();
    event.stopPropagation();
    if (!step) { this.moved(0, false); return; }
    this.moved(stepped(this.value, step * (event.shiftKey && Math.abs(step) < 1 ? 10 : 1), this.marks), false);
  }
}

/**
 * Returns the angle of a drag, or the mark within half a degree of it.
 * @param {number} degrees
 * @param {number[]} marks the marks in degrees
 */
export function snapped(degrees, marks) { return marks.find((mark) => Math.abs(mark - degrees) < REACH) ?? degrees; }

/**
 * Returns the angle after a step. The step ends at the first mark that it crosses.
 * @param {number} degrees the angle before the step
 * @param {number} step the step in degrees
 * @param {number[]} marks the marks in degrees
 */
export function stepped(degrees, step, marks) {
  const to = degrees + step;
  const [low, high] = [Math.min(degrees, to), Math.max(degrees, to)];
  return marks.find((mark) => mark > low + 1e-6 && mark < high - 1e-6) ?? to;
}
