import { el, followDrag } from "../core/dom.js";
import { movieURL } from "../core/api.js";
import { Slider } from "./slider.js";
import { seconds, t } from "../core/strings.js";

const EFFECTS = ["none", "loop", "bounce", "longExposure"];

/** Time and sound: a filmstrip with the ends of what is kept and the key photo, the sound, the effect, and Live off. */
export class MotionTool {
  /** @param {(tag: string, change: (edit: any) => any, isMoving: boolean) => void} onChange
   *  @param {(time: number) => void} onLook shows the frame of a time */
  constructor(onChange, onLook) {
    Object.assign(this, { onChange, onLook });
    this.strip = /** @type {HTMLCanvasElement} */ (el("canvas.frames", { "aria-hidden": "true" }));
    const handle = (name) => el(`span.handle.${name}`, { tabindex: "0", role: "slider", "data-end": name, "aria-label": t(`edit.motion.${name}`) });
    [this.start, this.end, this.key] = ["start", "end", "key"].map(handle);
    this.kept = el("span.kept", { "aria-hidden": "true" });
    this.film = el("div.film", {}, this.strip, this.kept, this.start, this.end, this.key);
    this.said = el("p.note", { "aria-live": "polite" });
    this.volume = new Slider({ name: "volume", minimum: 0, maximum: 1, neutral: 1, digits: 2 }, (value, isMoving) => this.set("volume", value === 1 ? undefined : value, isMoving));
    this.effect = el("select", { "aria-label": t("edit.motion.effect"), onchange: () => this.set("effect", this.effect.value === "none" ? undefined : this.effect.value) },
      ...EFFECTS.map((name) => el("option", { value: name }, t(`edit.effect.${name}`))));
    this.live = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox", onchange: () => this.set("live", this.live.checked ? undefined : false) }));
    this.panel = el("div.tools", {}, this.film, this.said,
      el("div.line", {}, el("button", { type: "button", onclick: () => this.set("trim", undefined) }, t("edit.motion.all")),
        el("button", { type: "button", onclick: () => this.set("keyPhoto", undefined) }, t("edit.motion.taken"))),
      this.volume.element, el("label.choice", {}, t("edit.motion.effect"), this.effect), el("label.choice", {}, this.live, t("edit.motion.live")));
    for (const one of [this.start, this.end, this.key]) {
      one.addEventListener("pointerdown", (event) => this.grab(event, one));
      one.addEventListener("keydown", (event) => this.keyed(event, one));
    }
  }

  /**
   * Takes an asset's movie.
   * @param {import("../core/api.js").Asset} item
   * @param {{frames: number[], seconds: number, keyPhoto?: number, hasSound: boolean}|null} movie
   */
  open(item, movie, hasPhoto) {
    this.movie = movie;
    this.key.hidden = !hasPhoto;
    this.volume.element.hidden = !movie?.hasSound;
    this.live.closest("label").hidden = !hasPhoto;
    if (movie) this.drawFrames(item);
  }

  /** Shows what an edit says. */
  show(edit) {
    if (!this.movie) return;
    const motion = edit.motion ?? {};
    const [from, to] = motion.trim ?? [0, this.movie.seconds];
    this.places = { start: from, end: Math.min(to, this.movie.seconds), key: motion.keyPhoto ?? this.movie.keyPhoto ?? 0 };
    const share = (time) => `${(100 * time) / this.movie.seconds}%`;
    for (const name of ["start", "end", "key"]) {
      this[name].style.left = share(this.places[name]);
      for (const [attribute, value] of [["valuemin", 0], ["valuemax", this.movie.seconds], ["valuenow", this.places[name]]]) this[name].setAttribute(`aria-${attribute}`, String(Number(value.toFixed(3))));
      this[name].setAttribute("aria-valuetext", seconds(this.places[name]));
    }
    Object.assign(this.kept.style, { left: share(this.places.start), right: share(this.movie.seconds - this.places.end) });
    this.said.textContent = t("edit.motion.kept", { from: seconds(this.places.start), to: seconds(this.places.end), key: seconds(this.places.key) });
    this.volume.show(motion.volume ?? 1);
    this.effect.value = motion.effect ?? "none";
    this.live.checked = motion.live !== false;
  }

