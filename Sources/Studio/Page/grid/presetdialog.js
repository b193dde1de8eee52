import { el } from "../core/dom.js";
import { openDialog } from "../core/dialog.js";
import { presetButton } from "../core/presetbutton.js";
import { t } from "../core/strings.js";

/**
 * All presets as small pictures of one asset, to choose one for many.
 * @param {import("../core/api.js").Asset} item whose pictures are shown
 * @param {number} count how many it is for
 * @param {import("../viewer/presets.js").PresetRow} row knows the presets
 * @param {(preset: string) => void} onChoose
 */
export async function openPresetDialog(item, count, row, onChoose) {
  const presets = await row.known().catch(() => []);
  const dialog = openDialog(`${t("action.presets")}: ${t("selection.count", { count })}`,
    el("div.presetGrid", {}, ...presets.map((one) => presetButton(item, one, { onclick: () => { dialog.close(); onChoose(one.preset); } }))));
}
