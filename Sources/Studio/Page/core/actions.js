import { announce } from "./dom.js";
import { post } from "./api.js";
import { presetName } from "./presetbutton.js";
import { t } from "./strings.js";
import { sentence } from "./tray.js";

/** Edits of one press, as the server takes them. */
export const CHANGES = {
  turnRight: { type: "turn", degrees: 90 }, turnLeft: { type: "turn", degrees: -90 },
  flipHorizontal: { type: "flip", axis: "horizontal" }, flipVertical: { type: "flip", axis: "vertical" }, auto: { type: "auto" },
};

/** All that can be done with assets. Each is heard at once, and told as a job when it takes its time. */
export class Actions {
  /**
   * @param {import("./assets.js").AssetList} assets
   * @param {import("./tray.js").Tray} tray
   * @param {{share: Function, album: Function}} dialogs
   */
  constructor(assets, tray, dialogs) {
    this.assets = assets;
    this.tray = tray;
    this.dialogs = dialogs;
    /** @type {{change: any}|null} what pasting does */
    this.copied = null;
  }

  /** Tells a sentence that something failed. */
  fail(message) { this.tray.tell(message, true); }

  /**
   * Does something with assets.
   * @param {string} action
   * @param {import("./api.js").Asset[]} items
   * @returns {Promise<boolean>} false if it could not be begun
   */
  async run(action, items, ...values) {
    if (!items.length) return false;
    try {
      await this[action](items, ...values);
      return true;
    } catch (error) {
      this.fail(error.message);
      return false;
    }
  }

  turnRight(items) { return this.edit(items, CHANGES.turnRight); }
  turnLeft(items) { return this.edit(items, CHANGES.turnLeft); }
  flipHorizontal(items) { return this.edit(items, CHANGES.flipHorizontal); }
  flipVertical(items) { return this.edit(items, CHANGES.flipVertical); }
  auto(items) { return this.edit(items, CHANGES.auto); }
  revert(items) { return this.edit(items, { type: "revert", to: "previous" }); }
  redo(items) { return this.edit(items, { type: "redo" }); }
  goTo(items, number) { return this.edit(items, { type: "revert", to: number === 0 ? "original" : number }); }

  preset(items, preset, intensity = 1) {
    announce(t("preset.applying", { preset: presetName({ preset, isOwn: false }) }));
    return this.edit(items, { type: "apply", presets: [preset], intensity, replace: true });
  }

  copy(items) { this.remember(items[0], { type: "copy", from: items[0].id }); }

  /** Keeps an edit of an asset to be pasted. */
  remember(item, change) {
    this.copied = { change };
    announce(t("edit.copied", { name: item.name }));
    this.tray.tell(t("edit.copied", { name: item.name }));
  }

  async paste(items) {
    if (this.copied) await this.edit(items, this.copied.change);
  }

  async favourite(items) {
    const favourite = !items.every((item) => item.favourite);
    await this.mark(items, { favourite });
    announce(t(favourite ? "action.favourite" : "action.unfavourite"));
  }

  async hide(items) {
    const hidden = !items.every((item) => item.hidden);
    await this.mark(items, { hidden });
    announce(t(hidden ? "action.hide" : "action.unhide"));
  }

  share(items) { this.dialogs.share(items); }
  album(items) { this.dialogs.album(items); }

  async edit(items, change) {
    const answer = await post("edits", { assets: items.map((item) => item.id), change });
    this.tray.follow(answer.job, (ended) => {
      // What the page showed ahead of it did not come.
      if (ended.state !== "done") this.assets.dispatchEvent(new CustomEvent("undone", { detail: items.map((item) => item.id) }));
    });
  }

  /** Marks show at once; what the server refuses is taken back. */
  async mark(items, marks) {
    for (const item of items) this.assets.replace({ ...item, ...marks });
    const ids = items.map((item) => item.id);
    const answer = await post("marks", { assets: ids, ...marks }).catch((error) => {
      for (const item of items) this.assets.replace(item);
      throw error;
    });
    const failed = answer.results.filter((result) => result.status === "failed");
    if (!failed.length) return;
    this.assets.refresh(failed.map((result) => result.asset));
    this.fail(sentence(failed[0]));
  }
}
