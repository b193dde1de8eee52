import { get, address } from "./api.js";
import { Latest } from "./latest.js";

/** @typedef {import("./types").Asset} Asset */

const PAGE = 200;

/** The list of displayed assets. Its parts are requested when they come into view. */
export class AssetList extends EventTarget {
  constructor() {
    super();
    this.count = 0;
    /** @type {import("./types").PlacedSection[]} */
    this.sections = [];
    /** @type {import("./types").Query} */
    this.query = { filter: "", sort: "", hidden: false };
    /** The query of the list that is being loaded. */
    this.wanted = this.query;
    this.view = "";
    this.isLoaded = false;
    /** @type {(Asset|null)[]} */
    this.items = [];
    /** @type {Map<string, number>} */
    this.places = new Map();
    /** @type {Map<number, Promise<void>>} */
    this.pages = new Map();
    /** The requests for the list. */
    this.lists = new Latest();
    /**
     * The loading of the current or latest list.
     * @type {Promise<void>}
     */
    this.loading = Promise.resolve();
    /** The indices in view. A new list is shown only after these assets have been loaded. */
    this.looked = { first: 0, last: 0 };
  }

  /**
   * Reloads the list. The loaded assets stay visible until the new list has arrived.
   * @param {Partial<import("./types").Query>} [query]
   */
  load(query = {}) { return (this.loading = this.renew(query)); }

  /** @param {Partial<import("./types").Query>} query */
  async renew(query) {
    const signal = this.lists.begin();
    const wanted = { ...this.wanted, ...query };
    this.wanted = wanted;
    const giveUp = (/** @type {Error} */ error) => {
      if (!signal.aborted) this.wanted = this.query;
      throw error;
    };
    /** @type {import("./types").SectionsAnswer} */
    const answer = await get(address("sections", wanted)).catch(giveUp);
    const isSameQuery = JSON.stringify(wanted) === JSON.stringify(this.query);
    const first = isSameQuery ? Math.max(0, Math.min(this.looked.first, answer.count - PAGE)) : 0;
    const limit = this.isLoaded ? 2 * PAGE : PAGE;
    const page = { ...wanted, offset: first, limit, view: answer.view };
    /** @type {import("./types").AssetsAnswer} */
    const seen = await get(address("assets", page)).catch(giveUp);
    if (signal.aborted) return;
    this.query = wanted;
    let start = 0;
    this.sections = answer.sections.map((section) => {
      const placed = { ...section, first: start };
      start += section.count;
      return placed;
    });
    this.count = answer.count;
    this.view = answer.view;
    this.items = new Array(this.count);
    this.places = new Map();
    this.pages = new Map();
    seen.assets.forEach((item, index) => this.put(first + index, item));
    this.isLoaded = true;
    this.dispatchEvent(new Event("list"));
  }

  /**
   * Returns an asset if it is loaded; otherwise requests it.
   * @param {number} index
   * @returns {Asset|null}
   */
  at(index) {
    if (index < 0 || index >= this.count) return null;
    if (!this.items[index]) this.page(Math.floor(index / PAGE));
    return this.items[index] ?? null;
  }

  /**
   * Returns an asset as soon as it is loaded; null if another list replaced this one first.
   * @param {number} index
   * @returns {Promise<Asset|null>}
   */
  async item(index) {
    if (index < 0 || index >= this.count) return null;
    const { view } = this;
    if (!this.items[index]) await this.page(Math.floor(index / PAGE));
    return view === this.view ? this.items[index] ?? null : null;
  }

  /**
   * Returns the names of the assets between two indices.
   * @returns {Promise<string[]|null>} null if another list replaced this one in the meantime
   */
  async ids(first = 0, last = this.count - 1) {
    /** @type {string[]} */
    const known = [];
    for (const item of this.items.slice(first, last + 1)) {
      if (!item) break;
      known.push(item.id);
    }
    if (known.length > last - first) return known;
    const { view } = this;
    try {
      const { assets } = await get(address("names", { view, offset: first, limit: last - first + 1 }));
      return view === this.view ? assets : null;
    } catch (error) {
      if (view !== this.view) return null;
      if (error.status !== 409) throw error;
      // The server no longer keeps this list, so a new one is requested.
      await this.load();
      return null;
    }
  }

  /** Returns the names of all assets in the list, or in the list that is being loaded. */
  async allIds() {
    for (;;) {
      await this.loading.catch(() => {});
      const ids = await this.ids();
      if (ids) return ids;
    }
  }

  /**
   * Returns the index of an asset in the whole list; -1 if the list does not contain it.
   * @param {string} id
   */
  async find(id) { return this.places.get(id) ?? (await this.allIds()).indexOf(id); }

  /**
   * Returns the index of an asset in the list; -1 if the list does not contain it or has not loaded it yet.
   * @param {string} id
   */
  place(id) { return this.places.get(id) ?? -1; }

  /** @param {string} id */
  byId(id) { return this.items[this.place(id)] ?? null; }

  /** @param {number} number */
  page(number) {
    const known = this.pages.get(number);
    if (known) return known;
    const { view } = this;
    const offset = number * PAGE;
    const asked = get(address("assets", { ...this.query, offset, limit: PAGE, view }));
    const promise = asked.then((/** @type {import("./types").AssetsAnswer} */ { assets }) => {
      if (view !== this.view) return;
      assets.forEach((item, index) => this.put(offset + index, item));
      this.dispatchEvent(new CustomEvent("items", { detail: { first: offset, count: assets.length } }));
    }, (error) => {
      if (view !== this.view) return;
      this.pages.delete(number);
      // The server no longer keeps this list, so a new one is requested.
      if (error.status === 409) this.load().catch(() => {});
    });
    this.pages.set(number, promise);
    return promise;
  }

  /** @param {number} index @param {Asset|null} item */
  put(index, item) {
    this.items[index] = item;
    if (item) this.places.set(item.id, index);
  }

  /**
   * Requests changed assets again if they are loaded.
   * @param {string[]} ids
   */
  async refresh(ids) {
    for (const id of ids) {
      const index = this.place(id);
      if (index < 0) continue;
      const { view } = this;
      const answer = await get(`assets/${encodeURIComponent(id)}`).catch(() => null);
      if (view !== this.view) return;
      if (answer) this.replace(answer.asset);
    }
  }

  /**
   * Replaces an asset with its new state.
   * @param {Asset} item
   */
  replace(item) {
    const index = this.place(item.id);
    if (index < 0) return;
    this.put(index, item);
    this.dispatchEvent(new CustomEvent("items", { detail: { first: index, count: 1 } }));
  }
}
