import { el, followDrag } from "../core/dom.js";
import { movieURL } from "../core/api.js";
import { Slider } from "./slider.js";
import { seconds, t } from "../core/strings.js";

/** @typedef {import("../core/types").Motion} Motion */
/** @typedef {import("../core/types").SourceMovie} SourceMovie */
/** @typedef {"start"|"end"|"key"} End a handle of the filmstrip: an end of the trimmed range, or the key photo */

/** @type {End[]} */
const ENDS = ["start", "end", "key"];

/** @type {import("../core/types").Effect[]} */
const EFFECTS = ["loop", "bounce", "longExposure"];

/**
 * The controls for time and audio: a filmstrip with the ends of the trimmed range and the key photo, the audio, the
 * effect, and Live off.
 */
export class MotionTool {
  /**
   * @param {import("../core/types").TakeChange} onChange
   * @param {(time: number) => void} onLook shows the frame at a time
   */
  constructor(onChange, onLook) {
    this.onChange = onChange;
    this.onLook = onLook;
    /** @type {SourceMovie|null} */
    this.movie = null;
    /**
     * The movie whose frames are being drawn.
     * @type {HTMLVideoElement|null}
     */
    this.source = null;
    /** The times of the handles, in seconds. */
    this.places = { start: 0, end: 0, key: 0 };
    this.strip = el("canvas.frames", { "aria-hidden": "true" });
    this.handles = { start: this.handle("start"), end: this.handle("end"), key: this.handle("key") };
    this.kept = el("span.kept", { "aria-hidden": "true" });
    this.film = el("div.film", {}, this.strip, this.kept, this.handles.start, this.handles.end, this.handles.key);
    this.said = el("p.note", { "aria-live": "polite" });
    this.volume = new Slider({ name: "volume", minimum: 0, maximum: 1, neutral: 1, digits: 2 },
      (value, isMoving) => this.set("volume", value === 1 ? undefined : value, isMoving));
    const chosen = () => this.set("effect", EFFECTS.find((name) => name === this.effect.value));
    this.effect = el("select", { "aria-label": t("edit.motion.effect"), onchange: chosen },
      ...["none", ...EFFECTS].map((name) => el("option", { value: name }, t(`edit.effect.${name}`))));
    const switched = () => this.set("live", this.live.checked ? undefined : false);
    this.live = el("input", { type: "checkbox", onchange: switched });
    this.switch = el("label.choice", {}, this.live, t("edit.motion.live"));
    /** @param {"trim"|"keyPhoto"} part @param {string} name */
    const reset = (part, name) => el("button", { type: "button", onclick: () => this.set(part, undefined) }, t(name));
    this.panel = el("div.tools", {}, this.film, this.said,
      el("div.line", {}, reset("trim", "edit.motion.all"), reset("keyPhoto", "edit.motion.taken")),
      this.volume.element, el("label.choice", {}, t("edit.motion.effect"), this.effect), this.switch);
  }

  /**
   * Creates a handle that is dragged along the filmstrip.
   * @param {End} name
   */
  handle(name) {
    const handle = el(`span.handle.${name}`, {
      tabindex: "0", role: "slider", "data-end": name, "aria-label": t(`edit.motion.${name}`),
    });
    handle.addEventListener("pointerdown", (event) => { event.preventDefault(); handle.focus(); this.grab(name); });
    handle.addEventListener("keydown", (event) => this.keyed(event, name));
    return handle;
  }

  /**
   * Shows the movie of an asset.
   * @param {import("../core/types").Asset} item
   * @param {SourceMovie|null} movie
   * @param {boolean} hasPhoto
   */
  open(item, movie, hasPhoto) {
    this.movie = movie;
    this.handles.key.hidden = !hasPhoto;
    this.volume.element.hidden = !movie?.hasSound;
    this.switch.hidden = !hasPhoto;
    if (movie) this.drawFrames(item);
  }

  /**
   * Shows the values of an edit.
   * @param {import("../core/types").Edit} edit
   */
  show(edit) {
    if (!this.movie) return;
    const { seconds: length, keyPhoto } = this.movie;
    const motion = edit.motion ?? {};
    const [from, to] = motion.trim ?? [0, length];
    const places = (this.places = { start: from, end: Math.min(to, length), key: motion.keyPhoto ?? keyPhoto ?? 0 });
    const share = (/** @type {number} */ time) => `${(100 * time) / length}%`;
    for (const name of ENDS) {
      const [handle, place] = [this.handles[name], places[name]];
      handle.style.left = share(place);
      for (const [attribute, value] of Object.entries({ min: 0, max: length, now: place })) {
        handle.setAttribute(`aria-value${attribute}`, String(Number(value.toFixed(3))));
      }
      handle.setAttribute("aria-valuetext", seconds(place));
    }
    Object.assign(this.kept.style, { left: share(places.start), right: share(length - places.end) });
    this.said.textContent = t("edit.motion.kept", {
      from: seconds(places.start), to: seconds(places.end), key: seconds(places.key),
    });
    this.volume.show(motion.volume ?? 1);
    this.effect.value = motion.effect ?? "none";
    this.live.checked = motion.live !== false;
  }

