import { askWith, Refusal } from "../core/api.js";
import { el } from "../core/dom.js";
import { Latest } from "../core/latest.js";
import { t } from "../core/strings.js";

/** @typedef {import("../core/types").Edit} Edit */

/**
 * True if an effect changes the movie, and not the photo alone.
 * @param {import("../core/types").Effect} [effect]
 */
export function changesMovie(effect) { return effect === "loop" || effect === "bounce"; }

/** The movie of an effect of time: no shader makes it, so the engine does, and it is played over the canvas. */
export class EffectMovie {
  /** @param {(text: string) => void} say shows how far it is */
  constructor(say) {
    this.say = say;
    this.element = el("video.engine", { hidden: true, loop: true, playsinline: true, muted: true });
    /**
     * What is made or played; null where nothing is.
     * @type {{edit: Edit, name: string}|null}
     */
    this.current = null;
    /** The movies that are asked for. */
    this.latest = new Latest();
  }

  get isActive() { return Boolean(this.current); }

  /**
   * Has the movie of an edit made, and plays it.
   * @param {import("../core/types").Asset} item
   * @param {Edit} edit
   * @returns {Promise<boolean>} true once it plays, false where it was stopped before
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
   * Takes note of how far a movie is.
   * @param {string} name
   * @param {number} fraction
   */
  told(name, fraction) {
    const { current } = this;
    if (current?.name !== name || !this.element.hidden) return;
    const effect = t(`edit.effect.${current.edit.motion?.effect}`);
    this.say(t("edit.effect.making", { effect, percent: Math.round(100 * fraction) }));
  }

  /** Ends it, made or not. */
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
