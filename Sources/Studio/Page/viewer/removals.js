import { el } from "../core/dom.js";
import { post } from "../core/api.js";
import { t } from "../core/strings.js";

/** How long a hand rests on a button before it is asked what the edit will leave out, in milliseconds. */
const REST = 350;

/** Tells what an edit will leave out before it is made: while a hand, or the focus, rests on its button. */
export class Removals {
  constructor() {
    this.element = el("p.removals", { role: "status", hidden: true });
    /** @type {Map<string, Promise<string[]>>} */
    this.known = new Map();
  }

  /**
   * Watches a button.
   * @param {HTMLElement} button
   * @param {any} change the edit, as the server takes it, or what gives it
   * @param {() => import("../core/api.js").Asset|null} current the asset that it is for
   */
  watch(button, change, current) {
    for (const begin of ["pointerenter", "focus"]) {
      button.addEventListener(begin, () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.show(current(), change), REST);
      });
    }
    for (const end of ["pointerleave", "blur", "click"]) button.addEventListener(end, () => this.hide());
  }

  async show(item, change) {
    if (!item) return;
    if (typeof change === "function") change = change();
    const key = `${item.id} ${item.revision} ${JSON.stringify(change)}`;
    this.wanted = key;
    if (!this.known.has(key)) this.known.set(key, this.ask(item, change));
    const names = await this.known.get(key);
    if (this.wanted !== key || !names.length) return;
    this.element.textContent = `${t("preset.removes")} ${names.join(", ")}`;
    this.element.hidden = false;
  }

  hide() {
    clearTimeout(this.timer);
    this.wanted = "";
    this.element.hidden = true;
  }

  async ask(item, change) {
    const answer = await post("edits", { assets: [item.id], change, dryRun: true }).catch(() => null);
    return [...new Set((answer?.results ?? []).flatMap((result) => result.notCarriedOver ?? []).map((removal) => removal.name))];
  }
}
