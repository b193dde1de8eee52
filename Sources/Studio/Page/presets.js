import { el } from "./dom.js";
import { get, pictureURL } from "./api.js";
import { has, t } from "./strings.js";

/** The name of a preset for people: those that come with liveedit have one in each language. */
export function presetName({ preset, isOwn }) { return !isOwn && has(`preset.name.${preset}`) ? t(`preset.name.${preset}`) : preset; }

/** What a preset or look does, behind the name that it has on the command line where that is another than is shown. */
export function titleOf(name, summary, shown) { return shown === name ? summary : `${name}: ${summary}`; }

/**
 * A preset as a small picture of an asset, to be pressed.
 * @param {import("./api.js").Asset} item
 * @param {{preset: string, summary: string, isOwn: boolean}} one
 * @param {Record<string, any>} attributes
 */
export function presetButton(item, one, attributes) {
  const { preset, summary } = one;
  const shown = presetName(one);
  const picture = el("img", { alt: "", loading: "lazy", decoding: "async", src: pictureURL(item, { size: 320, preset, replace: true }) });
  picture.addEventListener("error", () => picture.remove());
  return el("button.preset", { type: "button", title: titleOf(preset, summary, shown), ...attributes }, el("span.picture", {}, picture), el("span.name", {}, shown));
}

/** The presets as small pictures of the asset that is shown. */
export class PresetRow {
  /**
   * @param {(preset: string, intensity: number) => void} onApply
   * @param {import("./removals.js").Removals} removals
   */
  constructor(onApply, removals) {
    this.onApply = onApply;
    this.removals = removals;
    this.list = el("div.row", { role: "group", "aria-label": t("action.presets") });
    this.intensity = /** @type {HTMLInputElement} */ (el("input", { type: "range", min: "0", max: "100", value: "100", "aria-label": t("preset.intensity") }));
    this.output = el("output", {}, "100 %");
    this.intensity.addEventListener("input", () => { this.output.textContent = `${this.intensity.value} %`; });
    this.intensity.addEventListener("change", () => { if (this.applied) this.onApply(this.applied, Number(this.intensity.value) / 100); });
    this.element = el("section.presets", { hidden: true, "aria-label": t("action.presets") },
      el("label.intensity", {}, t("preset.intensity"), this.intensity, this.output), this.list);
  }

  get isOpen() { return !this.element.hidden; }

  close() { this.element.hidden = true; }

  async known() {
    this.presets ??= get("presets").then((answer) => answer.presets);
    try {
      return await this.presets;
    } catch (error) {
      this.presets = undefined;
      throw error;
    }
  }

  async show(item) {
    this.element.hidden = false;
    this.applied = null;
    const presets = await this.known().catch(() => []);
    this.list.replaceChildren(...presets.map((one, index) => {
      const { preset } = one;
      const button = presetButton(item, one, { onclick: () => this.apply(preset), "aria-keyshortcuts": index < 9 ? String(index + 1) : null });
      this.removals.watch(button, { type: "apply", presets: [preset], replace: true }, () => item);
      return button;
    }));
  }

  apply(preset) {
    this.applied = preset;
    this.onApply(preset, Number(this.intensity.value) / 100);
  }

  /** Applies a preset by its place in the row, from 1. */
  async applyNumber(number) {
    const presets = await this.known().catch(() => []);
    if (presets[number - 1]) this.apply(presets[number - 1].preset);
  }
}
