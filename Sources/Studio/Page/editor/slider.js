import { el } from "../core/dom.js";
import { has, number, t } from "../core/strings.js";

/**
 * @typedef {Object} About the description of a slider
 * @property {string} name
 * @property {number} minimum
 * @property {number} maximum
 * @property {number} neutral
 * @property {number} digits
 * @property {string} [unit]
 * @property {string} [summary]
 */

/** A slider with its name, a bar from its neutral value, and a number field. */
export class Slider {
  /**
   * @param {About} about
   * @param {(value: number, isMoving: boolean) => void} onChange
   */
  constructor(about, onChange) {
    this.about = about;
    this.onChange = onChange;
    this.step = 10 ** -about.digits;
    const name = nameOf(about.name);
    const [min, max] = [String(about.minimum), String(about.maximum)];
    const step = String(about.digits === 0 ? 50 : this.step);
    this.number = el("input.number", {
      type: "number", min, max, step: "any", "aria-label": `${name}, ${t("edit.value")}`,
    });
    this.range = el("input.way", { type: "range", min, max, step, "aria-label": name });
    const unit = about.unit ? el("span.unit", { "aria-hidden": "true" }, about.unit) : null;
    this.element = el("div.slider", { title: about.summary },
      el("span.name", { "aria-hidden": "true" }, name), el("span.figure", {}, this.number, unit), this.range);
    this.range.addEventListener("input", () => this.moved(Number(this.range.value), true));
    this.range.addEventListener("change", () => this.moved(Number(this.range.value), false));
    this.range.addEventListener("keydown", (event) => this.keyed(event));
    this.element.addEventListener("dblclick", (event) => {
      if (event.target !== this.number) this.moved(about.neutral, false);
    });
    this.number.addEventListener("change", () => {
      const value = Number(this.number.value);
      this.moved(this.number.value === "" || Number.isNaN(value) ? about.neutral : value, false);
    });
    this.show(about.neutral);
  }

  /**
   * Shows a value.
   * @param {number} value
   */
  show(value) {
    const { minimum, maximum, neutral, digits } = this.about;
    const share = (/** @type {number} */ number) => (100 * (number - minimum)) / (maximum - minimum);
    this.range.value = String(value);
    this.number.value = value.toFixed(digits);
    this.range.setAttribute("aria-valuetext", `${number(value, digits)} ${this.about.unit ?? ""}`.trim());
    this.range.style.setProperty("--from", `${share(Math.min(value, neutral))}%`);
    this.range.style.setProperty("--to", `${share(Math.max(value, neutral))}%`);
    this.range.style.setProperty("--neutral", `${share(neutral)}%`);
    this.element.classList.toggle("set", value !== neutral);
  }

  /** @param {number} value @param {boolean} isMoving */
  moved(value, isMoving) {
    const kept = Math.min(Math.max(value, this.about.minimum), this.about.maximum);
    this.show(kept);
    this.onChange(kept, isMoving);
  }

  /**
   * Changes the value with keys: the arrows by one step, with Shift by ten; Home resets it to neutral.
   * @param {KeyboardEvent} event
   */
  keyed(event) {
    const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    const least = this.about.digits === 0 ? 50 : this.step;
    let value;
    if (event.key === "Home") value = this.about.neutral;
    else if (direction) value = Number(this.range.value) + direction * least * (event.shiftKey ? 10 : 1);
    else return;
    event.preventDefault();
    this.moved(Number(value.toFixed(this.about.digits)), false);
  }
}

/**
 * Returns the displayed name of a parameter. A parameter without a name, such as `blackPoint`, becomes “Black point”.
 * @param {string} parameter
 */
export function nameOf(parameter) {
  if (has(`parameter.${parameter}`)) return t(`parameter.${parameter}`);
  const words = parameter.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
}
