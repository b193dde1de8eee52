import { announce, el, isStill, isTyping } from "../core/dom.js";
import { iconButton } from "../core/icons.js";
import { badge, isLive } from "../core/badge.js";
import { Player } from "../core/player.js";
import { Compare } from "./compare.js";
import { FactsPanel } from "./facts.js";
import { PresetRow } from "./presets.js";
import { Removals } from "./removals.js";
import { Scrubber } from "./scrubber.js";
import { CHANGES } from "../core/actions.js";
import { t } from "../core/strings.js";
import { VersionStrip } from "./versions.js";
import { ViewerBar } from "./bar.js";
import { ViewerPicture } from "./picture.js";

/** @typedef {import("../core/types").Asset} Asset */
/** @typedef {PresetRow|VersionStrip|FactsPanel} Part a part of the viewer that can be opened and closed */

/** The viewer, which shows one asset at a large size with all actions. */
export class Viewer {
  /**
   * @param {import("../core/assets.js").AssetList} assets
   * @param {import("../core/actions.js").Actions} actions
   * @param {{onClose: () => void, onEdit: () => void, onShow: (item: Asset) => void}} callbacks
   */
  constructor(assets, actions, { onClose, onEdit, onShow }) {
    this.assets = assets;
    this.actions = actions;
    this.onClose = onClose;
    this.onEdit = onEdit;
    this.onShow = onShow;
    this.index = -1;
    /** @type {Asset|null} */
    this.item = null;
    /** @type {Player|null} */
    this.player = null;
    this.isMuted = true;
    this.removals = new Removals();
    this.presets = new PresetRow((preset, intensity) => {
      this.run((items) => actions.preset(items, preset, intensity));
    }, this.removals);
    this.versions = new VersionStrip((number) => this.run((items) => actions.goTo(items, number)));
    /** @type {FactsPanel} */
    this.facts = new FactsPanel(() => this.toggle(this.facts));
    this.picture = new ViewerPicture(() => actions.fail(t("error.picture")));
    this.scrubber = new Scrubber(this.picture.frame);
    this.compare = new Compare();
    this.bar = new ViewerBar(this);
    const { frame, stage } = this.picture;
    stage.append(this.compare.element);
    stage.addEventListener("click", (event) => { if (event.target === stage) this.showBars(); });
    this.sign = el("button.sign", { type: "button", onclick: () => this.play(), title: t("action.play") });
    /** @param {string} symbol @param {string} name @param {number} by */
    const arrow = (symbol, name, by) => (
      iconButton(symbol, t(`action.${name}`), () => this.step(by), { class: `tool arrow ${name}` })
    );
    this.previous = arrow("back", "previous", -1);
    this.next = arrow("next", "next", 1);
    this.element = el("section.viewer", { hidden: true, tabindex: "-1", "aria-label": t("viewer.region") },
      this.bar.element, stage, this.sign, this.bar.sound, this.previous, this.next, this.removals.element,
      this.scrubber.element, this.presets.element, this.versions.element, this.facts.element);
    frame.addEventListener("unplayable", () => announce(t("error.movie")));
    frame.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button === 0) this.pressed(event);
    });
    for (const event of ["pointermove", "keydown", "focusin"]) {
      this.element.addEventListener(event, () => this.showBars());
    }
    assets.addEventListener("items", () => this.refreshed());
    assets.addEventListener("list", () => this.listed());
    assets.addEventListener("undone", (/** @type {CustomEvent<string[]>} */ { detail }) => {
      if (this.item && detail.includes(this.item.id)) this.picture.reset();
    });
    addEventListener("resize", () => this.picture.fit());
  }

  get isOpen() { return !this.element.hidden; }

  /**
   * Shows an asset of the list.
   * @param {number} index
   */
  async open(index) {
    const item = await this.assets.item(index);
    if (!item) return;
    this.index = index;
    const wasOpen = this.isOpen;
    this.element.hidden = false;
    if (!wasOpen) this.element.focus({ preventScroll: true });
    this.show(item);
    // The neighbours are loaded in advance.
    for (const near of [index + 1, index - 1]) {
      this.assets.item(near).then((other) => {
        if (other && this.index === index) new Image().src = this.picture.address(other);
      });
    }
  }

  close() {
    this.stop();
    this.scrubber.show(null);
    this.compare.close();
    this.picture.close();
    this.element.hidden = true;
    this.item = null;
  }

  /** Stops the movie. */
  stop() { this.player?.stop(); }

  /** @param {Asset} item */
  show(item) {
    const isSame = this.item?.id === item.id;
    const isSamePicture = isSame && this.item?.revision === item.revision;
    this.item = item;
    this.bar.show(item);
    document.title = `${item.name} – ${t("app.name")}`;
    this.previous.disabled = this.index <= 0;
    this.next.disabled = this.index >= this.assets.count - 1;
    if (!isSamePicture) this.showPicture(item, isSame);
    this.onShow(item);
  }

  /** @param {Asset} item @param {boolean} isSame whether the previous picture belongs to the same asset */
  showPicture(item, isSame) {
    this.stop();
    this.picture.show(item, isSame);
    const sign = badge(item);
    this.sign.hidden = !sign;
    this.bar.sound.hidden = !sign;
    this.sign.replaceChildren(sign ?? "");
    this.sign.setAttribute("aria-label", `${t("action.play")}: ${sign?.title ?? ""}`);
    this.player = sign ? new Player(this.picture.frame, sign) : null;
    this.compare.close();
    this.bar.compare.setAttribute("aria-pressed", "false");
    for (const part of [this.presets, this.versions, this.facts]) if (part.isOpen) part.show(item);
    this.scrubber.show(isLive(item) || item.kind === "movie" ? item : null);
  }

  /**
   * Performs an action on the asset.
   * @param {(items: Asset[]) => Promise<boolean>} action
   */
  async run(action) {
    if (this.item && !(await action([this.item]))) this.picture.reset();
  }

  /** @param {import("../core/types").Change} change */
  edit(change) { this.run((items) => this.actions.edit(items, change)); }

  turnRight() {
    this.picture.turnBy(90);
    this.edit(CHANGES.turnRight);
  }

  turnLeft() {
    this.picture.turnBy(-90);
    this.edit(CHANGES.turnLeft);
  }

  flipHorizontal() {
    this.picture.mirror();
    this.edit(CHANGES.flipHorizontal);
  }

  favourite() { this.run((items) => this.actions.favourite(items)); }

  hide() { this.run((items) => this.actions.hide(items)); }

  album() { this.run((items) => this.actions.album(items)); }

  share() { this.run((items) => this.actions.share(items)); }

  /** @param {number} by */
  async step(by) {
    if (this.index + by < 0 || this.index + by >= this.assets.count) return;
    await this.open(this.index + by);
  }

  /** Shows the new state of the asset. */
  refreshed() {
    if (!this.isOpen || !this.item) return;
    const now = this.assets.byId(this.item.id);
    if (now && now !== this.item) this.show(now);
  }

  /** Handles a new list, in which the asset may have another index or be missing. */
  async listed() {
    if (!this.isOpen || !this.item) return;
    const { id } = this.item;
    const item = await this.assets.item(Math.min(this.index, this.assets.count - 1));
    const found = this.assets.byId(id);
    if (item?.id === id) this.show(item);
    else if (found) { this.index = this.assets.place(id); this.show(found); }
  }

  play() {
    if (!this.item || !this.player) return;
    if (this.player.video) { this.player.stop(); return; }
    this.scrubber.follow(this.player.play(this.item, { muted: this.isMuted }));
  }

  /**
   * Plays the movie while the picture is pressed.
   * @param {PointerEvent} event
   */
  pressed(event) {
    const { item, player } = this;
    if (!player || !item || isLive(item) === false) return;
    event.preventDefault();
    this.element.focus({ preventScroll: true });
    player.timer = setTimeout(() => {
      this.scrubber.follow(player.play(item, { muted: this.isMuted, loop: true }));
    }, isStill() ? 0 : 150);
    const end = () => {
      this.stop();
      for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, end);
    };
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end);
  }

  toggleSound() {
    this.isMuted = !this.isMuted;
    if (this.player?.video) this.player.video.muted = this.isMuted;
    this.bar.showSound(this.isMuted);
  }

  /** Shows or hides the comparison with the original. */
  toggleCompare() {
    if (!this.item) return;
    const isOpen = this.compare.toggle(this.item, this.picture.frame);
    this.bar.compare.setAttribute("aria-pressed", String(isOpen));
  }

  /**
   * Opens or closes a part. At most one row of small pictures is open.
   * @param {Part} part
   */
  toggle(part) {
    if (!this.item) return;
    if (part.isOpen) part.close();
    else {
      if (part !== this.facts) for (const row of [this.presets, this.versions]) if (row !== part) row.close();
      part.show(this.item);
    }
    this.bar.presets.setAttribute("aria-expanded", String(this.presets.isOpen));
    this.bar.versions.setAttribute("aria-expanded", String(this.versions.isOpen));
    this.bar.facts.setAttribute("aria-expanded", String(this.facts.isOpen));
    this.element.classList.toggle("withRow", this.presets.isOpen || this.versions.isOpen);
    this.element.classList.toggle("withPanel", this.facts.isOpen);
    this.picture.fit();
  }

  /**
   * The open part, if any.
   * @returns {Part|undefined}
   */
  get openPart() { return [this.presets, this.versions, this.facts].find((part) => part.isOpen); }

  /** Shows the bars, which are hidden while the pointer does not move. */
  showBars() {
    this.element.classList.remove("quiet");
    clearTimeout(this.quietTimer);
    this.quietTimer = setTimeout(() => {
      const focus = document.activeElement;
      const isInside = focus && focus !== this.element && this.element.contains(focus);
      if (!this.openPart && !(isInside && focus.matches(":focus-visible"))) this.element.classList.add("quiet");
    }, 3000);
  }

  /**
   * Handles a key while the viewer is open.
   * @param {KeyboardEvent} event
   * @returns {boolean} true if the key has a meaning
   */
  keyed(event) {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return false;
    const { target } = event;
    const onSlider = target instanceof HTMLInputElement
      || (target instanceof Element && target.getAttribute("role") === "slider");
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (onSlider && key.startsWith("Arrow")) return false;
    const onButton = target instanceof HTMLButtonElement;
    if (onButton && (key === " " || key === "Enter")) return false;
    if (/^[1-9]$/.test(key)) { this.presets.applyNumber(Number(key)); return true; }
    const action = this.keys[event.shiftKey ? `Shift ${key}` : key] ?? this.keys[key];
    if (!action) return false;
    event.preventDefault();
    action();
    return true;
  }

  /** @type {Record<string, () => void>} */
  keys = {
    ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), " ": () => this.play(),
    Escape: () => this.escape(), Delete: () => this.hide(),
    r: () => this.turnRight(), "Shift r": () => this.turnLeft(),
    h: () => this.flipHorizontal(), v: () => this.edit(CHANGES.flipVertical),
    z: () => this.edit(CHANGES.revert), "Shift z": () => this.edit(CHANGES.redo),
    b: () => { if (this.item) this.compare.hold(this.item, this.picture.frame); }, c: () => this.toggleCompare(),
    f: () => this.favourite(), i: () => this.toggle(this.facts), p: () => this.toggle(this.presets),
    e: () => this.onEdit(), s: () => this.share(),
  };

  /** @param {KeyboardEvent} event */
  released(event) { if (event.key.toLowerCase() === "b") this.compare.release(); }

  escape() {
    const part = this.openPart;
    if (part) this.toggle(part);
    else if (this.compare.isOpen) this.toggleCompare();
    else this.onClose();
  }
}
