import { address, askWith } from "../core/api.js";
import { isEqual } from "./draft.js";
import { el } from "../core/dom.js";
import { Latest } from "../core/latest.js";
import { t } from "../core/strings.js";

/** @typedef {import("../core/types").Edit} Edit */

/** The time in milliseconds without changes before the full-size picture is requested. */
const REST = 500;

/** The parameters that no shader shows, by the part of an edit that contains them. */
const OWN = { detail: ["noiseReduction", "sharpness"], effects: ["grain", "grainSize"] };

/**
 * @typedef {Object} Wanted a request for the engine to paint the picture on the canvas
 * @property {import("../core/types").Asset} item
 * @property {Edit} edit
 * @property {number} size the longer side of the canvas in pixels
 * @property {number} [time] the time of the movie's frame; missing for the photo
 * @property {string} parts the displayed names of the parts that the canvas omits
 * @property {boolean} hasExact whether a full-size picture is wanted later
 */
/** @typedef {Wanted & {shader: Edit, name?: string}} Asked `shader` is the edit as the shader shows it */

/**
 * Returns an edit in the form that the shader shows.
 * @param {Edit} edit
 */
function forShader(edit) {
  const copy = structuredClone(edit);
  for (const [part, names] of Object.entries(OWN)) {
    for (const name of names) delete copy[part]?.[name];
    if (copy[part] && !Object.keys(copy[part]).length) delete copy[part];
  }
  return copy;
}

/**
 * Returns whether the canvas shows two pictures identically.
 * @param {Asked} one
 * @param {Asked} other
 */
function looksAs(one, other) {
  return one.item === other.item && one.time === other.time && isEqual(one.shader, other.shader);
}

/**
 * The engine's picture of an edit, shown over the canvas, and a note while the picture is being created. Only one
 * request is in progress at a time; after that, the latest one is sent.
 */
export class EnginePicture {
  constructor() {
    this.image = el("img.engine", { alt: "", hidden: true });
    this.note = el("p.coming", { role: "status", hidden: true });
    /** @type {Asked|null} */
    this.wanted = null;
    /** @type {(Asked & {isExact: boolean})|null} */
    this.painted = null;
    /** @type {Asked|null} */
    this.last = null;
    this.isBusy = false;
    /** The requests for full-size pictures. */
    this.exact = new Latest();
  }

  /**
   * Follows an edit. An earlier picture stays over the canvas as long as the canvas would show the same.
   * @param {Wanted} picture
   * @param {boolean} isNeeded whether the canvas omits something
   * @param {boolean} isMoving whether a drag is in progress; only effects that the canvas omits are painted then
   */
  follow(picture, isNeeded, isMoving) {
    /** @type {Asked} */
    const one = { ...picture, shader: forShader(picture.edit) };
    const isOwn = this.last !== null && looksAs(this.last, one);
    this.last = one;
    const { painted } = this;
    const isPainted = painted?.isExact && painted.size === one.size && looksAs(painted, one);
    if (isPainted && !isMoving && isEqual(painted.edit, one.edit)) return;
    this.finish(isMoving || !one.hasExact ? null : one);
    if (!isNeeded) {
      this.wanted = null;
      this.say("");
      this.hide();
      return;
    }
    if (this.painted && !looksAs(this.painted, one)) this.hide();
    this.wanted = isMoving && !isOwn ? null : one;
    this.say(t("edit.coming"));
    if (!this.isBusy) this.work();
  }

  /**
   * Makes the engine decode a photo in advance, so that the first picture is not delayed.
   * @param {import("../core/types").Asset} item
   */
  warm(item) {
    const route = `api/1/assets/${encodeURIComponent(item.id)}/picture`;
    fetch(address(route, { edit: "{}", size: 400 })).catch(() => {});
  }

  /** Shows only the canvas, optionally with a reason. */
  clear(reason = "") {
    this.finish(null);
    this.wanted = null;
    this.hide();
    this.say(reason);
  }

  /**
   * After a pause, replaces the displayed picture with the full-size one, which equals the future render.
   * @param {Asked|null} one
   */
  finish(one) {
    clearTimeout(this.waiting);
    this.exact.end();
    if (!one || !Object.keys(one.edit).length) return;
    const signal = this.exact.begin();
    this.waiting = setTimeout(async () => {
      const image = await this.fetch(one, signal).catch(() => null);
      if (!image) return;
      if (signal.aborted) URL.revokeObjectURL(image.src);
      else this.show(image, one, true);
    }, REST);
  }

  /** @param {HTMLImageElement} image @param {Asked} one */
  show(image, one, isExact = false) {
    this.image.replaceWith(image);
    URL.revokeObjectURL(this.image.src);
    this.image = image;
    this.painted = { ...one, isExact };
    image.dataset.exact = String(isExact);
  }

  hide() {
    this.image.hidden = true;
    this.painted = null;
  }

  /** @param {string} text */
  say(text) {
    this.note.textContent = text;
    this.note.hidden = !text;
  }

  async work() {
    this.isBusy = true;
    let done = null;
    while (this.wanted && this.wanted !== done) {
      const one = (done = this.wanted);
      try {
        const image = await this.fetch(one);
        if (!this.wanted || !looksAs(this.wanted, one)) { URL.revokeObjectURL(image.src); continue; }
        this.show(image, one);
        if (this.wanted === one) this.say("");
      } catch {
        if (this.wanted === one) { this.hide(); this.say(t("edit.without", one)); }
      }
    }
    this.isBusy = false;
  }

  /**
   * Handles the progress of a slow picture.
   * @param {string} name
   * @param {number} fraction
   */
  told(name, fraction) {
    if (this.wanted?.name === name) this.say(t("edit.coming.share", { percent: Math.round(100 * fraction) }));
  }

  /**
   * Returns a picture that the engine paints.
   * @param {Asked} one
   * @param {AbortSignal} [signal] cancels the request for a full-size picture
   */
  async fetch(one, signal) {
    const { item, edit, size, time } = one;
    if (!signal) one.name = Math.random().toString(36).slice(2);
    const kind = signal ? { exact: true } : { progress: one.name };
    const route = `assets/${encodeURIComponent(item.id)}/picture`;
    const answer = await askWith(edit, route, { size, time, ...kind }, { signal });
    if (!answer.ok) throw new Error(String(answer.status));
    const image = el("img.engine", { alt: "", src: URL.createObjectURL(await answer.blob()) });
    await image.decode();
    return image;
  }
}
