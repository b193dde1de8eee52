import { announce } from "./dom.js";
import { post } from "./api.js";
import { presetName } from "./presetbutton.js";
import { t } from "./strings.js";
import { sentence } from "./tray.js";

/** @typedef {import("./types").Asset} Asset */
/** @typedef {import("./types").Change} Change */

/**
 * Edits that take a single click, in the form that the server accepts.
 * @type {Record<"turnRight"|"turnLeft"|"flipHorizontal"|"flipVertical"|"auto"|"revert"|"redo", Change>}
 */
export const CHANGES = {
  turnRight: { type: "turn", degrees: 90 }, turnLeft: { type: "turn", degrees: -90 },
  flipHorizontal: { type: "flip", axis: "horizontal" }, flipVertical: { type: "flip", axis: "vertical" },
  auto: { type: "auto" }, revert: { type: "revert", to: "previous" }, redo: { type: "redo" },
};

/**
 * All actions on assets. A longer action is a job in the tray, which also shows why the action failed. The actions
 * return false if they couldn't be started.
 */
export class Actions {
  /**
   * @param {import("./assets.js").AssetList} assets
   * @param {import("./tray.js").Tray} tray
   * @param {{share: (items: Asset[]) => void, album: (items: Asset[]) => void}} dialogs
   */
  constructor(assets, tray, dialogs) {
    this.assets = assets;
    this.tray = tray;
    this.dialogs = dialogs;
    /**
     * The change that pasting applies.
     * @type {Change|null}
     */
    this.copied = null;
  }

  /**
   * Shows an error message.
   * @param {string} message
   */
  fail(message) { this.tray.tell(message, true); }

  /**
   * Performs an action on assets, if there are any.
   * @param {Asset[]} items
   * @param {() => unknown} work
   * @returns {Promise<boolean>} false if the action couldn't be started
   */
  async attempt(items, work) {
    if (!items.length) return false;
    try {
      await work();
      return true;
    } catch (error) {
      this.fail(error.message);
      return false;
    }
  }

  /**
   * Changes the edits of assets.
   * @param {Asset[]} items
   * @param {Change} change
   */
  edit(items, change) {
    const ids = items.map((item) => item.id);
    return this.attempt(items, async () => {
      const answer = await post("edits", { assets: ids, change });
      this.tray.follow(answer.job, (ended) => {
        // The page has shown the change before it was made.
        if (ended.state !== "done") this.assets.dispatchEvent(new CustomEvent("undone", { detail: ids }));
      });
    });
  }

  /** @param {Asset[]} items @param {number} number the number of the version; 0 is the original */
  goTo(items, number) { return this.edit(items, { type: "revert", to: number === 0 ? "original" : number }); }

  /** @param {Asset[]} items @param {string} preset */
  preset(items, preset, intensity = 1) {
    if (items.length) announce(t("preset.applying", { preset: presetName({ preset, isOwn: false }) }));
    return this.edit(items, { type: "apply", presets: [preset], intensity, replace: true });
  }

  /** @param {Asset[]} items the assets; the edit of the first one is copied */
  copy(items) {
    return this.attempt(items, () => this.remember(items[0], { type: "copy", from: items[0].id }));
  }

  /**
   * Stores an edit of an asset for pasting.
   * @param {Asset} item
   * @param {Change} change
   */
  remember(item, change) {
    this.copied = change;
    announce(t("edit.copied", { name: item.name }));
    this.tray.tell(t("edit.copied", { name: item.name }));
  }

  /** @param {Asset[]} items */
  paste(items) { return this.copied ? this.edit(items, this.copied) : Promise.resolve(true); }

  /** @param {Asset[]} items */
  favourite(items) {
    const favourite = !items.every((item) => item.favourite);
    return this.mark(items, { favourite }, t(favourite ? "action.favourite" : "action.unfavourite"));
  }

  /** @param {Asset[]} items */
  hide(items) {
    const hidden = !items.every((item) => item.hidden);
    return this.mark(items, { hidden }, t(hidden ? "action.hide" : "action.unhide"));
  }

  /** @param {Asset[]} items */
  share(items) { return this.attempt(items, () => this.dialogs.share(items)); }

  /** @param {Asset[]} items */
  album(items) { return this.attempt(items, () => this.dialogs.album(items)); }

  /**
   * Shows marks at once, and removes the marks that the server refuses.
   * @param {Asset[]} items
   * @param {{favourite: boolean}|{hidden: boolean}} marks
   * @param {string} spoken the announcement for screen readers
   */
  mark(items, marks, spoken) {
    return this.attempt(items, async () => {
      for (const item of items) this.assets.replace({ ...item, ...marks });
      const ids = items.map((item) => item.id);
      /** @type {{results: import("./types").Result[]}} */
      const { results } = await post("marks", { assets: ids, ...marks }).catch((error) => {
        for (const item of items) this.assets.replace(item);
        throw error;
      });
      const failed = results.filter((result) => result.status === "failed");
      if (failed.length) {
        this.assets.refresh(failed.map((result) => result.asset));
        this.fail(sentence(failed[0]));
      }
      announce(spoken);
    });
  }
}
