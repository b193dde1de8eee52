import { askWith, Refusal } from "../core/api.js";
import { el } from "../core/dom.js";
import { t } from "../core/strings.js";

/** True if an effect changes the movie, and not the photo alone. */
export function changesMovie(effect) { return effect === "loop" || effect === "bounce"; }

/** The movie of an effect of time: no shader makes it, so the engine does, and it is played over the canvas. */
export class EffectMovie {
  /** @param {(text: string) => void} say shows how far it is */
  constructor(say) {
    this.say = say;
    this.element = /** @type {HTMLVideoElement} */ (el("video.engine", { hidden: true, loop: true, playsinline: true, muted: true }));
    /** What is made or played; null where nothing is. */
    this.current = null;
  }

  get isActive() { return Boolean(this.current); }

  /**
   * Has the movie of an edit made, and plays it.
   * @param {import("../core/api.js").Asset} item
   * @param {any} edit
   * @returns {Promise<boolean>} true once it plays, false where it was stopped before
   */
  async play(item, edit) {
    this.stop();
    const current = (this.current = { edit, name: Math.random().toString(36).slice(2), stop: new AbortController() });
    this.told(current.name, 0);
    try {
      const answer = await askWith(edit, `assets/${encodeURIComponent(item.id)}/movie`, { progress: current.name, v: item.revision }, { signal: current.stop.signal });
      if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => null));
      const source = URL.createObjectURL(await answer.blob());
      if (this.current !== current) { URL.revokeObjectURL(source); return false; }
      this.element.src = source;
      await this.element.play();
      if (this.current !== current) return false;
      this.element.hidden = false;
      this.say("");
      return true;
    } catch (error) {
      if (this.current !== current) return false;
      this.stop();
      throw error;
    }
  }

  /** Takes note of how far a movie is. */
  told(name, fraction) {
    const { current } = this;
    if (current?.name === name && this.element.hidden) this.say(t("edit.effect.making", { effect: t(`edit.effect.${current.edit.motion.effect}`), percent: Math.round(100 * fraction) }));
  }

  /** Ends it, made or not. */
  stop() {
    const { current, element } = this;
    if (!current) return;
    this.current = null;
    current.stop.abort();
    element.hidden = true;
    element.pause();
    URL.revokeObjectURL(element.src);
    element.removeAttribute("src");
    this.say("");
  }
}
