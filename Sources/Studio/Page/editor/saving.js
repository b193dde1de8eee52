import { announce, el } from "../core/dom.js";
import { get, post } from "../core/api.js";
import { openDialog } from "../core/dialog.js";
import { Latest } from "../core/latest.js";
import { t } from "../core/strings.js";
import { sentence } from "../core/tray.js";
import { isEqual } from "./draft.js";

/** @typedef {import("../core/types").Asset} Asset */
/** @typedef {import("./session.js").Session} Session */

/** Saves the edit as a version, and detects changes that others make in the meantime. */
export class Saving {
  /**
   * @param {import("../core/assets.js").AssetList} assets
   * @param {import("../core/tray.js").Tray} tray
   * @param {import("./notice.js").Notice} notice
   * @param {{onSaved: (item: Asset) => void, open: (item: Asset) => void}} callbacks `onSaved` receives the asset after
   *   saving; `open` opens an asset that was changed elsewhere
   */
  constructor(assets, tray, notice, callbacks) {
    this.assets = assets;
    this.tray = tray;
    this.notice = notice;
    this.callbacks = callbacks;
    this.button = el("button.save", { type: "button", onclick: () => this.store() }, t("edit.save"));
    /** @type {Session|null} */
    this.session = null;
    this.isSaving = false;
    /** True if the edit must be saved as soon as the server responds again. */
    this.wantsSave = false;
    /** The revision of the asset that was checked last. */
    this.seen = "";
    /** The requests for changes by others. */
    this.looks = new Latest();
    for (const name of ["items", "list"]) assets.addEventListener(name, () => this.look());
  }

  close() {
    this.looks.end();
    this.session = null;
    this.wantsSave = false;
    this.setSaving(false);
  }

  /** True if unsaved changes are not on their way to the server and would be lost. */
  get isUnsaved() { return Boolean(this.session?.draft.isChanged) && !this.isSaving; }

  /** Enables the button if there are changes to save. */
  show() { this.button.disabled = this.isSaving || !this.session?.draft.isChanged; }

  /** @param {boolean} isSaving */
  setSaving(isSaving) {
    this.isSaving = isSaving;
    this.button.setAttribute("aria-busy", String(isSaving));
    this.button.textContent = t(isSaving ? "edit.saving" : "edit.save");
    this.show();
  }

  /**
   * Saves the edit as a version. The page stays usable meanwhile.
   * @param {boolean} [force] whether to save despite changes by others
   * @returns {Promise<boolean>} true if the edit is being saved
   */
  async store(force = false) {
    const { session } = this;
    if (!session || !this.isUnsaved) return false;
    const { draft, item } = session;
    const value = draft.value;
    this.setSaving(true);
    try {
      const expected = force ? {} : { revision: draft.revision };
      const { job } = await post("edits", { assets: [item.id], change: { type: "set", edit: value }, ...expected });
      this.wantsSave = false;
      this.notice.tell("");
      this.tray.follow(job, async (ended) => {
        // Saving lasts until the draft has recorded the result.
        try {
          await this.stored(ended, session, value);
        } finally {
          if (!session.signal.aborted) this.setSaving(false);
        }
      });
      return true;
    } catch (error) {
      if (session.signal.aborted) return false;
      this.setSaving(false);
      if (error.status === 409) this.conflict();
      else {
        // The draft stays in the page, and is saved as soon as the server responds again.
        this.wantsSave = !error.status;
        this.notice.tell(error.status ? error.message : t("edit.kept"));
      }
      return false;
    }
  }

  /**
   * Handles the result of saving a draft.
   * @param {import("../core/types").Job} ended
   * @param {Session} session
   * @param {import("../core/types").Edit} value the edit that was saved
   */
  async stored(ended, session, value) {
    const results = ended.results ?? [];
    // An edit that was queued before this one changed the asset.
    if (results.some((result) => result.error?.code === "conflict")) {
      if (!session.signal.aborted) this.conflict();
      return;
    }
    if (ended.state !== "done") {
      this.notice.tell(results.map(sentence).join(" ") || t("tray.cancelled"));
      return;
    }
    const { asset } = await get(`assets/${encodeURIComponent(session.item.id)}`);
    session.draft.saved(value, asset.revision);
    announce(t("edit.saved"));
    if (session.signal.aborted) return;
    this.notice.tell("");
    session.item = asset;
    this.callbacks.onSaved(asset);
  }

  /** Checks whether the asset was changed elsewhere. */
  async look() {
    const { session } = this;
    if (!session || this.isSaving) return;
    const { draft } = session;
    const now = this.assets.byId(session.item.id);
    if (!now || now.revision === draft.revision || now.revision === this.seen) return;
    this.seen = now.revision;
    const signal = this.looks.begin();
    const answer = await get(`assets/${encodeURIComponent(now.id)}/edit`).catch(() => null);
    if (!answer || signal.aborted || this.isSaving || answer.revision === draft.revision) return;
    // A new mark does not change the edit.
    if (isEqual(answer.edit, draft.base)) draft.revision = answer.revision;
    else if (draft.isChanged) this.conflict();
    else this.callbacks.open(now);
  }

  /** Asks what to do after somebody else changed the asset: open the other version, or save a new version after it. */
  conflict() {
    const theirs = async () => {
      const { session } = this;
      if (!session) return;
      session.draft.forget();
      this.callbacks.open((await get(`assets/${encodeURIComponent(session.item.id)}`)).asset);
    };
    this.notice.tell(t("edit.conflict"),
      [t("edit.conflict.save"), () => this.store(true)], [t("edit.conflict.theirs"), theirs]);
  }

  /**
   * Performs an action that ends this edit, after asking about unsaved changes.
   * @param {() => void} action
   */
  askBefore(action) {
    const { session } = this;
    if (!session || !this.isUnsaved) { action(); return; }
    const { draft } = session;
    /** @param {string} name @param {() => void} chosen */
    const button = (name, chosen, attributes = {}) => el("button", {
      type: "button", ...attributes, onclick: () => { dialog.close(); chosen(); },
    }, t(name));
    const save = async () => { if (await this.store()) action(); };
    const drop = () => { draft.take(draft.base); action(); };
    const dialog = openDialog(t("edit.leave"), el("p", {}, t("edit.leave.why")), el("div.buttons", {},
      button("edit.leave.save", save, { autofocus: true }), button("edit.leave.drop", drop),
      button("edit.leave.stay", () => {})));
  }
}
