import { el, isTyping } from "../core/dom.js";
import { post } from "../core/api.js";
import { firstAbove, layOut } from "./layout.js";
import { month, t } from "../core/strings.js";
import { Tile } from "./tile.js";

/**
 * Returns the name of this tab, by which the server distinguishes the tab's view from those of other tabs. The name
 * survives a reload.
 */
function pageName() {
  let name = sessionStorage.getItem("liveedit.page");
  if (!name) sessionStorage.setItem("liveedit.page", (name = Math.random().toString(36).slice(2)));
  return name;
}

/** The grid of all assets. The page contains only the tiles that are in view, and a few more. */
export class Grid {
  /**
   * @param {import("../core/assets.js").AssetList} assets
   * @param {import("./selection.js").Selection} selection
   * @param {{onOpen: (index: number) => void, inFront: () => string[]}} callbacks `onOpen` opens an asset; `inFront`
   *   returns the assets that are shown in front of the grid
   */
  constructor(assets, selection, { onOpen, inFront }) {
    this.assets = assets;
    this.selection = selection;
    this.onOpen = onOpen;
    this.inFront = inFront;
    /** @type {Map<number, Tile>} */
    this.tiles = new Map();
    this.current = 0;
    /** @type {string|undefined} */
    this.currentId = undefined;
    /** A key that identifies the drawn headings. */
    this.headingKey = "";
    /** The asset that was selected last, at which a range begins. */
    this.lastSelected = "";
    /** @type {import("./layout.js").Layout} */
    this.plan = { rows: [], headings: [], height: 0 };
    this.headingLayer = el("div.headings");
    this.list = el("div.tiles", { role: "listbox", "aria-multiselectable": "true", "aria-label": t("grid.label") });
    this.note = el("p.note", {}, t("grid.loading"));
    this.canvas = el("div.canvas", {}, this.headingLayer, this.list);
    this.years = el("nav.years", { "aria-label": t("years.label") });
    this.sticky = el("div.sticky", { "aria-hidden": "true" });
    this.scroller = el("div.scroller", { tabindex: "-1" }, this.note, this.canvas);
    this.element = el("section.grid", { "aria-label": t("grid.label") }, this.sticky, this.scroller, this.years);
    this.scroller.addEventListener("scroll", () => this.schedule(), { passive: true });
    this.list.addEventListener("keydown", (event) => this.keyed(event));
    this.list.addEventListener("dragstart", (event) => this.dragged(event));
    new ResizeObserver(() => this.relayout()).observe(this.scroller);
    assets.addEventListener("list", () => this.relayout());
    assets.addEventListener("items", () => this.schedule());
    selection.addEventListener("change", () => this.schedule());
  }

  /** Computes the layout. */
  relayout() {
    const width = this.scroller.clientWidth - 2 * this.margin();
    if (width <= 0 || !this.assets.isLoaded) return;
    const anchor = this.anchor();
    const height = width < 500 ? 120 : width < 1000 ? 160 : width < 1800 ? 200 : 260;
    this.plan = layOut(this.assets.sections, width, { height, gap: 4, heading: 44 });
    this.canvas.style.height = `${this.plan.height}px`;
    this.note.textContent = this.assets.count ? "" : t(this.assets.query.filter ? "grid.none" : "grid.empty");
    this.note.hidden = this.assets.count > 0;
    this.headingKey = "";
    const place = this.assets.place(this.currentId ?? "");
    this.move(place >= 0 ? place : Math.min(this.current, Math.max(this.assets.count - 1, 0)));
    this.drawYears();
    if (anchor) this.scroller.scrollTop = this.topOf(anchor.index) - anchor.offset;
    const hadFocus = this.list.contains(document.activeElement);
    this.draw();
    if (hadFocus && document.activeElement !== this.tiles.get(this.current)?.element) this.focus(this.current);
  }

  margin() { return this.scroller.clientWidth < 600 ? 4 : 16; }

  /** Returns the asset at the upper edge, so that it can stay there when the layout changes. */
  anchor() {
    const top = this.scroller.scrollTop;
    if (top < 1 || !this.plan.rows.length) return null;
    const row = this.plan.rows[Math.max(0, firstAbove(this.plan.rows, top, (row) => row.top) - 1)];
    return { index: row.first, offset: row.top - top };
  }

  /** @param {number} index */
  rowOf(index) { return Math.max(0, firstAbove(this.plan.rows, index, (row) => row.first) - 1); }

