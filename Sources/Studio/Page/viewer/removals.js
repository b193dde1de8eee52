import { el } from "../core/dom.js";
import { post } from "../core/api.js";
import { Latest } from "../core/latest.js";
import { t } from "../core/strings.js";

/** @typedef {import("../core/types").Asset} Asset */

/**
 * The time in milliseconds for which the pointer must rest on a button before the server is asked what the edit will
 * remove.
 */
const REST = 350;

/** Shows which metadata an edit will remove, while the pointer or the focus rests on its button. */
export class Removals {
  constructor() {
    this.element = el("p.removals", { role: "status", hidden: true });
    /** @type {Map<string, Promise<string[]>>} */
    this.known = new Map();
    this.latest = new Latest();
    /** The timer of the button on which the pointer rests. */
    this.timer = 0;
  }

  /**
   * Watches a button.
   * @param {HTMLElement} button
   * @param {() => import("../core/types").Change} change returns the change that the button makes
   * @param {() => Asset|null} current returns the asset to change; null if there is none
   */
  watch(button, change, current) {
    for (const begin of ["pointerenter", "focus"]) {
      button.addEventListener(begin, () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
          const item = current();
          if (item) this.show(item, change());
        }, REST);
      });
    }
    for (const end of ["pointerleave", "blur", "click"]) button.addEventListener(end, () => this.hide());
  }

  /** @param {Asset} item @param {import("../core/types").Change} change */
  async show(item, change) {
    const signal = this.latest.begin();
    const key = `${item.id} ${item.revision} ${JSON.stringify(change)}`;
    const asked = this.known.get(key) ?? this.ask(item, change);
    this.known.set(key, asked);
    const names = await asked;
    if (signal.aborted || !names.length) return;
    this.element.textContent = `${t("preset.removes")} ${names.join(", ")}`;
    this.element.hidden = false;
  }

  hide() {
    clearTimeout(this.timer);
    this.latest.end();
    this.element.hidden = true;
  }

  /**
   * Returns the names of the metadata that a change would remove.
   * @param {Asset} item
   * @param {import("../core/types").Change} change
   */
  async ask(item, change) {
    const answer = await post("edits", { assets: [item.id], change, dryRun: true }).catch(() => null);
    /** @type {import("../core/types").Result[]} */
    const results = answer?.results ?? [];
    return [...new Set(results.flatMap((result) => result.notCarriedOver ?? []).map((removal) => removal.name))];
  }
}
