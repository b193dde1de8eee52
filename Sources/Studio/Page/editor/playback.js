import { movieURL } from "../core/api.js";
import { t } from "../core/strings.js";
import { isEqual } from "./draft.js";
import { changesMovie, EffectMovie } from "./effect.js";

/** The time in milliseconds without changes before the movie of an effect is created again. */
const PAUSE = 600;

/**
 * @typedef {Object} PlaybackCallbacks
 * @property {(source: ImageBitmap|HTMLVideoElement) => void} show draws the edit on another picture, or on a movie
 * @property {() => void} draw draws the edit again
 * @property {(text: string) => void} say shows the progress of an effect's movie
 * @property {(text: string) => void} tell shows an error message
 * @property {(isPlaying: boolean) => void} onPlaying
 * @property {() => boolean} isHeard whether the movie is played with its audio
 */

/** The picture on which the edit is drawn: the photo, a frame of the movie, or the playing movie. */
export class Playback {
  /** @param {PlaybackCallbacks} callbacks */
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.effect = new EffectMovie(callbacks.say);
    /** @type {import("./session.js").Session|null} */
    this.session = null;
    /**
     * The displayed half.
     * @type {"photo"|"movie"}
     */
    this.shown = "photo";
    /** The time of the displayed frame in seconds. */
    this.time = 0;
    /** @type {HTMLVideoElement|null} */
    this.player = null;
    /**
     * The time of the displayed key photo.
     * @type {number|undefined}
     */
    this.keyPhoto = undefined;
    /**
     * The effect that was followed last.
     * @type {import("../core/types").Effect|undefined}
     */
    this.chosenEffect = undefined;
    /** The timer that creates the movie of an effect again; 0 if it is not running. */
    this.remaking = 0;
  }

  /**
   * Shows an asset.
   * @param {import("./session.js").Session} session
   */
  open(session) {
    this.session = session;
    this.chosenEffect = session.motion.effect;
    this.showStill();
  }

  close() {
    this.effect.stop();
    this.forgetRemaking();
    this.player?.removeAttribute("src");
    this.player?.load();
    this.session = this.player = null;
    this.keyPhoto = undefined;
  }

  get isPlaying() { return Boolean(this.player && !this.player.paused); }

  /** Shows the photo, or the frame from which it is made. */
  showStill() {
    const { session } = this;
    if (!session) return;
    this.stop();
    const { keyPhoto } = session.motion;
    this.shown = session.still && keyPhoto === undefined ? "photo" : "movie";
    if (session.still && this.shown === "photo") this.callbacks.show(session.still);
    else this.lookAt(keyPhoto ?? session.movie?.frames[0] ?? 0);
  }

  /**
   * Creates an element for the unedited movie in the form that browsers play.
   * @param {import("../core/types").Asset} item
   */
  video(item) {
    if (this.player) return this.player;
    const player = (this.player = document.createElement("video"));
    Object.assign(player, { muted: true, playsInline: true, preload: "auto", src: movieURL(item, "base") });
    player.addEventListener("timeupdate", () => this.bound(player));
    player.addEventListener("ended", () => this.bound(player));
    player.addEventListener("error", () => this.callbacks.tell(t("error.movie")));
    return player;
  }

  /**
   * Shows the frame at a time, with the edit.
   * @param {number} time the time in seconds
   */
  lookAt(time) {
    if (!this.session?.movie) return;
    this.shown = "movie";
    this.time = time;
    const video = this.video(this.session.item);
    // Slightly after the frame's start, so that rounding never shows the previous frame.
    video.currentTime = time + 0.002;
    this.callbacks.show(video);
    this.callbacks.draw();
  }

  /** Plays the trimmed range with the edit in a loop, or stops it. */
  play() {
    const { session } = this;
    if (!session?.movie) return;
    if (this.effect.isActive || this.isPlaying) { this.showStill(); this.callbacks.draw(); return; }
    this.shown = "movie";
    const [from] = session.motion.trim ?? [0];
    const video = this.video(session.item);
    video.currentTime = from;
    video.muted = !this.callbacks.isHeard();
    this.callbacks.show(video);
    video.play().catch(() => {});
    this.callbacks.onPlaying(true);
    if (changesMovie(session.motion.effect)) this.playEffect();
    this.callbacks.draw();
  }

  /** Requests the movie of the edit's effect; until it arrives, the movie plays without the effect. */
  async playEffect() {
    if (!this.session) return;
    const { item, draft } = this.session;
    try {
      if (await this.effect.play(item, draft.value)) this.player?.pause();
    } catch (error) {
      this.callbacks.tell(error.message);
    }
  }

  /**
   * Follows a change of the edit.
   * @param {boolean} isMoving
   */
  follow(isMoving) {
    const { session } = this;
    if (!session) return;
    const { keyPhoto, volume } = session.motion;
    if (keyPhoto !== this.keyPhoto && !isMoving) {
      this.keyPhoto = keyPhoto;
      if (!this.isPlaying) this.showStill();
    }
    if (this.player) this.player.volume = volume ?? 1;
    if (session.movie && !isMoving) this.followEffect(session);
  }

  /**
   * Shows an effect as soon as it is chosen. The movie of a playing effect is created again after another change.
   * @param {import("./session.js").Session} session
   */
  followEffect(session) {
    const { effect } = session.motion;
    const isAwaited = this.forgetRemaking();
    if (effect !== this.chosenEffect) {
      this.chosenEffect = effect;
      const wasActive = this.effect.isActive;
      this.effect.stop();
      if (changesMovie(effect)) { if (this.isPlaying) this.playEffect(); else this.play(); }
      else if (wasActive) this.showStill();
    } else if (isAwaited || (this.effect.current && !isEqual(this.effect.current.edit, session.draft.value))) {
      this.effect.stop();
      this.player?.play().catch(() => {});
      this.remaking = setTimeout(() => { this.remaking = 0; if (this.isPlaying) this.playEffect(); }, PAUSE);
    }
  }

  /** Cancels the timer that creates an effect's movie again; returns true if it was running. */
  forgetRemaking() {
    clearTimeout(this.remaking);
    const wasAwaited = Boolean(this.remaking);
    this.remaking = 0;
    return wasAwaited;
  }

  /**
   * Restarts the movie at the end of the trimmed range.
   * @param {HTMLVideoElement} video
   */
  bound(video) {
    if (video !== this.player) return;
    const [from, to] = this.session?.motion.trim ?? [0, Infinity];
    if (video.ended || (!video.paused && video.currentTime >= to)) {
      video.currentTime = from;
      video.play().catch(() => {});
    }
  }

  stop() {
    this.forgetRemaking();
    this.effect.stop();
    this.player?.pause();
    this.callbacks.onPlaying(false);
  }
}
