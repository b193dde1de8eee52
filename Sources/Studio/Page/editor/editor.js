import { announce, el, icon, iconButton, isTyping } from "../core/dom.js";
import { address, answer, ask, askWith, get, movieURL, pictureSize, post } from "../core/api.js";
import { Compare } from "../viewer/compare.js";
import { openDialog } from "../core/dialog.js";
import { Draft, isEqual, merged } from "./draft.js";
import { changesMovie, EffectMovie } from "./effect.js";
import { EnginePicture } from "./engine.js";
import { EditPanel } from "./panel.js";
import { nameOf } from "./slider.js";
import { EditPreview } from "./preview.js";
import { EditTables } from "./tables.js";
import { Removals } from "../viewer/removals.js";
import { sentence } from "../core/tray.js";
import { VersionStrip } from "../viewer/versions.js";
import { t, within } from "../core/strings.js";

let facts;

/** The parameters and looks, and the presets as they are now. */
async function known() {
  facts ??= get("parameters").catch((error) => { facts = undefined; throw error; });
  const [{ parameters, looks }, { presets }] = await Promise.all([facts, get("presets")]);
  return { parameters, looks, presets };
}

/** The editor of one asset: its picture, live, with a panel of all that can be changed. */
export class Editor {
  /**
   * @param {import("../core/assets.js").AssetList} assets
   * @param {import("../core/actions.js").Actions} actions
   * @param {import("../core/tray.js").Tray} tray
   * @param {() => void} onClose
   */
  constructor(assets, actions, tray, onClose) {
    Object.assign(this, { assets, actions, tray, onClose });
    this.item = null;
    this.removals = new Removals();
    this.versions = new VersionStrip((number) => this.goTo(number));
    this.panel = new EditPanel({
      change: (tag, change, isMoving) => this.change(tag, change, isMoving), without: (parts) => this.showWithout(parts), look: (time) => this.lookAt(time),
      auto: (parts) => this.propose({ auto: parts }), pick: () => this.pick(), preset: (preset, intensity) => this.applyPreset(preset, intensity), tryPreset: (preset) => this.tryPreset(preset),
      savePreset: () => this.savePreset(), chosen: (group) => this.chosen(group),
    }, this.versions.element);
    const button = (symbol, name, action, attributes) => iconButton(symbol, t(name), action, attributes);
    this.title = el("h1");
    this.undo = button("revert", "edit.undo", () => this.draft?.undo(), { "aria-keyshortcuts": "Control+Z" });
    this.redo = button("redo", "edit.redo", () => this.draft?.redo(), { "aria-keyshortcuts": "Control+Shift+Z" });
    this.before = button("compare", "edit.before", () => this.compareBoth(), { "aria-pressed": "false" });
    this.compare = new Compare();
    this.playing = button("play", "action.play", () => this.play());
    this.save = el("button.save", { type: "button", onclick: () => this.store() }, t("edit.save"));
    this.bar = el("header.bar", {}, button("back", "edit.back", () => this.leave()), el("div.names", {}, this.title), el("span.space"),
      this.undo, this.redo, this.before, this.playing, button("copy", "edit.copy", () => this.copy()), button("paste", "edit.paste", () => this.paste()), this.save);
    this.canvas = /** @type {HTMLCanvasElement} */ (el("canvas.picture", { role: "img" }));
    this.engine = new EnginePicture();
    this.effect = new EffectMovie((text) => this.engine.say(text));
    this.frame = el("div.frame", {}, this.canvas, this.engine.image, this.effect.element, this.panel.crop.overlay);
    this.notice = el("p.notice", { role: "alert", hidden: true });
    this.stage = el("div.stage", {}, this.frame, this.compare.element);
    this.element = el("section.editor", { hidden: true, tabindex: "-1", "aria-label": t("edit.region") }, this.bar, this.stage, this.engine.note, this.notice, this.removals.element, this.panel.element);
    this.removals.watch(this.save, () => ({ type: "set", edit: this.draft.value }), () => (this.draft?.isChanged ? this.item : null));
    this.canvas.addEventListener("click", (event) => this.picked(event));
    this.sizes = new ResizeObserver(() => this.fit());
    this.sizes.observe(this.stage);
    addEventListener("beforeunload", (event) => { if (this.isOpen && this.draft?.isChanged) event.preventDefault(); });
    assets.addEventListener("items", () => this.refreshed());
    assets.addEventListener("list", () => this.refreshed());
  }