  /**
   * Sets a part of the edit; undefined removes it.
   * @template {keyof Motion} Part
   * @param {Part} name
   * @param {Motion[Part]} value
   */
  set(name, value, isMoving = false) {
    this.onChange(name, (edit) => { (edit.motion ??= {})[name] = value; }, isMoving);
  }

  /**
   * Moves an end, or the key photo, to the frame nearest to a time.
   * @param {End} name
   * @param {number} time
   * @param {boolean} isMoving
   */
  put(name, time, isMoving) {
    if (!this.movie) return;
    const key = this.handles.key.hidden ? null : this.places.key;
    const { look, part, value } = placed(name, time, this.movie, { ...this.places, key });
    this.onLook(look);
    this.set(part, value, isMoving);
  }

  /**
   * Follows the drag of a handle.
   * @param {End} name
   */
  grab(name) {
    const { left, width } = this.film.getBoundingClientRect();
    let time = this.places[name];
    followDrag((now) => {
      time = Math.min(Math.max((now.clientX - left) / width, 0), 1) * (this.movie?.seconds ?? 0);
      this.put(name, time, true);
    }, () => this.put(name, time, false));
  }

  /**
   * Moves a handle by one frame with the arrow keys, by ten with Shift.
   * @param {KeyboardEvent} event
   * @param {End} name
   */
  keyed(event, name) {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!by || !this.movie) return;
    event.preventDefault();
    event.stopPropagation();
    const ends = name === "end" ? [...this.movie.frames, this.movie.seconds] : this.movie.frames;
    const distance = (/** @type {number} */ index) => Math.abs(ends[index] - this.places[name]);
    const now = ends.reduce((best, _, index) => (distance(index) < distance(best) ? index : best), 0);
    this.put(name, ends[Math.min(Math.max(now + by * (event.shiftKey ? 10 : 1), 0), ends.length - 1)], false);
  }

  /**
   * Draws evenly spaced frames of the unedited movie.
   * @param {import("../core/types").Asset} item
   */
  async drawFrames(item) {
    const video = document.createElement("video");
    Object.assign(video, { muted: true, preload: "auto", src: movieURL(item, "base") });
    const happens = (/** @type {string} */ name) => new Promise((resolve, reject) => {
      video.addEventListener(name, resolve, { once: true });
      video.addEventListener("error", reject, { once: true });
    });
    this.source = video;
    try {
      await happens("loadeddata");
      const height = 48 * (globalThis.devicePixelRatio || 1);
      const width = (height * video.videoWidth) / video.videoHeight;
      // As many frames as fit at their own aspect ratio.
      const count = Math.max(2, Math.round(((this.film.clientWidth || 280) * (height / 52)) / width));
      Object.assign(this.strip, { width: Math.round(count * width), height: Math.round(height) });
      const context = this.strip.getContext("2d");
      for (let number = 0; number < count && this.source === video; number += 1) {
        video.currentTime = (video.duration * (number + 0.5)) / count;
        await happens("seeked");
        context?.drawImage(video, number * width, 0, width, height);
      }
    } catch {
      // If the frames cannot be drawn, the strip stays plain.
    }
    video.removeAttribute("src");
    video.load();
  }

  close() { this.source = null; }
}

/**
 * Moves an end of the trimmed range, or the key photo, to the frame that is nearest to a time. The key photo stays in
 * the range.
 * @param {End} name
 * @param {number} time the time in seconds
 * @param {{frames: number[], seconds: number}} movie the times of its frames and its duration, in seconds
 * @param {{start: number, end: number, key: number|null}} places the current times; `key` is null if the asset has no
 *   photo
 * @returns {{look: number, part: "trim", value: number[]|undefined}|{look: number, part: "keyPhoto", value: number}}
 *   the time of the frame to display, and a part of the edit with its new value, undefined for the whole movie
 */
export function placed(name, time, { frames, seconds: length }, { start, end, key }) {
  const distance = (/** @type {number} */ one) => Math.abs(one - time);
  /** @param {number[]} list */
  const near = (list) => list.reduce((best, one) => (distance(one) < distance(best) ? one : best), list[0]);
  const sixth = (/** @type {number} */ one) => Number(one.toFixed(6));
  if (name === "key") {
    const look = near(frames.filter((one) => one >= start - 0.0005 && one < end - 0.0005));
    return { look, part: "keyPhoto", value: sixth(look) };
  }
  const starts = frames.filter((one) => one < end - 0.0005 && (key === null || one <= key + 0.0005));
  const ends = [...frames, length].filter((one) => one > start + 0.0005 && (key === null || one > key + 0.0005));
  const chosen = near(name === "start" ? starts : ends);
  const pair = name === "start" ? [chosen, end] : [start, chosen];
  const isAll = pair[0] <= frames[0] && pair[1] >= length - 0.0005;
  // At the end, the last frame in the range is displayed.
  const look = name === "start" ? chosen : frames.filter((one) => one <= chosen - 0.0005).at(-1) ?? frames[0];
  return { look, part: "trim", value: isAll ? undefined : pair.map(sixth) };
}
