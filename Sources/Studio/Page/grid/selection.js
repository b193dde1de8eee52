import { el } from "../core/dom.js";
import { icon, iconButton } from "../core/icons.js";
import { t } from "../core/strings.js";

/** The selected assets. */
export class Selection extends EventTarget {
  constructor() {
    super();
    /** @type {Set<string>} */
    this.set = new Set();
  }

  get ids() { return [...this.set]; }
  get size() { return this.set.size; }
  /** @param {string} id */
  has(id) { return this.set.has(id); }

  /** @param {string} id */
  toggle(id) {
    if (!this.set.delete(id)) this.set.add(id);
    this.changed();
  }

  /** @param {string[]} ids */
  add(ids) {
    for (const id of ids) this.set.add(id);
    this.changed();
  }

  clear() {
    if (!this.set.size) return;
    this.set.clear();
    this.changed();
  }

  /**
   * Deselects assets that are no longer known.
   * @param {(id: string) => boolean} isKnown
   */
  keep(isKnown) {
    const before = this.set.size;
    for (const id of this.set) if (!isKnown(id)) this.set.delete(id);
    if (this.set.size !== before) this.changed();
  }

  changed() { this.dispatchEvent(new Event("change")); }
}

/**
 * Creates the bar with the actions for the selection. The bar is visible while something is selected.
 * @param {Selection} selection
 * @param {Record<"turnLeft"|"turnRight"|"auto"|"presets"|"copy"|"paste"|"revert"|"favourite"|"hide"|"album"|"share", ()
 *   => void>} actions
 * @param {() => boolean} canPaste returns whether an edit was copied
 */
export function selectionBar(selection, actions, canPaste) {
  const count = el("span.count", { "aria-live": "polite" });
  /** @param {string} symbol @param {string} name @param {() => void} action */
  const button = (symbol, name, action) => (
    el("button.act", { type: "button", onclick: action, title: t(name) }, icon(symbol), el("span", {}, t(name)))
  );
  const copy = button("pencil", "action.copyEdit", () => { actions.copy(); update(); });
  const paste = button("check", "action.pasteEdit", actions.paste);
  const bar = el("section.selection", { "aria-label": t("selection.label"), hidden: true },
    iconButton("close", t("selection.clear"), () => selection.clear()), count, el("span.space"),
    button("turnLeft", "action.turnLeft", actions.turnLeft), button("turnRight", "action.turnRight", actions.turnRight),
    button("wand", "action.auto", actions.auto), button("presets", "action.presets", actions.presets),
    copy, paste,
    button("revert", "action.revert", actions.revert), button("heart", "action.favourite", actions.favourite),
    button("eyeOff", "action.hide", actions.hide), button("album", "action.album", actions.album),
    button("share", "action.share", actions.share));
  const update = () => {
    bar.hidden = selection.size === 0;
    count.textContent = selection.size ? t("selection.count", { count: selection.size }) : "";
    copy.disabled = selection.size !== 1;
    paste.disabled = !canPaste();
  };
  selection.addEventListener("change", update);
  return bar;
}
