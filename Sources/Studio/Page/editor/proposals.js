import { answer, askWith } from "../core/api.js";
import { Latest } from "../core/latest.js";
import { merged } from "./draft.js";

/** @typedef {import("../core/types").Edit} Edit */
/** @typedef {import("./session.js").Session} Session */

/** Edits that the engine proposes: presets, automatic corrections, and the angle at which the picture is level. */
export class Proposals {
  /**
   * @param {{showTrial: (edit: Edit|null) => void, markLevel: (degrees: number|null) => void, tell: (text: string) =>
   *   void}} callbacks `showTrial` shows an edit instead of the draft, or the draft again; `tell` shows an error
   *   message
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
    /** The requests for presets on which the pointer rests. */
    this.trials = new Latest();
    /** The requests for the level angle. */
    this.levels = new Latest();
    /**
     * The orientation whose level angle is marked or was requested; null if there is none.
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
   * Applies a preset to the edit. Another intensity, or another preset directly afterwards, replaces it.
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
   * Shows the picture with a preset, or without it again.
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
   * Applies an edit that the engine proposes.
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
    // Changes that the user made in the meantime are kept.
    draft.change("", (now) => merged(now, before, edit));
  }

  /** Marks the level angle on the dial. The angle depends on the orientation of the picture. */
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
      // Without the level angle, the dial marks only 0.
      if (!signal.aborted) this.levelled = null;
    }
  }

  /**
   * Returns an edit as the engine would change it.
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
   * Returns an edit as the engine would change it; shows an error and returns null if the engine fails.
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
