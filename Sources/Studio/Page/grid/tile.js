import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { pictureSize, pictureURL, thumbnailURL } from "../core/api.js";
import { badge, inWords, isLive } from "../core/badge.js";
import { Player } from "../core/player.js";
import { moment, t } from "../core/strings.js";

/** @typedef {import("../core/types").Asset} Asset */

/** A picture of the grid. */
export class Tile {
  /**
   * @param {number} index the index of the asset in the list
   * @param {{onOpen: (index: number) => void, onSelect: (index: number, isRange: boolean) => void, onFocus: (index:
   *   number) => void}} actions
   */
  constructor(index, actions) {
    this.index = index;
    this.actions = actions;
    /** @type {Asset|null} */
    this.item = null;
    /** @type {Player|null} */
    this.player = null;
    this.shown = "";
    this.element = el("div.tile", { role: "option", tabindex: "-1", "aria-selected": "false", draggable: "true" });
    this.element.addEventListener("click", (event) => this.clicked(event));
    this.element.addEventListener("focus", () => actions.onFocus(this.index));
    this.element.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse") this.rest();
    });
    this.element.addEventListener("pointerleave", () => this.leave());
    this.element.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") this.press();
    });
    for (const end of ["pointerup", "pointercancel"]) {
      this.element.addEventListener(end, () => { if (this.pressing) this.leave(); });
    }
    this.element.addEventListener("contextmenu", (event) => { if (this.pressing) event.preventDefault(); });
    this.pressing = false;
    /** The position and size, as text. */
    this.where = "";
    /** The longer side in pixels. */
    this.longer = 0;
  }

  /**
   * Sets the position and size.
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {number} height
   */
  place(left, top, width, height) {
    const where = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
    const text = Object.values(where).join(" ");
    if (text === this.where) return;
    this.where = text;
    Object.assign(this.element.style, where);
    this.longer = Math.max(width, height);
  }

  /**
   * Shows an asset; null while it is not loaded.
   * @param {Asset|null} item
   * @param {{isSelected: boolean, isCurrent: boolean, count: number}} state
   */
  show(item, { isSelected, isCurrent, count }) {
    this.element.setAttribute("aria-selected", String(isSelected));
    this.element.setAttribute("aria-posinset", String(this.index + 1));
    this.element.setAttribute("aria-setsize", String(count));
    this.element.tabIndex = isCurrent ? 0 : -1;
    const look = item ? [item.id, item.revision, item.favourite, item.hidden, item.edited].join() : "";
    if (look === this.shown) return;
    this.player?.stop();
    const isSame = item && this.item?.id === item.id;
    this.item = item;
    this.shown = look;
    if (!item) {
      this.element.replaceChildren();
      this.element.setAttribute("aria-label", t("viewer.loading"));
      return;
    }
    this.element.setAttribute("aria-label", inWords(item, item.date && moment(item.date)));
    const sign = badge(item);
    const old = isSame ? this.element.querySelector("img:last-of-type") : null;
    const picture = el("span.picture", {}, old, ...this.pictures(item, Boolean(old)));
    this.element.replaceChildren(picture, sign ?? "", this.marks(item),
      el("span.ring", { "aria-hidden": "true", title: "" }, icon("check")));
    this.player = isLive(item) || item.kind === "movie" ? new Player(picture, sign) : null;
  }

  /**
   * Shows the thumbnail in the file, and then a sharp picture over it.
   * @param {Asset} item
   * @param {boolean} hasOld whether an earlier picture is already shown
   */
  pictures(item, hasOld) {
    const attributes = { alt: "", decoding: "async", draggable: "false" };
    const sharp = el("img.sharp", { ...attributes, src: pictureURL(item, { size: pictureSize(this.longer) }) });
    const small = hasOld ? null : el("img.small", { ...attributes, src: thumbnailURL(item) });
    sharp.addEventListener("load", () => { sharp.classList.add("loaded"); small?.remove(); });
    sharp.addEventListener("error", () => { sharp.remove(); this.again(item); });
    small?.addEventListener("error", () => small.remove());
    return [small, sharp];
  }

  /**
   * Requests a picture again that was cancelled because the view had moved.
   * @param {Asset} item
   */
  again(item) {
    if (this.item !== item || this.hasTriedAgain) return;
    this.hasTriedAgain = true;
    setTimeout(() => {
      if (!this.element.isConnected || this.item !== item) return;
      const src = pictureURL(item, { size: pictureSize(this.longer) });
      const sharp = el("img.sharp", { alt: "", draggable: "false", src });
      sharp.addEventListener("load", () => sharp.classList.add("loaded"));
      sharp.addEventListener("error", () => {
        sharp.remove();
        this.element.classList.add("broken");
        this.element.title = t("error.picture");
      });
      this.element.querySelector(".picture")?.append(sharp);
    }, 600);
  }

  /** @param {Asset} item */
  marks(item) {
    const count = item.burstCount ?? 0;
    const signs = [
      item.edited && icon("pencil"), item.favourite && icon("heart"), item.hidden && icon("eyeOff"),
      count > 1 && el("span.burst", {}, icon("burst"), String(count)),
    ];
    return signs.some(Boolean) ? el("span.marks", { "aria-hidden": "true" }, ...signs) : "";
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const isRing = event.target instanceof Element && event.target.closest(".ring");
    if (isRing || event.shiftKey || event.ctrlKey || event.metaKey) {
      this.actions.onSelect(this.index, event.shiftKey);
    } else if (!this.wasPressed) {
      this.actions.onOpen(this.index);
    }
    this.wasPressed = false;
  }

  rest() { if (this.item && this.player) this.player.rest(this.item); }

  leave() {
    clearTimeout(this.holding);
    if (this.pressing) this.wasPressed = true;
    this.pressing = false;
    this.player?.stop();
  }

  /** A long touch plays the movie instead of opening the asset. */
  press() {
    this.wasPressed = false;
    this.holding = setTimeout(() => {
      if (!this.item || !this.player) return;
      this.pressing = true;
      this.player.play(this.item);
    }, 350);
    this.element.addEventListener("pointerup", () => clearTimeout(this.holding), { once: true });
  }

  remove() {
    this.player?.stop();
    this.element.remove();
  }
}
