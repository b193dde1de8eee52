import { el, isTyping } from "../core/dom.js";
import { icon, iconButton } from "../core/icons.js";
import { pictureSize } from "../core/api.js";
import { Latest } from "../core/latest.js";
import { t } from "../core/strings.js";
import { Removals } from "../viewer/removals.js";
import { VersionStrip } from "../viewer/versions.js";
import { openCopyDialog, openSavePresetDialog, pasteInto } from "./copying.js";
import { EnginePicture } from "./engine.js";
import { Notice } from "./notice.js";
import { EditPanel } from "./panel.js";
import { Picker } from "./picker.js";
import { Playback } from "./playback.js";
import { Proposals } from "./proposals.js";
import { Saving } from "./saving.js";
import { known, Session } from "./session.js";
import { Stage } from "./stage.js";

/** @typedef {import("../core/types").Asset} Asset */

/** The editor of one asset: a live picture, and a panel with all controls. */
export class Editor {
  /**
   * @param {import("../core/assets.js").AssetList} assets
   * @param {import("../core/actions.js").Actions} actions
   * @param {import("../core/tray.js").Tray} tray
   * @param {() => void} onClose
   */
  constructor(assets, actions, tray, onClose) {
    this.actions = actions;
    this.onClose = onClose;
    /**
     * The asset that is open or being opened.
     * @type {Asset|null}
     */
    this.item = null;
    /**
     * The open asset, once all of its data has been loaded.
     * @type {Session|null}
     */
    this.session = null;
    /** The requests to open assets. */
    this.openings = new Latest();
    /** True during a drag. */
    this.isMoving = false;
    this.notice = new Notice();
    const tell = (/** @type {string} */ text) => this.notice.tell(text);
    this.versions = new VersionStrip((number) => this.goTo(number));
    /** @type {EditPanel} */
    this.panel = new EditPanel({
      change: (tag, change, isMoving) => this.change(tag, change, isMoving),
      without: (parts) => this.stage.showWithout(parts), look: (time) => this.playback.lookAt(time),
      auto: (parts) => this.proposals.propose({ auto: parts }), pick: () => this.picker.toggle(),
      preset: (preset, intensity) => this.proposals.applyPreset(preset, intensity),
      tryPreset: (preset) => this.proposals.tryPreset(preset), savePreset: () => this.savePreset(),
      chosen: (group) => this.chosen(group),
    }, this.versions.element);
    this.engine = new EnginePicture();
    /** @type {Playback} */
    this.playback = new Playback({
      show: (source) => this.stage.show(source), draw: () => this.stage.draw(false),
      say: (text) => this.engine.say(text), tell, onPlaying: (isPlaying) => this.showPlaying(isPlaying),
      // While the user edits time and audio, the audio is played.
      isHeard: () => this.panel.group === "motion",
    });
    /** @type {Stage} */
    this.stage = new Stage(this.playback, this.engine, this.panel.crop, {
      onShape: (shape) => { this.panel.shape = shape; }, onDrawn: (canvas) => this.drawn(canvas), tell,
    });
    this.proposals = new Proposals({
      showTrial: (edit) => this.stage.showTrial(edit), markLevel: (degrees) => this.panel.crop.dial.mark(degrees), tell,
    });
    this.picker = new Picker(this.stage.canvas, {
      place: () => this.stage.parts?.place ?? null,
      onToggle: (isOpen) => {
        this.element.classList.toggle("picking", isOpen);
        if (isOpen) this.notice.tell(t("edit.pick.how"));
      },
      onPick: (x, y) => {
        this.notice.tell("");
        this.proposals.propose({ white: `${x.toFixed(4)},${y.toFixed(4)}` });
      },
    });
    this.saving = new Saving(assets, tray, this.notice, {
      onSaved: (item) => { this.item = item; this.versions.show(item); }, open: (item) => this.open(item),
    });
    this.removals = new Removals();
    const setting = () => ({ type: /** @type {const} */ ("set"), edit: this.session?.draft.value ?? {} });
    const changed = () => (this.session?.draft.isChanged ? this.session.item : null);
    this.removals.watch(this.saving.button, setting, changed);
    /**
     * @param {string} symbol
     * @param {string} name
     * @param {() => void} action
     * @param {import("../core/types").Attributes} [attributes]
     */
    const button = (symbol, name, action, attributes) => iconButton(symbol, t(name), action, attributes);
    const keys = (/** @type {string} */ names) => ({ "aria-keyshortcuts": names });
    this.title = el("h1");
    this.undo = button("revert", "edit.undo", () => this.session?.draft.undo(), keys("Control+Z"));
    this.redo = button("redo", "edit.redo", () => this.session?.draft.redo(), keys("Control+Shift+Z"));
    this.before = button("compare", "edit.before", () => this.compare(), { "aria-pressed": "false" });
    this.playing = button("play", "action.play", () => this.playback.play());
    this.bar = el("header.bar", {}, button("back", "edit.back", () => this.leave()),
      el("div.names", {}, this.title), el("span.space"), this.undo, this.redo, this.before, this.playing,
      button("copy", "edit.copy", () => this.copy()), button("paste", "edit.paste", () => this.paste()),
      this.saving.button);
    this.element = el("section.editor", { hidden: true, tabindex: "-1", "aria-label": t("edit.region") },
      this.bar, this.stage.element, this.engine.note, this.notice.element, this.removals.element, this.panel.element);
    addEventListener("beforeunload", (event) => { if (this.session?.draft.isChanged) event.preventDefault(); });
  }

