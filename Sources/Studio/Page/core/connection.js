import { announce, el } from "./dom.js";
import { t } from "./strings.js";

/** @typedef {{mode: string, server: string}} Greeting */
/**
 * @typedef {{assets?: string[], all?: boolean}} Changes the assets that changed; `all` if others may have changed, too
 */

/** Keeps the page up to date with the server, and shows a banner while the server does not answer. */
export class Connection {
  /**
   * @param {import("./events.js").Events} events
   * @param {import("./assets.js").AssetList} assets
   * @param {import("./tray.js").Tray} tray
   * @param {{loadAlbums: () => Promise<void>, onBack: () => void}} callbacks `onBack` is called when the server answers
   *   again
   */
  constructor(events, assets, tray, { loadAlbums, onBack }) {
    this.assets = assets;
    this.tray = tray;
    this.loadAlbums = loadAlbums;
    this.onBack = onBack;
    this.banner = el("p.banner", { role: "alert", hidden: true });
    /**
     * What the server said when it answered last.
     * @type {Greeting|null}
     */
    this.greeting = null;
    /** True if the stream of events broke after that. */
    this.wasLost = false;
    this.waiting = { ids: new Set(), all: false, timer: 0 };
    events.addEventListener("change", (/** @type {CustomEvent<Changes>} */ { detail }) => this.changed(detail));
    events.addEventListener("hello", (/** @type {CustomEvent<Greeting>} */ { detail }) => this.greeted(detail));
    events.addEventListener("job", (/** @type {CustomEvent<import("./types").Job>} */ { detail }) => {
      tray.update(detail);
      // Once the last one has ended a tab that nobody sees hears no more.
      events.listen();
    });
    events.addEventListener("lost", () => {
      this.wasLost = true;
      this.tell(t("server.gone"));
    });
    events.addEventListener("bye", () => this.tell(t("server.bye")));
  }

  /**
   * Says above everything what is wrong with the server; nothing takes it away.
   * @param {string} sentence
   */
  tell(sentence) {
    this.banner.textContent = sentence;
    this.banner.hidden = !sentence;
  }

  /**
   * The server answers, for the first time or again.
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
    // What happened before is not told: it is asked for, the first time when there is nothing else to do.
    setTimeout(() => {
      this.tray.load(isNew).catch(() => {});
      this.loadAlbums().catch(() => {});
      // Who does not answer is told by the stream of events.
      this.assets.load().catch((error) => { if (error.status) this.tell(error.message); });
    }, before || wasLost ? 0 : 1500);
  }

  /**
   * Takes over what changed in the folders, a moment later and all at once.
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
      // Others may have come, and shapes change where pictures are turned.
      if (isAll || many.size) await this.assets.load().catch(() => {});
    }, 150);
  }
}
