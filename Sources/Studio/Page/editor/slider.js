import { el } from "../core/dom.js";
import { has, number, t } from "../core/strings.js";

/** A slider with its name, the way from its neutral point, and a number to type. */
export class Slider {
  /**
   * @param {{name: string, minimum: number, maximum: number, neutral: number, digits: number, unit?: string, summary?: string}} about
   * @param {(value: number, isMoving: boolean) => void} onChange
   */
  constructor(about, onChange) {
    Object.assign(this, { about, onChange });
    this.step = 10 ** -about.digits;
    const name = nameOf(about.name);
    const bounds = { min: String(about.minimum), max: String(about.maximum), step: String(about.digits === 0 ? 50 : this.step) };
    this.number = /** @type {HTMLInputElement} */ (el("input.number", { type: "number", ...bounds, step: "any", "aria-label": `${name}, ${t("edit.value")}` }));
    this.range = /** @type {HTMLInputElement} */ (el("input.way", { type: "range", ...bounds, "aria-label": name }));
    this.element = el("div.slider", { title: about.summary },
      el("span.name", { "aria-hidden": "true" }, name), el("span.figure", {}, this.number, about.unit ? el("span.unit", { "aria-hidden": "true" }, about.unit) : null), this.range);
    this.range.addEventListener("input", () => this.moved(Number(this.range.value), true));
    this.range.addEventListener("change", () => this.moved(Number(this.range.value), false));
    this.range.addEventListener("keydown", (event) => this.keyed(event));
    this.element.addEventListener("dblclick", (event) => { if (event.target !== this.number) this.moved(about.neutral, false); });
    this.number.addEventListener("change", () => {
      const value = Number(this.number.value);
      this.moved(this.number.value === "" || Number.isNaN(value) ? about.neutral : value, false);
    });
    this.show(about.neutral);
  }

  /** Shows a value. */
  show(value) {
    const { minimum, maximum, neutral, digits } = this.about;
    const share = (number) => (100 * (number - minimum)) / (maximum - minimum);
    this.range.value = String(value);
    this.number.value = value.toFixed(digits);
    this.range.setAttribute("aria-valuetext", `${number(value, digits)} ${this.about.unit ?? ""}`.trim());
    this.range.style.setProperty("--from", `${share(Math.min(value, neutral))}%`);
    this.range.style.setProperty("--to", `${share(Math.max(value, neutral))}%`);
    this.range.style.setProperty("--neutral", `${share(neutral)}%`);
    this.element.classList.toggle("set", value !== neutral);
  }

  moved(value, isMoving) {
    const kept = Math.min(Math.max(value, this.about.minimum), this.about.maximum);
    this.show(kept);
    this.onChange(kept, isMoving);
  }

  /** Arrows move by a step, with Shift by ten; Home is neutral. */
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

/** The name of a parameter for people; of one that has none yet `blackPoint` as “Black point”. */
export function nameOf(parameter) {
  if (has(`parameter.${parameter}`)) return t(`parameter.${parameter}`);
  const words = parameter.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
}