  get isOpen() { return !this.element.hidden; }

  /** True if unsaved changes are not on their way to the server and would be lost. */
  get isUnsaved() { return this.saving.isUnsaved; }

  /**
   * Opens an asset.
   * @param {Asset} item
   */
  async open(item) {
    this.end();
    this.item = item;
    this.title.textContent = item.name;
    this.element.hidden = false;
    this.setBusy(true);
    this.element.focus({ preventScroll: true });
    const { clientWidth, clientHeight } = this.stage.element;
    const size = pictureSize(Math.max(clientWidth, clientHeight, 320));
    const signal = this.openings.begin();
    try {
      const { colors } = this.stage.prepare();
      const [session, about] = await Promise.all([Session.open(item, size, colors, signal), known()]);
      if (signal.aborted) session.close();
      else this.begin(session, about);
    } catch (error) {
      if (!signal.aborted) this.notice.tell(error.message);
    } finally {
      if (!signal.aborted) this.setBusy(false);
    }
  }

  /**
   * Shows an asset whose data has been loaded.
   * @param {Session} session
   * @param {import("./session.js").Known} about
   */
  begin(session, about) {
    const { draft, item, movie, hasPhoto } = session;
    this.session = session;
    for (const part of [this.stage, this.proposals, this.saving]) part.session = session;
    draft.addEventListener("change", () => { if (this.session === session) this.changed(); });
    this.versions.show(item);
    this.playing.hidden = !movie;
    this.playback.open(session);
    this.panel.load(item, { ...about, movie, hasPhoto });
    if (draft.isOutdated) this.saving.conflict();
    else if (draft.isRestored) this.notice.tell(t("edit.restored"));
    this.changed();
    if (session.still) this.engine.warm(item);
  }

  /**
   * Shows that an asset is being opened, and disables the controls meanwhile.
   * @param {boolean} isBusy
   */
  setBusy(isBusy) {
    if (isBusy) this.element.setAttribute("aria-busy", "true");
    else this.element.removeAttribute("aria-busy");
    this.panel.element.inert = isBusy;
  }

  close() {
    this.end();
    this.element.hidden = true;
  }

  /** Stops editing the open asset. */
  end() {
    this.openings.end();
    for (const part of [this.playback, this.stage, this.proposals, this.saving, this.picker]) part.close();
    this.panel.motion.close();
    this.session?.close();
    this.session = null;
    this.before.setAttribute("aria-pressed", "false");
    this.notice.tell("");
  }

  /** @type {import("../core/types").TakeChange} */
  change(tag, change, isMoving) {
    if (!this.session) return;
    const { draft } = this.session;
    this.isMoving = isMoving;
    draft.change(tag, change);
    if (isMoving) return;
    draft.rest();
    this.stage.draw(false);
  }

