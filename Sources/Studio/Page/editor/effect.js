import { askWith, Refusal } from "../core/api.js";
import { el } from "../core/dom.js";
import { Latest } from "../core/latest.js";
import { t } from "../core/strings.js";

/** @typedef {import("../core/types").Edit} Edit */

/**
 * Returns whether an effect changes the movie, not only the photo.
 * @param {import("../core/types").Effect} [effect]
 */
export function changesMovie(effect) { return effect === "loop" || effect === "bounce"; }

/**
 * The movie of a time effect. A shader cannot create it, so the engine does, and the movie is played over the canvas.
 */
export class EffectMovie {
  /** @param {(text: string) => void} say shows the progress */
  constructor(say) {
    this.say = say;
    this.element = el("video.engine", { hidden: true, loop: true, playsinline: true, muted: true });
    /**
     * The edit whose movie is being created or played; null if there is none.
     * @type {{edit: Edit, name: string}|null}
     */
    this.current = null;
    /** The requests for movies. */
    this.latest = new Latest();
  }

  get isActive() { return Boolean(this.current); }

  /**
   * Requests the movie of an edit and plays it.
   * @param {import("../core/types").Asset} item
   * @param {Edit} edit
   * @returns {Promise<boolean>} true once the movie plays, false if it was stopped first
   */
  async play(item, edit) {
    this.stop();
    const name = Math.random().toString(36).slice(2);
    const signal = this.latest.begin();
    this.current = { edit, name };
    this.told(name, 0);
    try {
      const route = `assets/${encodeURIComponent(item.id)}/movie`;
      const answer = await askWith(edit, route, { progress: name, v: item.revision }, { signal });
      if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => null));
      const source = URL.createObjectURL(await answer.blob());
      if (signal.aborted) { URL.revokeObjectURL(source); return false; }
      this.element.src = source;
      await this.element.play();
      if (signal.aborted) return false;
      this.element.hidden = false;
      this.say("");
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      this.stop();
      throw error;
    }
  }

  /**
   * Handles the progress of a movie.
   * @param {string} name
   * @param {number} fraction
   */
  told(name, fraction) {
    const { current } = this;
    if (current?.name !== name || !this.element.hidden) return;
    const effect = t(`edit.effect.${current.edit.motion?.effect}`);
    this.say(t("edit.effect.making", { effect, percent: Math.round(100 * fraction) }));
  }

  /** Stops the movie, or the request for it. */
  stop() {
    const { element } = this;
    if (!this.current) return;
    this.current = null;
    this.latest.end();
    element.hidden = true;
    element.pause();
    URL.revokeObjectURL(element.src);
    element.removeAttribute("src");
    this.say("");
  }
}
