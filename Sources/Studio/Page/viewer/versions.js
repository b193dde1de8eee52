import { el } from "../core/dom.js";
import { get, pictureURL } from "../core/api.js";
import { t } from "../core/strings.js";

/** The versions of an asset as small pictures; a click shows that version. */
export class VersionStrip {
  /** @param {(number: number) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.list = el("div.row", { role: "group", "aria-label": t("action.versions") });
    this.element = el("section.versions", { hidden: true, "aria-label": t("action.versions") }, this.list);
  }

  get isOpen() { return !this.element.hidden; }

  close() { this.element.hidden = true; }

  async show(item) {
    this.element.hidden = false;
    // Those of another asset must not be chosen for this one.
    if (this.item?.id !== item.id) this.list.replaceChildren();
    this.item = item;
    const history = await get(`assets/${encodeURIComponent(item.id)}/history`).catch(() => ({ current: 0, versions: [] }));
    if (this.item !== item) return;
    const all = [{ number: 0, words: t("version.original") }, ...history.versions];
    this.list.replaceChildren(...all.map((version) => {
      const isCurrent = version.number === history.current;
      const name = version.number === 0 ? t("version.original") : t("version.number", { number: version.number });
      const words = [].concat(version.words ?? []).join(", ");
      const picture = el("img", { alt: "", loading: "lazy", src: pictureURL(item, { size: 320, version: version.number === 0 ? "original" : version.number }) });
      picture.addEventListener("error", () => picture.remove());
      return el("button.preset", {
        type: "button", title: words, "aria-pressed": String(isCurrent), onclick: () => { if (!isCurrent) this.onChoose(version.number); },
      }, el("span.picture", {}, picture), el("span.name", {}, name), version.number > 0 && words && el("span.words", {}, words));
    }));
  }
}
