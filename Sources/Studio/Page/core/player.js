import { el, isStill } from "./dom.js";
import { movieURL } from "./api.js";

/** How long a hand rests on a picture before it plays, in milliseconds. */
const REST = 150;

/**
 * Lets a picture play its movie: after resting on it, or while it is pressed. Both lie on each other and are
 * cross-faded.
 */
export class Player {
  /**
   * @param {HTMLElement} frame what holds the picture
   * @param {HTMLElement|null} badge its sign, whose outer ring fills while the movie comes
   */
  constructor(frame, badge = null) {
    this.frame = frame;
    this.badge = badge;
    /** @type {HTMLVideoElement|null} */
    this.video = null;
    this.timer = 0;
  }

  /**
   * Plays the movie of an asset, once or over and over.
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

  /** Goes back to the picture. */
  stop() {
    clearTimeout(this.timer);
    this.frame.classList.remove("playing");
    this.badge?.classList.remove("coming");
    const video = this.video;
    this.video = null;
    if (!video) return;
    video.pause();
    // Gone when the cross-fade is over; the server need not go on with it.
    setTimeout(() => { video.removeAttribute("src"); video.load(); video.remove(); }, isStill() ? 0 : 140);
  }

  /**
   * Plays when a mouse rests on the frame.
   * @param {import("./types").Asset} item
   */
  rest(item) {
    clearTimeout(this.timer);
    if (isStill()) return;
    this.timer = setTimeout(() => this.play(item), REST);
  }
}
