import { answer, askWith } from "../core/api.js";
import { Latest } from "../core/latest.js";
import { merged } from "./draft.js";

/** @typedef {import("../core/types").Edit} Edit */
/** @typedef {import("./session.js").Session} Session */

/** Edits that the engine proposes: presets, automatic corrections, and the angle at which the picture is level. */
export class Proposals {
  /**
   * @param {{showTrial: (edit: Edit|null) => void, markLevel: (degrees: number|null) => void,
   *   tell: (text: string) => void}} callbacks `showTrial` shows an edit instead of the draft, or the draft again,
   *   `tell` shows what failed
   */
  constructor(callbacks) {
    this.callbacks = callbacks;
    /** @type {Session|null} */
    this.session = null;
    /**
     * The preset that was applied last: the edits before and after it.
     * @type {{base: Edit, result: Edit}|null}
     */
    this.applied = null;
    /** The presets that a hand rests on. */
    this.trials = new Latest();
    /** The angles at which the picture is level. */
    this.levels = new Latest();
    /**
     * The orientation whose level is marked or asked for; null if there is none.
     * @type {number|null}
     */
    this.levelled = null;
  }

  close() {
    this.trials.end();
    this.levels.end();
    this.session = this.applied = this.levelled = null;
  }

  /**
   * Lays a preset over the edit; another strength, or another preset at once after it, takes its place.
   * @param {string} preset
   * @param {number} intensity
   */
  async applyPreset(preset, intensity) {
    const { session } = this;
    if (!session) return;
    const before = session.draft.value;
    const base = this.applied?.result === before ? this.applied.base : before;
    const edit = await this.proposed(session, base, { preset, intensity, replace: true });
    if (!edit || session.signal.aborted) return;
    session.draft.change("preset", (now) => merged(now, before, edit));
    this.applied = { base, result: session.draft.value };
  }

  /**
   * Shows the picture with a preset, or as it is again.
   * @param {string|null} preset
   */
  async tryPreset(preset) {
    const { session } = this;
    const signal = this.trials.begin();
    if (!preset) {
      this.callbacks.showTrial(null);
      return;
    }
    if (!session) return;
    const edit = await this.proposed(session, session.draft.value, { preset, replace: true });
    if (edit && !signal.aborted) this.callbacks.showTrial(edit);
  }

  /**
   * Takes an edit that the engine proposes.
   * @param {Record<string, any>} parameters
   */
  async propose(parameters) {
    const { session } = this;
    if (!session) return;
    const { draft } = session;
    const before = draft.value;
    const edit = await this.proposed(session, before, parameters);
    if (!edit || session.signal.aborted) return;
    draft.rest();
    // What a hand changed meanwhile stays.
    draft.change("", (now) => merged(now, before, edit));
  }

  /** Marks on the dial where the picture is level, which depends on how it is turned. */
  async findLevel() {
    const { session } = this;
    if (!session) return;
    const { orientation } = session.draft.value;
    if (this.levelled === (orientation ?? 1)) return;
    this.levelled = orientation ?? 1;
    const signal = this.levels.begin();
    this.callbacks.markLevel(null);
    try {
      const edit = await this.ask(session, orientation ? { orientation } : {}, { auto: "geometry" });
      if (!signal.aborted) this.callbacks.markLevel(edit.geometry?.straighten ?? null);
    } catch {
      // The dial does without: only 0 is marked then.
      if (!signal.aborted) this.levelled = null;
    }
  }

  /**
   * An edit as the engine would change it.
   * @param {Session} session
   * @param {Edit} edit
   * @param {Record<string, any>} parameters
   * @returns {Promise<Edit>}
   */
  async ask({ item }, edit, parameters) {
    const route = `assets/${encodeURIComponent(item.id)}/proposal`;
    return (await answer(await askWith(edit, route, parameters))).edit;
  }

  /**
   * An edit as the engine would change it; null, and told, if it can't.
   * @param {Session} session
   * @param {Edit} edit
   * @param {Record<string, any>} parameters
   */
  async proposed(session, edit, parameters) {
    try {
      return await this.ask(session, edit, parameters);
    } catch (error) {
      this.callbacks.tell(error.message);
      return null;
    }
  }
}
