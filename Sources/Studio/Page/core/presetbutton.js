import { el } from "./dom.js";
import { pictureURL } from "./api.js";
import { has, t } from "./strings.js";

/**
 * Returns the displayed name of a preset. Built-in presets have a name in each language.
 * @param {{preset: string, isOwn: boolean}} preset
 */
export function presetName({ preset, isOwn }) {
  return !isOwn && has(`preset.name.${preset}`) ? t(`preset.name.${preset}`) : preset;
}

/**
 * Returns the description of a preset or look, preceded by its command-line name if that differs from the displayed
 * name.
 * @param {string} name
 * @param {string} summary
 * @param {string} shown
 */
export function titleOf(name, summary, shown) { return shown === name ? summary : `${name}: ${summary}`; }

/**
 * Creates a button that shows a small picture of an asset with a preset.
 * @param {import("./types").Asset} item
 * @param {import("./types").Preset} one
 * @param {import("./types").Attributes} attributes
 */
export function presetButton(item, one, attributes) {
  const { preset, summary } = one;
  const shown = presetName(one);
  const src = pictureURL(item, { size: 320, preset, replace: true });
  const picture = el("img", { alt: "", loading: "lazy", decoding: "async", src });
  picture.addEventListener("error", () => picture.remove());
  return el("button.preset", { type: "button", title: titleOf(preset, summary, shown), ...attributes },
    el("span.picture", {}, picture), el("span.name", {}, shown));
}
