import { el } from "../core/dom.js";
import { openDialog } from "../core/dialog.js";
import { presetButton } from "../core/presetbutton.js";
import { t } from "../core/strings.js";

/**
 * Opens a dialog that shows all presets as small pictures of one asset, to choose one for many assets.
 * @param {import("../core/types").Asset} item the asset whose pictures are shown
 * @param {number} count the number of assets to edit
 * @param {import("../core/types").Preset[]} presets
 * @param {(preset: string) => void} onChoose
 */
export function openPresetDialog(item, count, presets, onChoose) {
  const choose = (/** @type {string} */ preset) => { dialog.close(); onChoose(preset); };
  const buttons = presets.map((one) => presetButton(item, one, { onclick: () => choose(one.preset) }));
  const title = `${t("action.presets")}: ${t("selection.count", { count })}`;
  const dialog = openDialog(title, el("div.presetGrid", {}, ...buttons));
}