  set(name, value, isMoving = false) { this.onChange(name, (edit) => { (edit.motion ??= {})[name] = value; }, isMoving); }

  /** Puts an end, or the key photo, at the frame that is nearest to a time. */
  put(name, time, isMoving) {
    const { look, part, value } = placed(name, time, this.movie, { ...this.places, key: this.key.hidden ? null : this.places.key });
    this.onLook(look);
    this.set(part, value, isMoving);
  }

  grab(event, handle) {
    event.preventDefault();
    handle.focus();
    const { left, width } = this.film.getBoundingClientRect();
    let time = this.places[handle.dataset.end];
    const move = (now) => { time = Math.min(Math.max((now.clientX - left) / width, 0), 1) * this.movie.seconds; this.put(handle.dataset.end, time, true); };
    followDrag(move, () => this.put(handle.dataset.end, time, false));
  }

  /** Arrows go from frame to frame, with Shift by ten. */
  keyed(event, handle) {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const name = handle.dataset.end;
    const ends = name === "end" ? [...this.movie.frames, this.movie.seconds] : this.movie.frames;
    const now = ends.reduce((best, one, index) => (Math.abs(one - this.places[name]) < Math.abs(ends[best] - this.places[name]) ? index : best), 0);
    this.put(name, ends[Math.min(Math.max(now + by * (event.shiftKey ? 10 : 1), 0), ends.length - 1)], false);
  }

  /** Draws frames of the unedited movie at equal distances. */
  async drawFrames(item) {
    const video = document.createElement("video");
    Object.assign(video, { muted: true, preload: "auto", src: movieURL(item, "base") });
    const happens = (name) => new Promise((resolve, reject) => {
      video.addEventListener(name, resolve, { once: true });
      video.addEventListener("error", reject, { once: true });
    });
    this.source = video;
    try {
      await happens("loadeddata");
      const height = 48 * (globalThis.devicePixelRatio || 1), width = (height * video.videoWidth) / video.videoHeight;
      // As many as have room in their own shape.
      const count = Math.max(2, Math.round(((this.film.clientWidth || 280) * (height / 52)) / width));
      Object.assign(this.strip, { width: Math.round(count * width), height: Math.round(height) });
      const context = this.strip.getContext("2d");
      for (let number = 0; number < count && this.source === video; number += 1) {
        video.currentTime = (video.duration * (number + 0.5)) / count;
        await happens("seeked");
        context.drawImage(video, number * width, 0, width, height);
      }
    } catch {
      // Without its frames the strip is a plain way.
    }
    video.removeAttribute("src");
    video.load();
  }

  close() { this.source = null; }
}

/**
 * Moves an end of the trimmed range, or the key photo, to the frame that is nearest to a time. The key photo stays in the range.
 * @param {"start"|"end"|"key"} name
 * @param {number} time in seconds
 * @param {{frames: number[], seconds: number}} movie the times of its frames and its duration, in seconds
 * @param {{start: number, end: number, key: number|null}} places the current times; `key` is null if the asset has no photo
 * @returns {{look: number, part: "trim"|"keyPhoto", value: any}} the time of the frame to display, and a part of the edit with its new value,
 *   undefined for the whole movie
 */
export function placed(name, time, { frames, seconds: length }, { start, end, key }) {
  const near = (list) => list.reduce((best, one) => (Math.abs(one - time) < Math.abs(best - time) ? one : best), list[0]);
  const sixth = (one) => Number(one.toFixed(6));
  if (name === "key") {
    const look = near(frames.filter((one) => one >= start - 0.0005 && one < end - 0.0005));
    return { look, part: "keyPhoto", value: sixth(look) };
  }
  const chosen = name === "start" ? near(frames.filter((one) => one < end - 0.0005 && (key === null || one <= key + 0.0005)))
    : near([...frames, length].filter((one) => one > start + 0.0005 && (key === null || one > key + 0.0005)));
  const pair = name === "start" ? [chosen, end] : [start, chosen];
  const isAll = pair[0] <= frames[0] && pair[1] >= length - 0.0005;
  // At the end, the last frame in the range is displayed.
  const look = name === "start" ? chosen : frames.findLast((one) => one <= chosen - 0.0005) ?? frames[0];
  return { look, part: "trim", value: isAll ? undefined : pair.map(sixth) };
}