  get isOpen() { return !this.element.hidden; }

  /** True if something would be lost that is not on its way to the server. */
  get isUnsaved() { return this.isOpen && Boolean(this.draft?.isChanged) && !this.isSaving; }

  /**
   * Opens an asset.
   * @param {import("../core/api.js").Asset} item
   */
  async open(item) {
    this.end();
    this.item = item;
    this.title.textContent = item.name;
    this.element.hidden = false;
    this.setBusy(true);
    this.element.focus({ preventScroll: true });
    const size = pictureSize(Math.max(this.stage.clientWidth, this.stage.clientHeight, 320));
    const now = (this.opened = {});
    try {
      this.preview ??= new EditPreview(this.canvas);
      this.size = size;
      this.tables = Object.fromEntries(["photo", "movie"].map((half) => [half, new EditTables(item, { half, size })]));
      // The engine gets ready meanwhile.
      this.tables[item.kind === "movie" ? "movie" : "photo"].ask({}, this.preview.colors, true).catch(() => {});
      const [answer, about, picture] = await Promise.all([
        get(`assets/${encodeURIComponent(item.id)}/edit`), known(),
        item.kind === "movie" ? null : ask(address(`api/1/assets/${encodeURIComponent(item.id)}/picture`, { version: "base", colors: "p3", size })),
      ]);
      if (this.opened !== now) return;
      if (picture && !picture.ok) throw new Error((await picture.json().catch(() => null))?.message ?? t("error.picture"));
      const still = picture ? await createImageBitmap(await picture.blob(), { colorSpaceConversion: "none" }) : null;
      if (this.opened !== now) return;
      this.movie = answer.movie ?? null;
      this.still = still;
      const draft = (this.draft = new Draft(item.id, answer.revision, answer.edit));
      this.chosenEffect = draft.value.motion?.effect;
      draft.addEventListener("change", () => { if (this.draft === draft) this.changed(); });
      this.versions.show(item);
      this.playing.hidden = !this.movie;
      this.showStill();
      this.panel.load(item, { ...about, movie: this.movie, hasPhoto: answer.hasPhoto });
      if (this.draft.isOutdated) this.conflict();
      else if (this.draft.isRestored) this.tell(t("edit.restored"));
      this.changed();
      if (this.still) this.engine.warm(item);
    } catch (error) {
      if (this.opened === now) this.tell(error.message);
    } finally {
      if (this.opened === now) this.setBusy(false);
    }
  }

  /** Says that an asset is being opened; what would change it waits. */
  setBusy(isBusy) {
    if (isBusy) this.element.setAttribute("aria-busy", "true");
    else this.element.removeAttribute("aria-busy");
    this.panel.element.inert = isBusy;
  }

  /** Shows the photo, or the frame that it is made of. */
  showStill() {
    this.stopMovie();
    const { keyPhoto } = this.draft.value.motion ?? {};
    this.shown = this.still && keyPhoto === undefined ? "photo" : "movie";
    if (this.shown === "photo") this.preview.show(this.still);
    else this.lookAt(keyPhoto ?? this.movie?.frames[0] ?? 0);
  }

  get video() {
    if (this.player) return this.player;
    this.player = document.createElement("video");
    Object.assign(this.player, { muted: true, playsInline: true, preload: "auto", src: movieURL(this.item, "base") });
    this.player.addEventListener("timeupdate", () => this.bound());
    this.player.addEventListener("ended", () => this.bound());
    this.player.addEventListener("error", () => this.tell(t("error.movie")));
    return this.player;
  }

