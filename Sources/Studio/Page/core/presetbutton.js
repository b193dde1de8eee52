import { el } from "./dom.js";
import { pictureURL } from "./api.js";
import { has, t } from "./strings.js";

/**
 * The name of a preset for people: those that come with liveedit have one in each language.
 * @param {{preset: string, isOwn: boolean}} preset
 */
export function presetName({ preset, isOwn }) {
  return !isOwn && has(`preset.name.${preset}`) ? t(`preset.name.${preset}`) : preset;
}

/**
 * What a preset or look does, behind the name that it has on the command line where that is another than is shown.
 * @param {string} name
 * @param {string} summary
 * @param {string} shown
 */
export function titleOf(name, summary, shown) { return shown === name ? summary : `${name}: ${summary}`; }

/**
 * A preset as a small picture of an asset, to be pressed.
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
