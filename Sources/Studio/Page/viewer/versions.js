import { el } from "../core/dom.js";
import { get, pictureURL } from "../core/api.js";
import { t } from "../core/strings.js";

/** The versions of an asset as small pictures; a click shows a version. */
export class VersionStrip {
  /** @param {(number: number) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
    /** @type {import("../core/types").Asset|null} */
    this.item = null;
    this.list = el("div.row", { role: "group", "aria-label": t("action.versions") });
    this.element = el("section.versions", { hidden: true, "aria-label": t("action.versions") }, this.list);
  }

  get isOpen() { return !this.element.hidden; }

  close() { this.element.hidden = true; }

  /** @param {import("../core/types").Asset} item */
  async show(item) {
    this.element.hidden = false;
    // Versions of another asset must not be chosen for this one.
    if (this.item?.id !== item.id) this.list.replaceChildren();
    this.item = item;
    const unknown = { current: 0, versions: [] };
    const history = await get(`assets/${encodeURIComponent(item.id)}/history`).catch(() => unknown);
    if (this.item !== item) return;
    const all = [{ number: 0, words: t("version.original") }, ...history.versions];
    this.list.replaceChildren(...all.map((version) => {
      const { number } = version;
      const isCurrent = number === history.current;
      const name = number === 0 ? t("version.original") : t("version.number", { number });
      const words = [version.words ?? []].flat().join(", ");
      const src = pictureURL(item, { size: 320, version: number === 0 ? "original" : number });
      const picture = el("img", { alt: "", loading: "lazy", src });
      picture.addEventListener("error", () => picture.remove());
      return el("button.preset", {
        type: "button", title: words, "aria-pressed": String(isCurrent),
        onclick: () => { if (!isCurrent) this.onChoose(number); },
      }, el("span.picture", {}, picture), el("span.name", {}, name),
      number > 0 && words && el("span.words", {}, words));
    }));
  }
}