  /** Shows the frame of a time, with the edit. */
  lookAt(time) {
    if (!this.movie) return;
    this.shown = "movie";
    this.time = time;
    // A hair behind its beginning, so that rounding shows no frame before it.
    this.video.currentTime = time + 0.002;
    this.preview.show(this.video);
    this.draw(false);
  }

  /** Plays the part that is kept, over and over, with the edit; or ends that. */
  play() {
    if (!this.movie) return;
    if (this.effect.isActive || !this.video.paused) { this.showStill(); this.draw(false); return; }
    this.shown = "movie";
    const [from] = this.draft.value.motion?.trim ?? [0];
    this.video.currentTime = from;
    // Who works at time and sound hears it.
    this.video.muted = this.panel.group !== "motion";
    this.preview.show(this.video);
    this.video.play().catch(() => {});
    this.showPlaying(true);
    if (changesMovie(this.draft.value.motion?.effect)) this.playEffect();
    this.draw(false);
  }

  /** Has the movie of the edit's effect made; until then the movie plays without. */
  async playEffect() {
    try {
      if (await this.effect.play(this.item, this.draft.value)) this.video.pause();
    } catch (error) {
      this.tell(error.message);
    }
  }

  /** How far something is that the engine makes. */
  making({ name, fraction }) {
    this.effect.told(name, fraction);
    this.engine.told(name, fraction);
  }

  /** Shows an effect as soon as it is chosen; one that plays is made anew after another change. */
  followEffect() {
    const { effect } = this.draft.value.motion ?? {};
    const isAwaited = this.forgetRemaking();
    if (effect !== this.chosenEffect) {
      this.chosenEffect = effect;
      const wasActive = this.effect.isActive;
      this.effect.stop();
      if (changesMovie(effect)) { if (this.video.paused) this.play(); else this.playEffect(); }
      else if (wasActive) this.showStill();
    } else if (isAwaited || (this.effect.isActive && !isEqual(this.effect.current.edit, this.draft.value))) {
      this.effect.stop();
      this.video.play().catch(() => {});
      this.remaking = setTimeout(() => { this.remaking = null; if (!this.video.paused) this.playEffect(); }, 600);
    }
  }

  /** Lets go of a movie that was to be made after a pause; true if there was one. */
  forgetRemaking() {
    clearTimeout(this.remaking);
    const wasAwaited = Boolean(this.remaking);
    this.remaking = null;
    return wasAwaited;
  }

  /** Begins again at the end of the part that is kept. */
  bound() {
    const [from, to] = this.draft?.value.motion?.trim ?? [0, Infinity];
    if (this.video.ended || (!this.video.paused && this.video.currentTime >= to)) {
      this.video.currentTime = from;
      this.video.play().catch(() => {});
    }
  }

  stopMovie() {
    this.forgetRemaking();
    this.effect.stop();
    this.player?.pause();
    this.showPlaying(false);
  }

  /** Shows on the button what it does next. */
  showPlaying(isPlaying) {
    const name = t(isPlaying ? "action.pause" : "action.play");
    this.playing.replaceChildren(icon(isPlaying ? "pause" : "play"));
    Object.assign(this.playing, { title: name, ariaLabel: name });
  }

  change(tag, change, isMoving) {
    if (!this.draft) return;
    this.isMoving = isMoving;
    this.draft.change(tag, change);
    if (!isMoving) {
      this.draft.rest();
      this.isMoving = false;
      this.draw(false);
    }
  }

  /** Shows the edit as it is now. */
  changed() {
    const { draft } = this;
    this.undo.disabled = !draft.past.length;
    this.redo.disabled = !draft.future.length;
    this.save.disabled = !draft.isChanged || this.isSaving;
    const { keyPhoto } = draft.value.motion ?? {};
    if (keyPhoto !== this.keyPhoto && !this.isMoving) { this.keyPhoto = keyPhoto; if (!this.player || this.player.paused) this.showStill(); }
    if (this.panel.crop.isOpen) this.findLevel();
    if (this.player) this.player.volume = draft.value.motion?.volume ?? 1;
    this.panel.show(draft.value);
    if (this.movie && !this.isMoving) this.followEffect();
    this.draw(this.isMoving);
  }

