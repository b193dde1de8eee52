import { el } from "./dom.js";
import { openDialog } from "./dialog.js";
import { presetButton } from "./presets.js";
import { t } from "./strings.js";

/**
 * All presets as small pictures of one asset, to choose one for many.
 * @param {import("./api.js").Asset} item whose pictures are shown
 * @param {number} count how many it is for
 * @param {import("./presets.js").PresetRow} row knows the presets
 * @param {(preset: string) => void} onChoose
 */
export async function openPresetDialog(item, count, row, onChoose) {
  const presets = await row.known().catch(() => []);
  const dialog = openDialog(`${t("action.presets")}: ${t("selection.count", { count })}`,
    el("div.presetGrid", {}, ...presets.map((one) => presetButton(item, one, { onclick: () => { dialog.close(); onChoose(one.preset); } }))));
}
