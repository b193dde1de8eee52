import { el } from "./dom.js";
import { pictureURL } from "./api.js";
import { openDialog } from "./dialog.js";
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
    el("div.presetGrid", {}, ...presets.map(({ preset, summary }) => {
      const picture = el("img", { alt: "", loading: "lazy", src: pictureURL(item, { size: 320, preset, replace: true }) });
      picture.addEventListener("error", () => picture.remove());
      return el("button.preset", { type: "button", title: summary, onclick: () => { dialog.close(); onChoose(preset); } },
        el("span.picture", {}, picture), el("span.name", {}, preset));
    })));
}
