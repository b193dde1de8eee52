import { el, isStill } from "./dom.js";
import { movieURL } from "./api.js";

/** The time in milliseconds for which the pointer must rest on a picture before its movie plays. */
const REST = 150;

/**
 * Plays a picture's movie while the pointer rests on the picture or presses it. The movie covers the picture with a
 * cross-fade.
 */
export class Player {
  /**
   * @param {HTMLElement} frame the element that contains the picture
   * @param {HTMLElement|null} badge the badge of the picture, whose outer ring fills while the movie loads
   */
  constructor(frame, badge = null) {
    this.frame = frame;
    this.badge = badge;
    /** @type {HTMLVideoElement|null} */
    this.video = null;
    this.timer = 0;
  }

  /**
   * Plays the movie of an asset, once or in a loop.
   * @param {import("./types").Asset} item
   * @param {{muted?: boolean, loop?: boolean}} options
   */
  play(item, { muted = true, loop = false } = {}) {
    this.stop();
    const video = el("video.movie", {
      muted, loop, playsinline: true, preload: "auto", src: movieURL(item), tabindex: "-1", "aria-hidden": "true",
    });
    video.disablePictureInPicture = true;
    this.video = video;
    this.badge?.classList.add("coming");
    video.addEventListener("canplay", () => this.badge?.classList.replace("coming", "ready"));
    video.addEventListener("playing", () => this.frame.classList.add("playing"));
    video.addEventListener("ended", () => { if (this.video === video) this.stop(); });
    video.addEventListener("error", () => {
      if (this.video !== video) return;
      this.stop();
      this.frame.dispatchEvent(new CustomEvent("unplayable", { bubbles: true, detail: { item } }));
    });
    this.frame.append(video);
    video.play().catch(() => {});
    return video;
  }

  /** Returns to the picture. */
  stop() {
    clearTimeout(this.timer);
    this.frame.classList.remove("playing");
    this.badge?.classList.remove("coming");
    const video = this.video;
    this.video = null;
    if (!video) return;
    video.pause();
    // The movie is removed after the cross-fade, so that the server stops sending it.
    setTimeout(() => { video.removeAttribute("src"); video.load(); video.remove(); }, isStill() ? 0 : 140);
  }

  /**
   * Plays the movie when a mouse rests on the frame.
   * @param {import("./types").Asset} item
   */
  rest(item) {
    clearTimeout(this.timer);
    if (isStill()) return;
    this.timer = setTimeout(() => this.play(item), REST);
  }
}
