import { el } from "../core/dom.js";
import { get, post } from "../core/api.js";
import { openDialog } from "../core/dialog.js";
import { number, t } from "../core/strings.js";
import { sentence } from "../core/tray.js";

/**
 * Returns a text quoted for use in a filter.
 * @param {string} text
 */
export function quoted(text) { return `"${text.replace(/[\\"]/g, "\\$&")}"`; }

/** The panel at the side: albums, to which pictures can be dragged. */
export class Albums {
  /**
   * @param {(filter: string) => void} onChoose
   * @param {import("../core/tray.js").Tray} tray
   */
  constructor(onChoose, tray) {
    this.onChoose = onChoose;
    this.tray = tray;
    /** The current filter. */
    this.filter = "";
    /** The buttons that were drawn last, as JSON. */
    this.drawn = "";
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

  /** @param {string} [filter] the current filter */
  draw(filter = this.filter) {
    this.filter = filter;
    // A button that is about to be pressed is not replaced.
    const look = JSON.stringify([filter, this.albums]);
    if (look === this.drawn) return;
    this.drawn = look;
    /** @param {string} name @param {number|null} count @param {string} wanted the filter of the button */
    const entry = (name, count, wanted) => {
      const current = wanted === filter ? "true" : null;
      const button = el("button", { type: "button", "aria-current": current, onclick: () => this.onChoose(wanted) },
        el("span.name", {}, name), count !== null && el("span.count", {}, number(count)));
      if (count !== null) this.takesDrops(button, name);
      return el("li", {}, button);
    };
    this.list.replaceChildren(entry(t("albums.all"), null, ""),
      ...this.albums.map(({ album, count }) => entry(album, count, `album = ${quoted(album)}`)),
      this.albums.length ? "" : el("li.note", {}, t("albums.none")));
  }

  /**
   * Lets assets be dragged to an album.
   * @param {HTMLElement} button
   * @param {string} album
   */
  takesDrops(button, album) {
    button.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("application/x-liveedit")) return;
      event.preventDefault();
      button.classList.add("target");
    });
    button.addEventListener("dragleave", () => button.classList.remove("target"));
    button.addEventListener("drop", (event) => {
      event.preventDefault();
      button.classList.remove("target");
      this.change("add", album, JSON.parse(event.dataTransfer?.getData("application/x-liveedit") ?? "[]"));
    });
  }

  /**
   * Adds assets to an album or removes them, and reports the result.
   * @param {"add"|"remove"} action
   * @param {string} album
   * @param {string[]} ids
   */
  async change(action, album, ids) {
    try {
      /** @type {{results: import("../core/types").Result[]}} */
      const { results } = await post("albums", { action, album, assets: ids });
      const failed = results.find((result) => result.status === "failed");
      if (failed) this.tray.tell(sentence(failed), true);
      else this.tray.tell(t(action === "add" ? "albums.added" : "albums.removed", { count: ids.length, album }));
      await this.load();
    } catch (error) {
      this.tray.tell(error.message, true);
    }
  }

  /**
   * Asks for an existing or new album, and adds assets to it.
   * @param {import("../core/types").Asset[]} items
   */
  ask(items) {
    const ids = items.map((item) => item.id);
    const name = el("input", {
      type: "text", maxlength: "200", required: true, "aria-label": t("albums.name"), placeholder: t("albums.new"),
    });
    /** @param {"add"|"remove"} action @param {string} album */
    const change = (action, album) => { dialog.close(); this.change(action, album, ids); };
    const submitted = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      if (name.value.trim()) change("add", name.value.trim());
    };
    const here = this.albums.find(({ album }) => this.filter === `album = ${quoted(album)}`)?.album;
    const dialog = openDialog(t("albums.add.title"),
      el("div.choices", {}, ...this.albums.map(({ album, count }) => (
        el("button.wide", { type: "button", onclick: () => change("add", album) }, album,
          el("span.count", {}, number(count)))
      ))),
      el("form.line", { onsubmit: submitted }, name, el("button", { type: "submit" }, t("albums.add"))),
      here && el("button.wide", { type: "button", onclick: () => change("remove", here) },
        t("albums.remove", { album: here })));
  }
}
