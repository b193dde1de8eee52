import { el } from "../core/dom.js";
import { get, movieURL } from "../core/api.js";
import { seconds, t } from "../core/strings.js";

/** @typedef {import("../core/types").Asset} Asset */

const FRAMES = 12;

/** The movie as a strip of frames, with a mark at the key photo and a position that can be dragged. */
export class Scrubber {
  /** @param {HTMLElement} picture shows the frame at the dragged position */
  constructor(picture) {
    this.picture = picture;
    /** @type {Asset|null} */
    this.item = null;
    /**
     * The movie whose frames are being drawn.
     * @type {HTMLVideoElement|null}
     */
    this.source = null;
    /**
     * The movie at the dragged position.
     * @type {HTMLVideoElement|null}
     */
    this.shown = null;
    this.canvas = el("canvas.strip", { "aria-hidden": "true" });
    this.mark = el("span.mark", { hidden: true });
    this.range = el("input", { type: "range", min: "0", max: "1000", value: "0", "aria-label": t("viewer.time") });
    this.element = el("div.scrubber", { hidden: true }, this.canvas, this.mark, this.range);
    this.range.addEventListener("input", () => this.sought());
    this.range.addEventListener("change", () => this.dropped());
  }

  /**
   * Shows the frames of an asset's movie; null hides the strip.
   * @param {Asset|null} item
   */
  show(item) {
    this.item = item;
    this.stop();
    this.element.hidden = !item;
    this.mark.hidden = true;
    this.range.value = "0";
    if (!item) return;
    const context = this.canvas.getContext("2d");
    context?.clearRect(0, 0, this.canvas.width, this.canvas.height);
    // The frames are not drawn while the user browses quickly through the pictures.
    this.waiting = setTimeout(() => { this.draw(item); this.markKeyPhoto(item); }, 350);
  }

  stop() {
    clearTimeout(this.waiting);
    this.source?.removeAttribute("src");
    this.source?.load();
    this.source = null;
    this.shown?.remove();
    this.shown = null;
  }

  /** @param {Asset} item */
  async markKeyPhoto(item) {
    /** @type {import("../core/types").InspectAnswer|null} */
    const facts = await get(`assets/${encodeURIComponent(item.id)}/inspect?version=current`).catch(() => null);
    const movie = facts?.files?.find((file) => file.movie)?.movie;
    if (this.item !== item || movie?.stillImageTime === undefined || !movie.seconds) return;
    this.mark.style.left = `${(100 * movie.stillImageTime) / movie.seconds}%`;
    this.mark.title = t("viewer.keyPhoto", { time: seconds(movie.stillImageTime) });
    this.mark.hidden = false;
  }

  /**
   * Draws evenly spaced frames, one after another.
   * @param {Asset} item
   */
  async draw(item) {
    const video = document.createElement("video");
    Object.assign(video, { muted: true, preload: "auto", src: movieURL(item) });
    this.source = video;
    const happens = (/** @type {string} */ name) => new Promise((resolve, reject) => {
      video.addEventListener(name, resolve, { once: true });
      video.addEventListener("error", reject, { once: true });
    });
    try {
      await happens("loadeddata");
      const ratio = video.videoWidth / video.videoHeight;
      const height = 48 * (globalThis.devicePixelRatio || 1);
      this.canvas.width = Math.round(FRAMES * height * ratio);
      this.canvas.height = Math.round(height);
      const context = this.canvas.getContext("2d");
      for (let number = 0; number < FRAMES && this.source === video; number += 1) {
        video.currentTime = (video.duration * (number + 0.5)) / FRAMES;
        await happens("seeked");
        context?.drawImage(video, number * height * ratio, 0, height * ratio, height);
      }
    } catch {
      if (this.source === video) this.element.hidden = true;
    }
  }

  /**
   * Follows a playing movie.
   * @param {HTMLVideoElement} video
   */
  follow(video) {
    const step = () => {
      if (!video.isConnected) { this.range.value = "0"; return; }
      if (video.duration) this.range.value = String(Math.round((1000 * video.currentTime) / video.duration));
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /** Shows the frame at the dragged position. */
  sought() {
    if (!this.item) return;
    if (!this.shown) {
      this.shown = el("video.movie.still", {
        muted: true, preload: "auto", src: movieURL(this.item), "aria-hidden": "true", tabindex: "-1",
      });
      this.shown.addEventListener("loadedmetadata", () => this.seek(), { once: true });
      this.picture.append(this.shown);
    }
    this.seek();
  }

  seek() {
    const video = this.shown;
    if (!video?.duration) return;
    const time = () => (video.duration * Number(this.range.value)) / 1000;
    this.range.setAttribute("aria-valuetext", seconds(Math.round(time() * 100) / 100));
    if (!video.seeking) video.currentTime = time();
    else {
      const again = () => { if (this.shown === video) video.currentTime = time(); };
      video.addEventListener("seeked", again, { once: true });
    }
  }

  /** Returns to the picture shortly after the drag has ended. */
  dropped() {
    clearTimeout(this.returning);
    this.returning = setTimeout(() => { this.shown?.remove(); this.shown = null; }, 1500);
  }
}
