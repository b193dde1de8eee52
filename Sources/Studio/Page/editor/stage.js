import { el } from "../core/dom.js";
import { Latest } from "../core/latest.js";
import { t, within } from "../core/strings.js";
import { Compare } from "../viewer/compare.js";
import { EnginePicture } from "./engine.js";
import { EditPreview } from "./preview.js";
import { nameOf } from "./slider.js";

/** @typedef {import("../core/types").Edit} Edit */
/** @typedef {import("../core/types").EditParts} EditParts */

/**
 * The picture with the edit. A shader draws as much as it can on the canvas, and the engine paints the rest over the
 * canvas.
 */
export class Stage {
  /**
   * @param {import("./playback.js").Playback} playback
   * @param {EnginePicture} engine
   * @param {import("./crop.js").CropTool} crop
   * @param {{onShape: (shape: number) => void, onDrawn: (canvas: HTMLCanvasElement) => void, tell: (text: string) =>
   *   void}} callbacks `onShape` receives the ratio of the picture's width to its height, `onDrawn` is called when the
   *   picture is sharp, `tell` shows an error message
   */
  constructor(playback, engine, crop, callbacks) {
    this.playback = playback;
    this.engine = engine;
    this.crop = crop;
    this.callbacks = callbacks;
    this.compare = new Compare();
    this.canvas = el("canvas.picture", { role: "img" });
    this.frame = el("div.frame", {}, this.canvas, engine.image, playback.effect.element, crop.overlay);
    this.element = el("div.stage", {}, this.frame, this.compare.element);
    new ResizeObserver(() => this.fit()).observe(this.element);
    /** @type {import("./session.js").Session|null} */
    this.session = null;
    /** @type {EditPreview|null} */
    this.preview = null;
    /**
     * The data that the canvas shows.
     * @type {EditParts|null}
     */
    this.parts = null;
    this.shape = 0;
    this.isBefore = false;
    /**
     * An edit that is shown instead of the draft.
     * @type {Edit|null}
     */
    this.trial = null;
    /**
     * The parts of the edit that are hidden.
     * @type {(keyof Edit)[]}
     */
    this.hidden = [];
    /** The requests to draw, of which only the latest is finished. */
    this.drawings = new Latest();
  }

  /** Prepares the shader, which needs WebGL 2. */
  prepare() { return (this.preview ??= new EditPreview(this.canvas)); }

  close() {
    this.drawings.end();
    this.engine.clear();
    this.preview?.stop();
    this.compare.close();
    this.session = this.parts = this.trial = null;
    this.isBefore = false;
    this.hidden = [];
    this.shape = 0;
  }

  /**
   * Draws on another picture or on a movie.
   * @param {ImageBitmap|HTMLVideoElement} source
   */
  show(source) { this.preview?.show(source); }

  /**
   * Returns the edit as it is shown. While the user crops, the whole picture is visible.
   * @param {Edit} draft
   */
  shownEdit(draft) {
    const edit = structuredClone(this.isBefore ? {} : this.trial ?? draft);
    for (const part of this.hidden) delete edit[part];
    if (this.crop.isOpen && edit.geometry) delete edit.geometry.crop;
    return edit;
  }

  /**
   * Draws the edit. Except during a drag, the picture is drawn sharply, with the effects that only the engine can
   * paint.
   * @param {boolean} isMoving
   */
  async draw(isMoving) {
    const { session, preview } = this;
    if (!session || !preview) return;
    const edit = this.shownEdit(session.draft.value);
    const signal = this.drawings.begin();
    try {
      const parts = await session.tables[this.playback.shown].ask(edit, preview.colors, isMoving);
      if (!parts || this.session !== session) return;
      this.parts = parts;
      this.place(parts, session.draft.value);
      preview.edit(parts, isMoving);
      this.paint(edit, parts.missing, isMoving);
      if (signal.aborted || isMoving) return;
      this.canvas.setAttribute("aria-label", session.item.name);
      this.callbacks.onDrawn(this.canvas);
    } catch (error) {
      if (this.session === session) this.callbacks.tell(error.message);
    }
  }

  /**
   * Makes the engine paint what the shader omits, unless a movie plays.
   * @param {Edit} edit
   * @param {string[]} missing
   * @param {boolean} isMoving
   */
  paint(edit, missing, isMoving) {
    const { engine, playback, preview, session } = this;
    if (!session || !preview) return;
    if (playback.effect.isActive) { engine.hide(); return; }
    const isFrame = playback.shown === "movie";
    // Local light follows with the next fine table, and an effect is played as a movie.
    const comes = (/** @type {string} */ name) => (isMoving && name === "light") || (isFrame && name === "effect");
    const needed = missing.filter((name) => !comes(name));
    const parts = needed.map((name) => within(nameOf(name))).join(", ");
    if (needed.length && isFrame && playback.isPlaying) {
      engine.clear(t("edit.without.playing", { parts }));
      return;
    }
    const hasExact = isFrame || !["effect", "keyPhoto"].some((name) => missing.includes(name));
    const time = isFrame ? playback.time : undefined;
    const size = Math.max(...(preview.size ?? [1]));
    engine.follow({ parts, hasExact, item: session.item, edit, size, time }, needed.length > 0, isMoving);
  }

  /**
   * Sets the size of the picture.
   * @param {EditParts} parts
   * @param {Edit} draft
   */
  place({ width, height }, draft) {
    const shape = width / height;
    if (this.crop.isOpen) this.crop.show(draft, shape);
    this.callbacks.onShape(shape);
    if (shape === this.shape) return;
    this.shape = shape;
    this.fit();
  }

  fit() {
    const { clientWidth, clientHeight } = this.element;
    if (!this.shape || !clientWidth) return;
    const width = Math.max(1, Math.min(clientWidth, clientHeight * this.shape));
    const height = width / this.shape;
    Object.assign(this.frame.style, { width: `${Math.round(width)}px`, height: `${Math.round(height)}px` });
    const ratio = globalThis.devicePixelRatio || 1;
    this.preview?.resize(width * ratio, height * ratio);
    this.preview?.draw();
  }

  /** @param {boolean} isBefore */
  showBefore(isBefore) {
    this.isBefore = isBefore;
    this.draw(false);
  }

  /**
   * Shows another edit instead of the draft; null shows the draft again.
   * @param {Edit|null} edit
   */
  showTrial(edit) {
    if (edit === this.trial) return;
    this.trial = edit;
    this.draw(false);
  }

  /** @param {(keyof Edit)[]} parts the parts of the edit to hide */
  showWithout(parts) {
    this.hidden = parts;
    this.draw(false);
  }
}