  /** The edit as it is shown: while it is cropped all of the picture can be seen. */
  get shownEdit() {
    const edit = structuredClone(this.isBefore ? {} : this.trial ?? this.draft.value);
    for (const part of this.hidden ?? []) delete edit[part];
    if (this.panel.crop.isOpen && edit.geometry) delete edit.geometry.crop;
    return edit;
  }

  /** Draws the edit; when nothing moves sharply, with what only the engine knows. */
  async draw(isMoving) {
    if (!this.draft || !this.preview) return;
    const edit = this.shownEdit;
    const turn = (this.turn = {});
    try {
      const parts = await this.tables[this.shown].ask(edit, this.preview.colors, isMoving);
      if (!parts || !this.draft) return;
      this.parts = parts;
      this.place(parts);
      this.preview.edit(parts, isMoving);
      this.paint(edit, parts.missing, isMoving);
      if (this.turn !== turn || isMoving) return;
      this.panel.count(this.canvas);
      this.canvas.setAttribute("aria-label", this.item.name);
      this.element.dataset.drawn = String(Number(this.element.dataset.drawn ?? 0) + 1);
    } catch (error) {
      this.tell(error.message);
    }
  }

  /** Has the engine paint what the shader leaves out, where nothing plays. */
  paint(edit, missing, isMoving) {
    if (this.effect.isActive) { this.engine.hide(); return; }
    const isFrame = this.shown === "movie";
    // The light of areas comes with the next answer that is not rough, an effect is played.
    const needed = missing.filter((name) => !(isMoving && name === "light") && !(isFrame && name === "effect"));
    const parts = needed.map((name) => within(nameOf(name))).join(", ");
    if (needed.length && isFrame && !this.video.paused) { this.engine.clear(t("edit.without.playing", { parts })); return; }
    const hasExact = isFrame || !["effect", "keyPhoto"].some((name) => missing.includes(name));
    this.engine.follow({ parts, hasExact, item: this.item, edit, size: Math.max(...this.preview.size), time: isFrame ? this.time : undefined }, needed.length > 0, isMoving);
  }

  /** Gives the picture its room. */
  place({ width, height }) {
    const shape = width / height;
    if (this.panel.crop.isOpen) this.panel.crop.show(this.draft.value, shape);
    this.panel.shape = shape;
    if (shape === this.shape) return;
    this.shape = shape;
    this.fit();
  }

  fit() {
    if (!this.shape || !this.isOpen) return;
    const { clientWidth, clientHeight } = this.stage;
    const width = Math.max(1, Math.min(clientWidth, clientHeight * this.shape));
    Object.assign(this.frame.style, { width: `${Math.round(width)}px`, height: `${Math.round(width / this.shape)}px` });
    const ratio = globalThis.devicePixelRatio || 1;
    this.preview?.resize(width * ratio, (width / this.shape) * ratio);
    this.preview?.draw();
  }

  showBefore(isBefore) {
    this.isBefore = isBefore;
    this.element.classList.toggle("before", isBefore);
    this.draw(false);
  }

  /** Shows before and after along a line, or ends that. */
  compareBoth() {
    if (!this.draft) return;
    this.before.setAttribute("aria-pressed", String(this.compare.toggle(this.item, this.frame)));
  }

  /** Lays a preset over the edit; another strength, or another preset at once after it, takes its place. */
  async applyPreset(preset, intensity) {
    const { draft } = this;
    const base = this.applied?.result === draft.value ? this.applied.base : draft.value;
    const before = draft.value;
    const edit = await this.proposed(base, { preset, intensity, replace: true });
    if (!edit || this.draft !== draft) return;
    draft.change("preset", (now) => merged(now, before, edit));
    this.applied = { base, result: draft.value };
  }