  /** Shows the current edit. */
  changed() {
    if (!this.session) return;
    const { draft } = this.session;
    this.undo.disabled = !draft.past.length;
    this.redo.disabled = !draft.future.length;
    this.saving.show();
    if (this.panel.crop.isOpen) this.proposals.findLevel();
    this.panel.show(draft.value);
    this.playback.follow(this.isMoving);
    this.stage.draw(this.isMoving);
  }

  /**
   * Handles the sharp drawing of the picture.
   * @param {HTMLCanvasElement} canvas
   */
  drawn(canvas) {
    this.panel.histogram.count(canvas);
    this.element.dataset.drawn = String(Number(this.element.dataset.drawn ?? 0) + 1);
  }

  /**
   * Handles the opening of a group in the panel.
   * @param {string} group
   */
  chosen(group) {
    if (!this.session) return;
    const isCropping = group === "crop";
    if (isCropping) this.panel.crop.open();
    else this.panel.crop.close();
    this.element.classList.toggle("cropping", isCropping);
    if (isCropping) this.proposals.findLevel();
    this.stage.draw(false);
  }

  /**
   * Shows the next action on the button.
   * @param {boolean} isPlaying
   */
  showPlaying(isPlaying) {
    const name = t(isPlaying ? "action.pause" : "action.play");
    this.playing.replaceChildren(icon(isPlaying ? "pause" : "play"));
    Object.assign(this.playing, { title: name, ariaLabel: name });
  }

  /**
   * Handles the progress of a preview that the engine creates.
   * @param {{name: string, fraction: number}} progress
   */
  making({ name, fraction }) {
    this.playback.effect.told(name, fraction);
    this.engine.told(name, fraction);
  }

  /** Handles the return of the server. */
  serverBack() {
    if (this.saving.wantsSave) this.saving.store();
    else this.stage.draw(false);
  }

  /** Starts or ends the comparison of before and after. */
  compare() {
    if (!this.session) return;
    const isOpen = this.stage.compare.toggle(this.session.item, this.stage.frame);
    this.before.setAttribute("aria-pressed", String(isOpen));
  }

  /** @param {boolean} isBefore */
  showBefore(isBefore) {
    this.element.classList.toggle("before", isBefore);
    this.stage.showBefore(isBefore);
  }

  /**
   * Makes another version the current one.
   * @param {number} number
   */
  goTo(number) {
    const { session } = this;
    if (session) this.saving.askBefore(() => this.actions.goTo([session.item], number));
  }

  /** Copies the edit, or parts of it, for this and other assets. */
  copy() {
    const { session } = this;
    if (session) openCopyDialog(session.draft.value, (change) => this.actions.remember(session.item, change));
  }

  paste() {
    const { copied } = this.actions;
    if (!copied) this.notice.tell(t("edit.paste.nothing"));
    else if (this.session) pasteInto(copied, this.session.draft).catch((error) => this.notice.tell(error.message));
  }

  savePreset() {
    const { session } = this;
    if (!session) return;
    const { movie, hasPhoto } = session;
    openSavePresetDialog(session.draft.value, () => known().then((about) => {
      if (this.session === session) this.panel.load(session.item, { ...about, movie, hasPhoto });
    }));
  }

  /** Leaves the editor after asking about unsaved changes. */
  leave() { this.saving.askBefore(() => this.onClose()); }

  /**
   * Handles a key while the editor is open.
   * @param {KeyboardEvent} event
   * @returns {boolean} true if the key has a meaning
   */
  keyed(event) {
    const draft = this.session?.draft;
    const isCommand = event.ctrlKey || event.metaKey;
    const isControl = event.target instanceof HTMLButtonElement || event.target instanceof HTMLInputElement;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (isCommand && key === "z") { if (event.shiftKey) draft?.redo(); else draft?.undo(); }
    else if (isCommand && key === "y") draft?.redo();
    else if (isCommand && key === "s") this.saving.store();
    else if (isCommand || event.altKey || isTyping(event.target)) return false;
    else if (key === "b") { if (!event.repeat) this.showBefore(true); }
    else if (key === "Escape") { if (this.picker.isOpen) this.picker.toggle(); else this.leave(); }
    else if (key === " " && !isControl) this.playback.play();
    else return key !== "?";
    event.preventDefault();
    return true;
  }

  /** @param {KeyboardEvent} event */
  released(event) { if (event.key.toLowerCase() === "b" && this.stage.isBefore) this.showBefore(false); }
}
