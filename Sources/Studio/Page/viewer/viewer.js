import { announce, el, iconButton, isStill, isTyping } from "../core/dom.js";
import { pictureSize, pictureURL, thumbnailURL } from "../core/api.js";
import { Compare } from "./compare.js";
import { FactsPanel } from "./facts.js";
import { badge, inWords, isLive } from "../core/badge.js";
import { Player } from "../core/player.js";
import { PresetRow } from "./presets.js";
import { Removals } from "./removals.js";
import { Scrubber } from "./scrubber.js";
import { CHANGES } from "../core/actions.js";
import { moment, t } from "../core/strings.js";
import { VersionStrip } from "./versions.js";

/** One asset large, with what can be done to it. */
export class Viewer {
  /**
   * @param {import("../core/assets.js").AssetList} assets
   * @param {import("../core/actions.js").Actions} actions
   * @param {() => void} onClose
   * @param {() => void} onEdit
   */
  constructor(assets, actions, onClose, onEdit) {
    this.onEdit = onEdit;
    this.assets = assets;
    this.actions = actions;
    this.onClose = onClose;
    this.index = -1;
    /** @type {import("../core/api.js").Asset|null} */
    this.item = null;
    /** How the picture is turned while the server makes the turned one. */
    this.turn = { degrees: 0, isMirrored: false };
    this.isMuted = true;
    this.removals = new Removals();
    this.presets = new PresetRow((preset, intensity) => this.run("preset", preset, intensity), this.removals);
    this.versions = new VersionStrip((number) => this.run("goTo", number));
    this.facts = new FactsPanel(() => this.toggle("facts"));
    this.scrubber = new Scrubber();
    this.compare = new Compare();
    this.build();
    assets.addEventListener("items", () => this.refreshed());
    assets.addEventListener("list", () => this.listed());
    assets.addEventListener("undone", (event) => { if (this.item && event.detail.includes(this.item.id)) this.turnPicture({ degrees: 0, isMirrored: false }); });
    addEventListener("resize", () => this.fit());
  }

  build() {
    this.title = el("h1");
    this.when = el("p.when");
    this.picture = el("div.picture");
    this.stage = el("div.stage", { onclick: (event) => { if (event.target === this.stage) this.showBars(); } }, this.picture, this.compare.element);
    this.sign = el("button.sign", { type: "button", onclick: () => this.play(), title: t("action.play") });
    const act = (symbol, name, method) => {
      const button = iconButton(symbol, t(name), () => this.run(method));
      if (CHANGES[method]) this.removals.watch(button, CHANGES[method], () => this.item);
      return button;
    };
    this.buttons = {
      favourite: act("heart", "action.favourite", "favourite"), compare: iconButton("compare", t("action.compare"), () => this.toggle("compare"), { "aria-pressed": "false" }),
      presets: iconButton("presets", t("action.presets"), () => this.toggle("presets"), { "aria-expanded": "false" }),
      versions: iconButton("versions", t("action.versions"), () => this.toggle("versions"), { "aria-expanded": "false" }),
      facts: iconButton("info", t("action.info"), () => this.toggle("facts"), { "aria-expanded": "false" }),
      sound: iconButton("mute", t("action.sound"), () => this.toggleSound()),
    };
    this.bar = el("header.bar", {}, iconButton("back", t("action.back"), () => this.onClose()), el("div.names", {}, this.title, this.when), el("span.space"),
      act("turnLeft", "action.turnLeft", "turnLeft"), act("turnRight", "action.turnRight", "turnRight"), act("mirror", "action.flipHorizontal", "flipHorizontal"),
      act("wand", "action.auto", "auto"), this.buttons.presets, this.buttons.compare, act("revert", "action.revert", "revert"), act("redo", "action.redo", "redo"),
      this.buttons.versions, this.buttons.favourite, act("eyeOff", "action.hide", "hide"), act("album", "action.album", "album"), this.buttons.facts, act("share", "action.share", "share"),
      iconButton("pencil", t("action.edit"), () => this.onEdit()));
    this.previous = iconButton("back", t("action.previous"), () => this.step(-1), { class: "tool arrow previous" });
    this.next = iconButton("next", t("action.next"), () => this.step(1), { class: "tool arrow next" });
    this.element = el("section.viewer", { hidden: true, tabindex: "-1", "aria-label": t("viewer.region") }, this.bar, this.stage, this.sign, this.buttons.sound, this.previous, this.next,
      this.removals.element, this.scrubber.element, this.presets.element, this.versions.element, this.facts.element);
    this.buttons.sound.classList.add("soundSwitch");
    this.picture.addEventListener("unplayable", () => announce(t("error.movie")));
    this.picture.addEventListener("pointerdown", (event) => { if (event.pointerType !== "mouse" || event.button === 0) this.pressed(event); });
    for (const event of ["pointermove", "keydown", "focusin"]) this.element.addEventListener(event, () => this.showBars());
  }

  get isOpen() { return !this.element.hidden; }