  /** Shows the picture with a preset, or as it is again. */
  async tryPreset(preset) {
    const turn = (this.trying = {});
    const { draft } = this;
    if (!preset) {
      if (this.trial) { this.trial = null; this.draw(false); }
      return;
    }
    const edit = await this.proposed(draft.value, { preset, replace: true });
    if (!edit || this.trying !== turn || this.draft !== draft) return;
    this.trial = edit;
    this.draw(false);
  }

  showWithout(parts) {
    this.hidden = parts;
    this.draw(false);
  }

  chosen(group) {
    if (!this.draft) return;
    if (group === "crop") this.panel.crop.open();
    else this.panel.crop.close();
    this.element.classList.toggle("cropping", group === "crop");
    if (group === "crop") this.findLevel();
    this.draw(false);
  }

  /** Marks on the dial where the picture is level, which depends on how it is turned. */
  async findLevel() {
    const { draft, panel } = this;
    const { orientation } = draft.value;
    if (this.levelled?.draft === draft && this.levelled.orientation === orientation) return;
    this.levelled = { draft, orientation };
    panel.crop.dial.mark(null);
    try {
      const found = await this.propositionOf(orientation ? { orientation } : {}, { auto: "geometry" });
      if (this.draft === draft) panel.crop.dial.mark(found.edit.geometry?.straighten ?? null);
    } catch {
      // The dial does without: only 0 is marked then.
      this.levelled = null;
    }
  }

  /** Takes an edit that the engine proposes. */
  async propose(parameters) {
    const { draft } = this;
    const before = draft.value;
    const edit = await this.proposed(before, parameters);
    if (!edit || this.draft !== draft) return;
    draft.rest();
    // What a hand changed meanwhile stays.
    draft.change("", (now) => merged(now, before, edit));
  }

  async propositionOf(edit, parameters) {
    return answer(await askWith(edit, `assets/${encodeURIComponent(this.item.id)}/proposal`, parameters));
  }

  /** An edit as the engine would change it; null, and said, where it cannot. */
  async proposed(edit, parameters) {
    try {
      return (await this.propositionOf(edit, parameters)).edit;
    } catch (error) {
      this.tell(error.message);
      return null;
    }
  }

  /** The next place that is pressed in the picture becomes grey. */
  pick() {
    this.isPicking = !this.isPicking;
    this.element.classList.toggle("picking", this.isPicking);
    if (this.isPicking) { this.tell(t("edit.pick.how")); this.canvas.tabIndex = 0; this.canvas.focus(); }
    else this.canvas.removeAttribute("tabindex");
  }

  picked(event) {
    if (!this.isPicking || !this.parts) return;
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    // A key presses the middle.
    const at = event.detail === 0 ? [0.5, 0.5, 1] : [(event.clientX - left) / width, (event.clientY - top) / height, 1];
    const row = (number) => at.reduce((sum, value, index) => sum + value * this.parts.place[3 * number + index], 0);
    const [x, y] = [0, 1].map((number) => Math.min(Math.max(row(number) / row(2), 0), 1));
    this.pick();
    this.tell("");
    this.propose({ white: `${x.toFixed(4)},${y.toFixed(4)}` });
  }

  /** Makes a version of the edit. The page works on meanwhile. */
  async store(force = false) {
    const { draft, item } = this;
    if (!draft?.isChanged || this.isSaving) return false;
    const value = draft.value;
    this.setSaving(true);
    try {
      const { job } = await post("edits", { assets: [item.id], change: { type: "set", edit: value }, ...(force ? {} : { revision: draft.revision }) });
      this.wantsSave = false;
      this.tell("");
      this.tray.follow(job, async (ended) => {
        // It is being saved until the draft knows that it is.
        try { await this.stored(ended, draft, value, item); } finally { if (this.draft === draft) this.setSaving(false); }
      });
      return true;
    } catch (error) {
      this.setSaving(false);
      if (error.status === 409) this.conflict();
      else {
        // The draft stays in the page; it is saved as soon as the server is there again.
        this.wantsSave = !error.status;
        this.tell(error.status ? error.message : t("edit.kept"));
      }
      return false;
    }
  }

