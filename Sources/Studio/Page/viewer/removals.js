import { el } from "../core/dom.js";
import { post } from "../core/api.js";
import { Latest } from "../core/latest.js";
import { t } from "../core/strings.js";

/** @typedef {import("../core/types").Asset} Asset */

/** How long a hand rests on a button before it is asked what the edit will leave out, in milliseconds. */
const REST = 350;

/** Tells what an edit will leave out before it is made: while a hand, or the focus, rests on its button. */
export class Removals {
  constructor() {
    this.element = el("p.removals", { role: "status", hidden: true });
    /** @type {Map<string, Promise<string[]>>} */
    this.known = new Map();
    this.latest = new Latest();
    /** The timer of the button that a hand rests on. */
    this.timer = 0;
  }

  /**
   * Watches a button.
   * @param {HTMLElement} button
   * @param {() => import("../core/types").Change} change returns the change that the button makes
   * @param {() => Asset|null} current returns the asset that it changes; null if there is none
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
   * The names of the metadata that a change would remove.
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
