import { address, askWith } from "../core/api.js";
import { isEqual } from "./draft.js";
import { el } from "../core/dom.js";
import { t } from "../core/strings.js";

/** How long nothing changes before the picture of full size is wanted, in milliseconds. */
const REST = 500;

/** What no shader shows, by the part of an edit that it is in. */
const OWN = { detail: ["noiseReduction", "sharpness"], effects: ["grain", "grainSize"] };

/** An edit as the shader shows it. */
function forShader(edit) {
  const copy = structuredClone(edit);
  for (const [part, names] of Object.entries(OWN)) {
    for (const name of names) delete copy[part]?.[name];
    if (copy[part] && !Object.keys(copy[part]).length) delete copy[part];
  }
  return copy;
}

/** True if two pictures differ by nothing that the canvas shows. */
function looksAs(one, other) { return one.item === other.item && one.time === other.time && isEqual(one.shader, other.shader); }

/** The picture that the engine paints of an edit, over the canvas, and a note while it is on its way: one question at a time, and then the latest. */
export class EnginePicture {
  constructor() {
    this.image = el("img.engine", { alt: "", hidden: true });
    this.note = el("p.coming", { role: "status", hidden: true });
    this.wanted = this.painted = this.last = null;
    this.isBusy = false;
  }

  /**
   * Follows an edit. A picture that was painted before stays over the canvas as long as that would show the same.
   * @param {{item: import("../core/api.js").Asset, edit: any, size: number, time?: number, parts: string, hasExact: boolean}} picture what the canvas shows: `size`
   *   is its longer side in pixels, `time` that of the movie's frame, none for the photo; `parts` names for people what is left out, and
   *   one of full size is wanted later where there is one
   * @param {boolean} isNeeded whether the canvas leaves something out
   * @param {boolean} isMoving whether a hand moves something: then only what the canvas does not show at all is painted
   */
  follow(picture, isNeeded, isMoving) {
    const one = { ...picture, shader: forShader(picture.edit) };
    const isOwn = Boolean(this.last) && looksAs(this.last, one);
    this.last = one;
    const { painted } = this;
    if (painted?.isExact && !isMoving && painted.size === one.size && looksAs(painted, one) && isEqual(painted.edit, one.edit)) return;
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

  /** Has the engine decode a photo, so that its first picture does not wait for that. */
  warm(item) { fetch(address(`api/1/assets/${encodeURIComponent(item.id)}/picture`, { edit: "{}", size: 400 })).catch(() => {}); }

  /** Shows the canvas alone, and perhaps says why. */
  clear(reason = "") {
    this.finish(null);
    this.wanted = null;
    this.hide();
    this.say(reason);
  }

  /** After a while at rest, the picture of full size takes the place of what is shown: the render as it will be. */
  finish(one) {
    clearTimeout(this.waiting);
    this.stop?.abort();
    if (!one || !Object.keys(one.edit).length) return;
    const stop = (this.stop = new AbortController());
    this.waiting = setTimeout(async () => {
      const image = await this.fetch(one, stop.signal).catch(() => null);
      if (!image) return;
      if (stop.signal.aborted) URL.revokeObjectURL(image.src);
      else this.show(image, one, true);
    }, REST);
  }

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

  /** Takes note of how far a picture is that takes its time. */
  told(name, fraction) {
    if (this.wanted?.name === name) this.say(t("edit.coming.share", { percent: Math.round(100 * fraction) }));
  }

  /** @param {any} one what is wanted  @param {AbortSignal} [signal] of a picture of full size, that ends it */
  async fetch(one, signal) {
    const { item, edit, size, time } = one;
    if (!signal) one.name = Math.random().toString(36).slice(2);
    const answer = await askWith(edit, `assets/${encodeURIComponent(item.id)}/picture`, { size, time, ...(signal ? { exact: true } : { progress: one.name }) }, { signal });
    if (!answer.ok) throw new Error(String(answer.status));
    const image = el("img.engine", { alt: "", src: URL.createObjectURL(await answer.blob()) });
    await image.decode();
    return image;
  }
}