  /** Takes over how the work of saving a draft ended. */
  async stored(ended, draft, value, item) {
    // An edit that waited before this one changed the asset.
    if (ended.results?.some((result) => result.error?.code === "conflict")) { if (this.draft === draft) this.conflict(); return; }
    if (ended.state !== "done") { this.tell((ended.results ?? []).map(sentence).join(" ") || t("tray.cancelled")); return; }
    const { asset } = await get(`assets/${encodeURIComponent(item.id)}`);
    draft.saved(value, asset.revision);
    announce(t("edit.saved"));
    if (this.draft !== draft) return;
    this.tell("");
    this.item = asset;
    this.versions.show(asset);
  }

  setSaving(isSaving) {
    this.isSaving = isSaving;
    this.save.setAttribute("aria-busy", String(isSaving));
    this.save.textContent = t(isSaving ? "edit.saving" : "edit.save");
    this.save.disabled = isSaving || !this.draft?.isChanged;
  }

  /** The server answers again. */
  serverBack() {
    if (!this.isOpen) return;
    if (this.wantsSave) this.store();
    else if (this.draft) this.draw(false);
  }

  /** The asset may have been changed elsewhere. */
  refreshed() {
    if (!this.isOpen || !this.draft || this.isSaving) return;
    const now = this.assets.byId(this.item.id);
    if (!now || now.revision === this.draft.revision || now.revision === this.seen) return;
    this.seen = now.revision;
    get(`assets/${encodeURIComponent(now.id)}/edit`).then((answer) => {
      if (this.isSaving || answer.revision === this.draft.revision) return;
      // A mark changes no edit.
      if (isEqual(answer.edit, this.draft.base)) { this.draft.revision = answer.revision; return; }
      if (this.draft.isChanged) this.conflict();
      else this.open(now);
    }).catch(() => {});
  }

  /** Somebody else changed the asset: theirs, or a version after theirs. */
  conflict() {
    this.tell(t("edit.conflict"), [t("edit.conflict.save"), () => this.store(true)], [t("edit.conflict.theirs"), async () => {
      this.draft.forget();
      this.open((await get(`assets/${encodeURIComponent(this.item.id)}`)).asset);
    }]);
  }

  /** Says something above the picture, with buttons for what can be done. */
  tell(text, ...choices) {
    this.notice.hidden = !text;
    this.notice.replaceChildren(text, ...choices.map(([name, action]) => el("button", { type: "button", onclick: () => { this.tell(""); action(); } }, name)),
      text && !choices.length ? iconButton("close", t("action.dismiss"), () => this.tell("")) : "");
  }

  goTo(number) { this.ask(() => this.actions.goTo([this.item], number)); }

  /** Copies the edit, or parts of it, for this and other assets. */
  copy() {
    const value = this.draft.value;
    // What areas of a look have goes with it.
    const parts = [...new Set(Object.keys(value).map((part) => (part === "local" ? "look" : part)))].filter((part) => part !== "motion" && part !== "facts");
    const boxes = parts.map((part) => el("label.choice", {}, el("input", { type: "checkbox", value: part, checked: true }), t(`edit.part.${part}`)));
    const dialog = openDialog(t("edit.copy"), parts.length ? el("fieldset", {}, el("legend", {}, t("edit.copy.parts")), ...boxes) : el("p", {}, t("edit.copy.nothing")),
      el("div.buttons", {}, el("button", { type: "button", disabled: !parts.length, onclick: () => {
        const chosen = [...dialog.querySelectorAll("input:checked")].flatMap((box) => (box.value === "look" ? ["look", "local"] : [box.value])).filter((part) => part in value);
        const edit = Object.fromEntries(chosen.map((part) => [part, value[part]]));
        const reset = chosen.map((part) => (part === "channelCurves" ? "curve" : part));
        this.actions.remember(this.item, { type: "merge", edit, reset: [...new Set(reset)] });
        dialog.close();
      } }, t("edit.copy"))));
  }

