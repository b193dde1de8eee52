import { el } from "./dom.js";
import { openDialog } from "./dialog.js";
import { t } from "./strings.js";

const KEYS = [
  ["← → ↑ ↓", "arrows"], ["Space", "space"], ["Enter", "open"], ["Esc", "escape"], ["R, Shift R", "turn"],
  ["H, V", "flip"], ["B", "before"], ["1 … 9", "preset"], ["F", "favourite"], ["I", "info"], ["Z, Shift Z", "revert"],
  ["E", "edit"], ["Ctrl S", "save"], ["Ctrl Z, Ctrl Shift Z", "undo"], ["S", "share"], ["Delete", "delete"],
  ["Ctrl A", "all"], ["/", "search"], ["?", "help"],
];

/**
 * Returns the name of a key on keyboards of the page's language; words are key names.
 * @param {string} key
 */
const shown = (key) => key.replace(/[A-Z][a-z]+/g, (name) => t(`key.${name}`));

/** Shows all keyboard shortcuts. */
export function openKeys() {
  openDialog(t("keys.title"), el("dl.keys", {}, ...KEYS.flatMap(([key, name]) => [
    el("dt", {}, el("kbd", {}, shown(key))), el("dd", {}, t(`keys.${name}`)),
  ])));
}
