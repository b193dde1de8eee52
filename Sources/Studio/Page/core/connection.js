import { announce, el } from "./dom.js";
import { t } from "./strings.js";

/** @typedef {{mode: string, server: string}} Greeting */
/**
 * @typedef {{assets?: string[], all?: boolean}} Changes the changed assets; `all` is true if others may have changed
 *   too
 */

/** Keeps the page up to date with the server, and shows a banner while the server does not respond. */
export class Connection {
  /**
   * @param {import("./events.js").Events} events
   * @param {import("./assets.js").AssetList} assets
   * @param {import("./tray.js").Tray} tray
   * @param {{loadAlbums: () => Promise<void>, onBack: () => void}} callbacks `onBack` is called when the server
   *   responds again
   */
  constructor(events, assets, tray, { loadAlbums, onBack }) {
    this.assets = assets;
    this.tray = tray;
    this.loadAlbums = loadAlbums;
    this.onBack = onBack;
    this.banner = el("p.banner", { role: "alert", hidden: true });
    /**
     * The server's latest greeting.
     * @type {Greeting|null}
     */
    this.greeting = null;
    /** True if the event stream was interrupted after the greeting. */
    this.wasLost = false;
    this.waiting = { ids: new Set(), all: false, timer: 0 };
    events.addEventListener("change", (/** @type {CustomEvent<Changes>} */ { detail }) => this.changed(detail));
    events.addEventListener("hello", (/** @type {CustomEvent<Greeting>} */ { detail }) => this.greeted(detail));
    events.addEventListener("job", (/** @type {CustomEvent<import("./types").Job>} */ { detail }) => {
      tray.update(detail);
      // After the last job has ended, a hidden tab stops listening.
      events.listen();
    });
    events.addEventListener("lost", () => {
      this.wasLost = true;
      this.tell(t("server.gone"));
    });
    events.addEventListener("bye", () => this.tell(t("server.bye")));
  }

  /**
   * Shows a banner about a problem with the server. The user cannot dismiss the banner.
   * @param {string} sentence
   */
  tell(sentence) {
    this.banner.textContent = sentence;
    this.banner.hidden = !sentence;
  }

  /**
   * Handles a greeting, which the server sends at first and when it responds again.
   * @param {Greeting} greeting
   */
  greeted(greeting) {
    const { greeting: before, wasLost } = this;
    const isNew = before !== null && before.server !== greeting.server;
    this.greeting = greeting;
    this.wasLost = false;
    if (wasLost || isNew) {
      announce(t("server.back"));
      this.tell("");
      this.onBack();
    }
    // Earlier events are not sent again, so the state is requested. At the first greeting, the requests are delayed to
    // let the page load first.
    setTimeout(() => {
      this.tray.load(isNew).catch(() => {});
      this.loadAlbums().catch(() => {});
      // A server that does not respond is reported by the event stream.
      this.assets.load().catch((error) => { if (error.status) this.tell(error.message); });
    }, before || wasLost ? 0 : 1500);
  }

  /**
   * Collects changes in the folders for a moment, and then applies all of them at once.
   * @param {Changes} changes
   */
  changed({ assets: ids = [], all = false }) {
    for (const id of ids) this.waiting.ids.add(id);
    this.waiting.all ||= all;
    clearTimeout(this.waiting.timer);
    this.waiting.timer = setTimeout(async () => {
      const { ids: many, all: isAll } = this.waiting;
      this.waiting = { ids: new Set(), all: false, timer: 0 };
      await this.assets.refresh([...many]);
      // New assets may have appeared, and rotation changes aspect ratios.
      if (isAll || many.size) await this.assets.load().catch(() => {});
    }, 150);
  }
}