  /** Shows an asset of the list. */
  async open(index) {
    const item = await this.assets.item(index);
    if (!item) return;
    this.index = index;
    const wasOpen = this.isOpen;
    this.element.hidden = false;
    if (!wasOpen) this.element.focus({ preventScroll: true });
    this.show(item);
    // The neighbours come before they are asked for.
    for (const near of [index + 1, index - 1]) {
      this.assets.item(near).then((other) => { if (other && this.index === index) new Image().src = this.address(other); });
    }
  }

  close() {
    this.player?.stop();
    this.scrubber.show(null);
    this.compare.close();
    this.element.hidden = true;
    this.item = null;
  }

  address(item) {
    return pictureURL(item, { size: pictureSize(Math.max(this.stage.clientWidth, this.stage.clientHeight, 320)) });
  }

  show(item) {
    const isSame = this.item?.id === item.id;
    const isSamePicture = isSame && this.item.revision === item.revision;
    this.item = item;
    this.title.textContent = item.name;
    this.when.textContent = [item.date && moment(item.date), item.camera].filter(Boolean).join(" · ");
    document.title = `${item.name} – ${t("app.name")}`;
    this.buttons.favourite.classList.toggle("on", item.favourite);
    this.buttons.favourite.setAttribute("aria-pressed", String(item.favourite));
    this.previous.disabled = this.index <= 0;
    this.next.disabled = this.index >= this.assets.count - 1;
    if (isSamePicture) return;
    this.player?.stop();
    this.drawPicture(item, isSame);
    const sign = badge(item);
    this.sign.hidden = !sign;
    this.buttons.sound.hidden = !sign;
    this.sign.replaceChildren(sign ?? "");
    this.sign.setAttribute("aria-label", `${t("action.play")}: ${sign?.title ?? ""}`);
    this.player = sign ? new Player(this.picture, sign) : null;
    this.compare.close();
    this.buttons.compare.setAttribute("aria-pressed", "false");
    for (const part of ["presets", "versions", "facts"]) if (this[part].isOpen) this[part].show(item);
    this.scrubber.show(isLive(item) || item.kind === "movie" ? item : null);
  }

  drawPicture(item, keepsOld, isSecondTry = false) {
    const old = keepsOld ? this.picture.querySelector("img:last-of-type") : null;
    const name = inWords(item, item.date && moment(item.date));
    const sharp = /** @type {HTMLImageElement} */ (el("img.sharp", { alt: name, draggable: "false", src: this.address(item) }));
    const small = old ?? el("img.small", { alt: "", draggable: "false", src: thumbnailURL(item) });
    this.picture.replaceChildren(small, sharp);
    this.picture.setAttribute("aria-busy", "true");
    const isShown = () => this.item?.id === item.id && this.item.revision === item.revision;
    sharp.addEventListener("load", () => {
      sharp.classList.add("loaded");
      this.picture.removeAttribute("aria-busy");
      if (!isShown()) return;
      small.remove();
      this.turnPicture({ degrees: 0, isMirrored: false });
      this.fit(sharp.naturalWidth / sharp.naturalHeight);
    });
    sharp.addEventListener("error", () => {
      if (!isShown()) return;
      sharp.remove();
      // It may have been given up for another view.
      if (!isSecondTry) { setTimeout(() => { if (isShown()) this.drawPicture(item, true, true); }, 500); return; }
      this.picture.removeAttribute("aria-busy");
      this.actions.fail(t("error.picture"));
    });
    if (!keepsOld) this.turnPicture({ degrees: 0, isMirrored: false });
    if (!keepsOld) this.fit((item.shape || 133) / 100);
  }

  /** Gives the picture the largest room of its shape. */
  fit(shape = this.shape) {
    if (!shape || !this.isOpen) return;
    this.shape = shape;
    const { clientWidth, clientHeight } = this.stage;
    const width = Math.min(clientWidth, clientHeight * shape);
    Object.assign(this.picture.style, { width: `${Math.round(width)}px`, height: `${Math.round(width / shape)}px` });
    this.turnPicture(this.turn);
  }

  /** Turns what is shown until the turned picture is there. */
  turnPicture(turn) {
    this.turn = turn;
    const sideways = turn.degrees % 180 !== 0;
    const { clientWidth, clientHeight } = this.stage;
    const { offsetWidth: width, offsetHeight: height } = this.picture;
    const scale = sideways && height ? Math.min(clientWidth / height, clientHeight / width, 1.5) : 1;
    this.picture.style.transform = turn.degrees || turn.isMirrored
      ? `scale(${scale}) ${turn.isMirrored ? "scaleX(-1) " : ""}rotate(${turn.degrees}deg)` : "";
  }

  /** Does something to the asset, and shows at once what can be shown. */
  run(action, ...values) {
    if (!this.item) return;
    const { degrees, isMirrored } = this.turn;
    const sign = isMirrored ? -1 : 1;
    if (action === "turnRight") this.turnPicture({ degrees: degrees + 90 * sign, isMirrored });
    if (action === "turnLeft") this.turnPicture({ degrees: degrees - 90 * sign, isMirrored });
    if (action === "flipHorizontal") this.turnPicture({ degrees, isMirrored: !isMirrored });
    const started = this.actions.run(action, [this.item], ...values);
    Promise.resolve(started).then((isDone) => { if (isDone === false) this.turnPicture({ degrees: 0, isMirrored: false }); });
  }