  async paste() {
    const { copied } = this.actions;
    if (!copied) { this.tell(t("edit.paste.nothing")); return; }
    if (copied.change.type === "merge") {
      this.draft.rest();
      this.draft.change("", (edit) => ({ ...edit, ...structuredClone(copied.change.edit) }));
    } else {
      const other = await get(`assets/${encodeURIComponent(copied.change.from)}/edit`).catch((error) => { this.tell(error.message); return null; });
      if (!other) return;
      this.draft.rest();
      this.draft.change("", (edit) => ({ ...other.edit, motion: edit.motion }));
    }
  }

  savePreset() {
    const field = /** @type {HTMLInputElement} */ (el("input", { type: "text", "aria-label": t("edit.preset.name"), placeholder: t("edit.preset.name"), autofocus: true, maxlength: "60" }));
    const told = el("p.invalid", { role: "alert" });
    const dialog = openDialog(t("edit.preset.save"), el("form", { onsubmit: async (event) => {
      event.preventDefault();
      // A turn, a crop, dates and places belong to one picture.
      const { motion, orientation, geometry, facts, ...edit } = this.draft.value;
      try {
        await post("presets", { preset: field.value.trim(), edit: { ...edit, ...(motion?.effect ? { motion: { effect: motion.effect } } : {}) } });
        dialog.close();
        announce(t("edit.preset.saved", { preset: field.value }));
        this.panel.load(this.item, { ...(await known()), movie: this.movie, hasPhoto: Boolean(this.still) });
      } catch (error) {
        told.textContent = error.message;
      }
    } }, el("div.line", {}, field, el("button", { type: "submit" }, t("edit.save"))), told));
  }

  /** Leaves; what was not saved is asked about. */
  leave() { this.ask(() => this.onClose()); }

  /** Does something that ends this edit, after what is not saved was asked about. */
  ask(action) {
    if (!this.draft?.isChanged || this.isSaving) { action(); return; }
    const dialog = openDialog(t("edit.leave"), el("p", {}, t("edit.leave.why")), el("div.buttons", {},
      el("button", { type: "button", autofocus: true, onclick: async () => { dialog.close(); if (await this.store()) action(); } }, t("edit.leave.save")),
      el("button", { type: "button", onclick: () => { dialog.close(); this.draft.take(this.draft.base); action(); } }, t("edit.leave.drop")),
      el("button", { type: "button", onclick: () => dialog.close() }, t("edit.leave.stay"))));
  }

  close() {
    this.end();
    this.element.hidden = true;
  }

  end() {
    this.opened = null;
    this.effect.stop();
    this.forgetRemaking();
    this.engine.clear();
    this.panel.motion.close();
    this.preview?.stop?.();
    this.player?.removeAttribute("src");
    this.player?.load();
    this.still?.close();
    this.player = this.still = this.draft = this.parts = null;
    this.isBefore = this.isPicking = this.isSaving = this.wantsSave = false;
    this.shape = this.keyPhoto = undefined;
    this.trial = this.applied = this.hidden = null;
    this.compare.close();
    this.before.setAttribute("aria-pressed", "false");
    this.tell("");
  }

  /** A key while the editor is open. @returns {boolean} true if it meant something */
  keyed(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (isCommand && key === "z") { if (event.shiftKey) this.draft?.redo(); else this.draft?.undo(); }
    else if (isCommand && key === "y") this.draft?.redo();
    else if (isCommand && key === "s") this.store();
    else if (isCommand || event.altKey || isTyping(event.target)) return false;
    else if (key === "b") { if (!event.repeat) this.showBefore(true); }
    else if (key === "Escape") { if (this.isPicking) this.pick(); else this.leave(); }
    else if (key === " " && !(event.target instanceof HTMLButtonElement) && !(event.target instanceof HTMLInputElement)) this.play();
    else if (key === "?") return false;
    else return true;
    event.preventDefault();
    return true;
  }

  released(event) { if (event.key.toLowerCase() === "b" && this.isBefore) this.showBefore(false); }
}