  /** @param {number} index */
  topOf(index) { return this.plan.rows[this.rowOf(index)]?.top ?? 0; }

  schedule() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => { this.frame = 0; this.draw(); });
  }

  /** Adds the tiles that came into view, and removes those that left it. */
  draw() {
    const { rows } = this.plan;
    if (!rows.length) {
      this.headingLayer.replaceChildren();
      this.sticky.classList.remove("shown");
      for (const tile of this.tiles.values()) tile.remove();
      this.tiles.clear();
      return;
    }
    const top = this.scroller.scrollTop;
    const room = this.scroller.clientHeight;
    const margin = this.margin();
    const from = Math.max(0, firstAbove(rows, top - room, (row) => row.top + row.height) - 1);
    const to = firstAbove(rows, top + 2 * room, (row) => row.top);
    const needed = new Set();
    this.assets.looked = { first: rows[from].first, last: rows[Math.min(to, rows.length) - 1].first };
    for (const row of rows.slice(from, to)) {
      row.lefts.forEach((left, offset) => {
        const index = row.first + offset;
        needed.add(index);
        let tile = this.tiles.get(index);
        if (!tile) {
          tile = new Tile(index, {
            onOpen: this.onOpen, onSelect: (at, isRange) => this.select(at, isRange), onFocus: (at) => this.move(at),
          });
          this.tiles.set(index, tile);
          this.list.append(tile.element);
        }
        tile.place(left + margin, row.top, row.widths[offset], row.height);
        const item = this.assets.at(index);
        const isSelected = item ? this.selection.has(item.id) : false;
        tile.show(item, { isSelected, isCurrent: index === this.current, count: this.assets.count });
      });
    }
    for (const [index, tile] of this.tiles) {
      // The focused tile is kept while it is out of sight.
      if (needed.has(index) || (tile.element === document.activeElement && index < this.assets.count)) continue;
      tile.remove();
      this.tiles.delete(index);
    }
    if (!this.tiles.has(this.current)) {
      const first = this.tiles.get(rows[Math.min(from, rows.length - 1)].first);
      if (first) first.element.tabIndex = 0;
    }
    this.drawHeadings(top, room);
    this.tellView(top, room);
  }

  /** @param {number} top @param {number} room */
  drawHeadings(top, room) {
    const { headings } = this.plan;
    const from = Math.max(0, firstAbove(headings, top - room, (heading) => heading.top) - 1);
    const to = firstAbove(headings, top + 2 * room, (heading) => heading.top);
    const key = `${from}-${to}-${this.plan.height}`;
    const now = Math.max(0, firstAbove(headings, top, (heading) => heading.top) - 1);
    this.sticky.textContent = this.name(headings[now]);
    this.sticky.classList.toggle("shown", top > headings[now].top + 12);
    if (key === this.headingKey) return;
    this.headingKey = key;
    this.headingLayer.replaceChildren(...headings.slice(from, to).map((heading) => {
      const count = el("span.count", {}, t("grid.count", { count: heading.count }));
      const element = el("h2", {}, this.name(heading), count);
      element.style.top = `${heading.top}px`;
      return element;
    }));
  }

  /** @param {import("./layout.js").Heading} heading */
  name(heading) {
    if (heading.month) return month(heading.month);
    return this.plan.headings.length > 1 ? t("grid.noDate") : t("albums.all");
  }

  /** Draws years beside the pictures, at the height at which they begin. */
  drawYears() {
    /** @type {{year: string, top: number}[]} */
    const years = [];
    for (const heading of this.plan.headings) {
      const year = heading.month?.slice(0, 4);
      if (year && years.at(-1)?.year !== year) years.push({ year, top: heading.top });
    }
    this.years.hidden = years.length < 2;
    let last = -Infinity;
    this.years.replaceChildren(...years.filter(({ top }) => {
      // Buttons need space.
      const share = top / Math.max(this.plan.height, 1);
      if (share - last < 0.045) return false;
      last = share;
      return true;
    }).map(({ year, top }) => {
      const button = el("button", { type: "button", onclick: () => { this.scroller.scrollTop = top; } }, year);
      button.style.top = `${(95 * top) / Math.max(this.plan.height, 1)}%`;
      return button;
    }));
  }

  /**
   * Tells the server which assets are visible, nearest first, so that their pictures are created before others.
   * @param {number} top
   * @param {number} room
   */
  tellView(top, room) {
    clearTimeout(this.viewTimer);
    this.viewTimer = setTimeout(() => {
      const middle = top + room / 2;
      const distance = (/** @type {Tile} */ tile) => Math.abs(parseFloat(tile.element.style.top) - middle);
      const near = [...this.tiles.values()].sort((one, other) => distance(one) - distance(other));
      const seen = near.flatMap((tile) => (tile.item ? [tile.item.id] : []));
      const ids = [...new Set([...this.inFront(), ...seen])].slice(0, 1000);
      if (ids.length && ids.join() !== this.toldView) {
        this.toldView = ids.join();
        post("view", { assets: ids, page: pageName() }).catch(() => {});
      }
    }, 120);
  }

  /** @param {number} index @param {boolean} isRange */
  async select(index, isRange) {
    const item = await this.assets.item(index);
    if (!item) return;
    // A reloaded list may no longer contain that asset.
    const last = isRange && this.lastSelected ? await this.assets.find(this.lastSelected).catch(() => -1) : -1;
    if (last < 0) this.selection.toggle(item.id);
    else this.take(this.assets.ids(Math.min(last, index), Math.max(last, index)));
    this.lastSelected = item.id;
    this.focus(index);
  }

  /**
   * Selects assets as soon as their names are known, unless another list is requested by then.
   * @param {Promise<string[]|null>} names
   */
  async take(names) {
    const wanted = JSON.stringify(this.assets.wanted);
    const ids = await names.catch(() => null);
    if (ids && wanted === JSON.stringify(this.assets.wanted)) this.selection.add(ids);
  }

  /**
   * Stores the position of the focus, also for when the list changes.
   * @param {number} index
   */
  move(index) {
    this.current = index;
    this.currentId = this.assets.items[index]?.id;
  }

  /**
   * Focuses an asset and scrolls it into view.
   * @param {number} index
   */
  focus(index) {
    this.move(index);
    const row = this.plan.rows[this.rowOf(index)];
    if (!row) return;
    const { scrollTop, clientHeight } = this.scroller;
    if (row.top < scrollTop + 44) this.scroller.scrollTop = row.top - 48;
    else if (row.top + row.height > scrollTop + clientHeight) {
      this.scroller.scrollTop = row.top + row.height - clientHeight + 8;
    }
    this.draw();
    for (const tile of this.tiles.values()) tile.element.tabIndex = tile.index === index ? 0 : -1;
    this.tiles.get(index)?.element.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (isTyping(event.target) || event.altKey) return;
    const last = this.assets.count - 1;
    /** @type {Record<string, () => number>} */
    const moves = {
      ArrowRight: () => this.current + 1, ArrowLeft: () => this.current - 1, Home: () => 0, End: () => last,
      ArrowDown: () => this.beside(1), ArrowUp: () => this.beside(-1),
      PageDown: () => this.beside(4), PageUp: () => this.beside(-4),
    };
    const move = moves[event.key];
    if (move && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const from = this.current;
      const to = Math.min(Math.max(move(), 0), last);
      this.focus(to);
      if (event.shiftKey) this.take(this.assets.ids(Math.min(from, to), Math.max(from, to)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.onOpen(this.current);
    } else if (event.key === " ") {
      event.preventDefault();
      this.select(this.current, event.shiftKey);
    } else if (event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.take(this.assets.allIds());
    }
  }

  /**
   * Returns the asset some rows below or above whose centre is nearest.
   * @param {number} rows
   */
  beside(rows) {
    const number = this.rowOf(this.current);
    const row = this.plan.rows[number];
    const target = this.plan.rows[Math.min(Math.max(number + rows, 0), this.plan.rows.length - 1)];
    if (!row || !target) return this.current;
    const at = this.current - row.first;
    const middle = row.lefts[at] + row.widths[at] / 2;
    let best = 0;
    /** @param {number} index */
    const distance = (index) => Math.abs(target.lefts[index] + target.widths[index] / 2 - middle);
    target.lefts.forEach((_, index) => {
      if (distance(index) < distance(best)) best = index;
    });
    return target.first + best;
  }

  /** @param {DragEvent} event */
  dragged(event) {
    const { target, dataTransfer } = event;
    const tile = [...this.tiles.values()].find((one) => target instanceof Node && one.element.contains(target));
    if (!tile?.item || !dataTransfer) { event.preventDefault(); return; }
    const ids = this.selection.has(tile.item.id) ? this.selection.ids : [tile.item.id];
    dataTransfer.setData("application/x-liveedit", JSON.stringify(ids));
    dataTransfer.effectAllowed = "copy";
  }
}