  async step(by) {
    if (this.index + by < 0 || this.index + by >= this.assets.count) return;
    await this.open(this.index + by);
  }

  /** Takes over what is new of the asset. */
  refreshed() {
    if (!this.isOpen || !this.item) return;
    const now = this.assets.byId(this.item.id);
    if (now && now !== this.item) this.show(now);
  }

  /** The list is another one: the asset may stand at another place in it, or be gone. */
  async listed() {
    if (!this.isOpen || !this.item) return;
    const { id } = this.item;
    const item = await this.assets.item(Math.min(this.index, this.assets.count - 1));
    if (item?.id === id) this.show(item);
    else if (this.assets.place(id) >= 0) { this.index = this.assets.place(id); this.show(this.assets.byId(id)); }
  }

  play() {
    if (!this.item || !this.player) return;
    if (this.player.video) { this.player.stop(); return; }
    const video = this.player.play(this.item, { muted: this.isMuted });
    this.scrubber.follow(video);
  }

  /** Plays as long as the picture is pressed. */
  pressed(event) {
    if (!this.player || !this.item || isLive(this.item) === false) return;
    event.preventDefault();
    this.element.focus({ preventScroll: true });
    this.player.timer = setTimeout(() => this.scrubber.follow(this.player.play(this.item, { muted: this.isMuted, loop: true })), isStill() ? 0 : 150);
    const end = () => { this.player?.stop(); removeEventListener("pointerup", end); removeEventListener("pointercancel", end); };
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  toggleSound() {
    this.isMuted = !this.isMuted;
    if (this.player?.video) this.player.video.muted = this.isMuted;
    const button = iconButton(this.isMuted ? "mute" : "sound", t(this.isMuted ? "action.sound" : "action.mute"), () => {});
    this.buttons.sound.replaceChildren(...button.childNodes);
    this.buttons.sound.title = button.title;
    this.buttons.sound.setAttribute("aria-label", button.title);
  }

  /** Opens or closes a part: presets, versions, facts, or the comparison. */
  toggle(part) {
    if (!this.item) return;
    if (part === "compare") {
      const isOpen = this.compare.toggle(this.item, this.picture);
      this.buttons.compare.setAttribute("aria-pressed", String(isOpen));
      return;
    }
    if (this[part].isOpen) this[part].close();
    else {
      if (part !== "facts") for (const other of ["presets", "versions"]) if (other !== part) this[other].close();
      this[part].show(this.item);
    }
    for (const name of ["presets", "versions", "facts"]) this.buttons[name].setAttribute("aria-expanded", String(this[name].isOpen));
    this.element.classList.toggle("withRow", this.presets.isOpen || this.versions.isOpen);
    this.element.classList.toggle("withPanel", this.facts.isOpen);
    this.fit();
  }

  /** Shows the bars, which go away when no hand moves for a while. */
  showBars() {
    this.element.classList.remove("quiet");
    clearTimeout(this.quietTimer);
    this.quietTimer = setTimeout(() => {
      const focus = document.activeElement;
      const isBusy = this.presets.isOpen || this.versions.isOpen || this.facts.isOpen || (focus !== this.element && this.element.contains(focus) && focus.matches(":focus-visible"));
      if (!isBusy) this.element.classList.add("quiet");
    }, 3000);
  }

  /**
   * A key while the viewer is open.
   * @returns {boolean} true if it meant something
   */
  keyed(event) {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return false;
    const onSlider = event.target instanceof HTMLInputElement || event.target?.getAttribute?.("role") === "slider";
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (onSlider && key.startsWith("Arrow")) return false;
    const onButton = event.target instanceof HTMLButtonElement;
    if (onButton && (key === " " || key === "Enter")) return false;
    const actions = {
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), " ": () => this.play(), Escape: () => this.escape(),
      r: () => this.run(event.shiftKey ? "turnLeft" : "turnRight"), h: () => this.run("flipHorizontal"), v: () => this.run("flipVertical"),
      b: () => this.compare.hold(this.item, this.picture), f: () => this.run("favourite"), i: () => this.toggle("facts"), p: () => this.toggle("presets"),
      e: () => this.onEdit(), z: () => this.run(event.shiftKey ? "redo" : "revert"), Delete: () => this.run("hide"), s: () => this.run("share"), c: () => this.toggle("compare"),
    };
    if (/^[1-9]$/.test(key)) { this.presets.applyNumber(Number(key)); return true; }
    if (!actions[key]) return false;
    event.preventDefault();
    actions[key]();
    return true;
  }

  released(event) { if (event.key.toLowerCase() === "b") this.compare.release(); }

  escape() {
    for (const part of ["presets", "versions", "facts"]) if (this[part].isOpen) { this.toggle(part); return; }
    if (this.compare.isOpen) this.toggle("compare");
    else this.onClose();
  }
}
