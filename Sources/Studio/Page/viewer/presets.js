import { el } from "../core/dom.js";
import { get } from "../core/api.js";
import { presetButton } from "../core/presetbutton.js";
import { percent, t } from "../core/strings.js";

/** The presets, shown as small pictures of the displayed asset. */
export class PresetRow {
  /**
   * @param {(preset: string, intensity: number) => void} onApply
   * @param {import("./removals.js").Removals} removals
   */
  constructor(onApply, removals) {
    this.onApply = onApply;
    this.removals = removals;
    this.list = el("div.row", { role: "group", "aria-label": t("action.presets") });
    /**
     * The presets, once they have been requested.
     * @type {Promise<import("../core/types").Preset[]>|undefined}
     */
    this.presets = undefined;
    /** The preset that was applied last. */
    this.applied = "";
    this.intensity = el("input", {
      type: "range", min: "0", max: "100", value: "100", "aria-label": t("preset.intensity"),
    });
    this.output = el("output", {}, percent(100));
    this.intensity.addEventListener("input", () => {
      this.output.textContent = percent(Number(this.intensity.value));
    });
    this.intensity.addEventListener("change", () => { if (this.applied) this.apply(this.applied); });
    this.element = el("section.presets", { hidden: true, "aria-label": t("action.presets") },
      el("label.intensity", {}, t("preset.intensity"), this.intensity, this.output), this.list);
  }

  get isOpen() { return !this.element.hidden; }

  close() { this.element.hidden = true; }

  /**
   * Returns the presets, which are requested once.
   * @returns {Promise<import("../core/types").Preset[]>}
   */
  async known() {
    this.presets ??= get("presets").then((answer) => answer.presets);
    try {
      return await this.presets;
    } catch (error) {
      this.presets = undefined;
      throw error;
    }
  }

  /** @param {import("../core/types").Asset} item */
  async show(item) {
    this.element.hidden = false;
    this.applied = "";
    const presets = await this.known().catch(() => []);
    this.list.replaceChildren(...presets.map((one, index) => {
      const { preset } = one;
      const key = index < 9 ? String(index + 1) : null;
      const button = presetButton(item, one, { onclick: () => this.apply(preset), "aria-keyshortcuts": key });
      this.removals.watch(button, () => ({ type: "apply", presets: [preset], replace: true }), () => item);
      return button;
    }));
  }

  /** @param {string} preset */
  apply(preset) {
    this.applied = preset;
    this.onApply(preset, Number(this.intensity.value) / 100);
  }

  /**
   * Applies a preset by its position in the row, counted from 1.
   * @param {number} number
   */
  async applyNumber(number) {
    const presets = await this.known().catch(() => []);
    if (presets[number - 1]) this.apply(presets[number - 1].preset);
  }
}
