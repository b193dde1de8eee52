import { el } from "../core/dom.js";
import { inWords } from "../core/badge.js";
import { pictureSize, pictureURL, thumbnailURL } from "../core/api.js";
import { Latest } from "../core/latest.js";
import { moment } from "../core/strings.js";

/** @typedef {import("../core/types").Asset} Asset */

/** The temporary rotation of a picture while the server creates the rotated one. */
const UPRIGHT = { degrees: 0, isMirrored: false };

/** The large picture of an asset, as large as the window allows. */
export class ViewerPicture {
  /** @param {() => void} onFail called if no picture of the asset can be created */
  constructor(onFail) {
    this.onFail = onFail;
    this.frame = el("div.picture");
    this.stage = el("div.stage", {}, this.frame);
    this.turned = UPRIGHT;
    /** Width divided by height; 0 if it isn't known yet. */
    this.shape = 0;
    /** The requests for pictures. */
    this.latest = new Latest();
  }

  /**
   * Returns the address of an asset's picture.
   * @param {Asset} item
   */
  address(item) {
    return pictureURL(item, {
      size: pictureSize(Math.max(this.stage.clientWidth, this.stage.clientHeight, 320)),
    });
  }

  /**
   * Shows an asset.
   * @param {Asset} item
   * @param {boolean} keepsOld whether the previous picture stays until the new one has loaded
   */
  show(item, keepsOld) { this.draw(item, keepsOld, this.latest.begin()); }

  /** Ignores pictures that are still loading. */
  close() { this.latest.end(); }

  /** @param {Asset} item @param {boolean} keepsOld @param {AbortSignal} signal */
  draw(item, keepsOld, signal, isSecondTry = false) {
    const old = keepsOld ? this.frame.querySelector("img:last-of-type") : null;
    const alt = inWords(item, item.date && moment(item.date));
    const sharp = el("img.sharp", { alt, draggable: "false", src: this.address(item) });
    const small = old ?? el("img.small", { alt: "", draggable: "false", src: thumbnailURL(item) });
    this.frame.replaceChildren(small, sharp);
    this.frame.setAttribute("aria-busy", "true");
    sharp.addEventListener("load", () => {
      if (signal.aborted) return;
      sharp.classList.add("loaded");
      this.frame.removeAttribute("aria-busy");
      small.remove();
      this.turn(UPRIGHT);
      this.fit(sharp.naturalWidth / sharp.naturalHeight);
    });
    sharp.addEventListener("error", () => {
      if (signal.aborted) return;
      sharp.remove();
      // The request may have been cancelled in favour of another view.
      if (!isSecondTry) {
        setTimeout(() => { if (!signal.aborted) this.draw(item, true, signal, true); }, 500);
        return;
      }
      this.frame.removeAttribute("aria-busy");
      this.onFail();
    });
    if (keepsOld) return;
    this.turn(UPRIGHT);
    this.fit((item.shape || 133) / 100);
  }

  /** Makes the picture as large as its aspect ratio allows. */
  fit(shape = this.shape) {
    const { clientWidth, clientHeight } = this.stage;
    if (!shape || !clientWidth) return;
    this.shape = shape;
    const width = Math.min(clientWidth, clientHeight * shape);
    Object.assign(this.frame.style, { width: `${Math.round(width)}px`, height: `${Math.round(width / shape)}px` });
    this.turn(this.turned);
  }

  /**
   * Rotates the picture until the rotated one has loaded.
   * @param {{degrees: number, isMirrored: boolean}} turned
   */
  turn(turned) {
    this.turned = turned;
    const { degrees, isMirrored } = turned;
    const sideways = degrees % 180 !== 0;
    const { clientWidth, clientHeight } = this.stage;
    const { offsetWidth: width, offsetHeight: height } = this.frame;
    const scale = sideways && height ? Math.min(clientWidth / height, clientHeight / width, 1.5) : 1;
    this.frame.style.transform = degrees || isMirrored
      ? `scale(${scale}) ${isMirrored ? "scaleX(-1) " : ""}rotate(${degrees}deg)` : "";
  }

  /**
   * Rotates the picture further.
   * @param {number} by the angle in degrees clockwise
   */
  turnBy(by) {
    const { degrees, isMirrored } = this.turned;
    this.turn({ degrees: degrees + by * (isMirrored ? -1 : 1), isMirrored });
  }

  /** Mirrors the picture horizontally. */
  mirror() { this.turn({ ...this.turned, isMirrored: !this.turned.isMirrored }); }

  /** Shows the picture as it is on the server. */
  reset() { this.turn(UPRIGHT); }
}
