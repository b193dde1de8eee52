import { el } from "../core/dom.js";
import { get, post } from "../core/api.js";
import { openDialog } from "../core/dialog.js";
import { number, t } from "../core/strings.js";
import { sentence } from "../core/tray.js";

/** A text as it stands in a filter. */
export function quoted(text) { return `"${text.replace(/[\\"]/g, "\\$&")}"`; }

/** The panel at the side: albums, onto which pictures can be dragged. */
export class Albums {
  /**
   * @param {(filter: string) => void} onChoose
   * @param {import("../core/tray.js").Tray} tray
   */
  constructor(onChoose, tray) {
    this.onChoose = onChoose;
    this.tray = tray;
    /** @type {{album: string, count: number}[]} */
    this.albums = [];
    this.list = el("ul");
    this.element = el("nav.albums", { "aria-label": t("albums.label") }, el("h2", {}, t("albums.label")), this.list);
  }

  async load() {
    const { albums } = await get("albums");
    this.albums = albums;
    this.draw();
  }

  /** @param {string} [filter] what is shown now */
  draw(filter = this.filter ?? "") {
    this.filter = filter;
    // A button that is about to be pressed stays.
    const look = JSON.stringify([filter, this.albums]);
    if (look === this.drawn) return;
    this.drawn = look;
    const entry = (name, count, wanted) => {
      const button = el("button", { type: "button", "aria-current": wanted === filter ? "true" : null, onclick: () => this.onChoose(wanted) },
        el("span.name", {}, name), count !== null && el("span.count", {}, number(count)));
      if (count !== null) this.takesDrops(button, name);
      return el("li", {}, button);
    };
    this.list.replaceChildren(entry(t("albums.all"), null, ""),
      ...this.albums.map(({ album, count }) => entry(album, count, `album = ${quoted(album)}`)),
      this.albums.length ? "" : el("li.note", {}, t("albums.none")));
  }

  takesDrops(button, album) {
    button.addEventListener("dragover", (event) => {
      if (!event.dataTransfer.types.includes("application/x-liveedit")) return;
      event.preventDefault();
      button.classList.add("target");
    });
    button.addEventListener("dragleave", () => button.classList.remove("target"));
    button.addEventListener("drop", (event) => {
      event.preventDefault();
      button.classList.remove("target");
      this.change("add", album, JSON.parse(event.dataTransfer.getData("application/x-liveedit")));
    });
  }

  /** Adds assets to an album or takes them out, and says so. */
  async change(action, album, ids) {
    try {
      const answer = await post("albums", { action, album, assets: ids });
      const failed = answer.results.find((result) => result.status === "failed");
      if (failed) this.tray.tell(sentence(failed), true);
      else this.tray.tell(t(action === "add" ? "albums.added" : "albums.removed", { count: ids.length, album }));
      await this.load();
    } catch (error) {
      this.tray.tell(error.message, true);
    }
  }

  /**
   * Asks for an album, an old one or a new one, and adds assets to it.
   * @param {import("../core/api.js").Asset[]} items
   */
  ask(items) {
    const ids = items.map((item) => item.id);
    const name = /** @type {HTMLInputElement} */ (el("input", { type: "text", maxlength: "200", required: true, "aria-label": t("albums.name"), placeholder: t("albums.new") }));
    const add = (album) => { dialog.close(); this.change("add", album, ids); };
    const here = this.albums.find(({ album }) => this.filter === `album = ${quoted(album)}`)?.album;
    const dialog = openDialog(t("albums.add.title"),
      el("div.choices", {}, ...this.albums.map(({ album, count }) => el("button.wide", { type: "button", onclick: () => add(album) }, album, el("span.count", {}, number(count))))),
      el("form.line", { onsubmit: (event) => { event.preventDefault(); if (name.value.trim()) add(name.value.trim()); } }, name, el("button", { type: "submit" }, t("albums.add"))),
      here ? el("button.wide", { type: "button", onclick: () => { dialog.close(); this.change("remove", here, ids); } }, t("albums.remove", { album: here })) : "");
  }
}
