import { el, followDrag } from "../core/dom.js";
import { iconButton } from "../core/icons.js";
import { Dial } from "./dial.js";
import { Slider } from "./slider.js";
import { t } from "../core/strings.js";

/** @typedef {import("../core/types").Edit} Edit */
/**
 * @typedef {{name: string, ratio: number|"original"|null}} Shape an aspect ratio to choose; the ratio is width divided
 *   by height
 */

/** @type {Shape[]} */
const SHAPES = [
  { name: "free", ratio: null }, { name: "original", ratio: "original" }, { name: "1:1", ratio: 1 },
  { name: "3:2", ratio: 3 / 2 }, { name: "4:3", ratio: 4 / 3 }, { name: "16:9", ratio: 16 / 9 },
  { name: "2:3", ratio: 2 / 3 }, { name: "3:4", ratio: 3 / 4 }, { name: "9:16", ratio: 9 / 16 },
];
const SIDES = ["nw", "n", "ne", "w", "e", "sw", "s", "se"];
/** The smallest side of a crop, as a fraction of the picture's side. */
const LEAST = 0.05;
/**
 * The Exif orientation that results from each orientation by rotating right, rotating left, flipping horizontally and
 * flipping vertically.
 */
const TURNS = {
  turnRight: [0, 6, 7, 8, 5, 2, 3, 4, 1], turnLeft: [0, 8, 5, 6, 7, 4, 1, 2, 3],
  flipHorizontal: [0, 2, 1, 4, 3, 6, 5, 8, 7], flipVertical: [0, 4, 3, 2, 1, 8, 7, 6, 5],
};

/** The crop, straightening, perspective and rotation: a frame over the picture, and the controls in the panel. */
export class CropTool {
  /**
   * @param {import("../core/types").TakeChange} onChange
   * @param {() => void} onAuto
   */
  constructor(onChange, onAuto) {
    this.onChange = onChange;
    /** The crop as fractions of the visible picture: left, top, width, height. */
    this.rectangle = [0, 0, 1, 1];
    /**
     * The ratio of width to height of the crop in pixels; null for any ratio.
     * @type {number|null}
     */
    this.ratio = null;
    /**
     * The chosen aspect ratio; null for a free crop.
     * @type {Shape|null}
     */
    this.chosen = null;
    /** The ratio of width to height of the picture in pixels. */
    this.shape = 1;
    this.dial = new Dial((value, isMoving) => this.set("straighten", value, isMoving));
    /** @param {"horizontalPerspective"|"verticalPerspective"} name */
    const tilt = (name) => new Slider({ name, minimum: -1, maximum: 1, neutral: 0, digits: 3 },
      (value, isMoving) => this.set(name, value, isMoving));
    this.horizontal = tilt("horizontalPerspective");
    this.vertical = tilt("verticalPerspective");
    this.ratios = el("div.segments.ratios", { role: "group", "aria-label": t("edit.ratio") },
      ...SHAPES.map((shape) => el("button", {
        type: "button", "aria-pressed": "false", onclick: () => this.choose(shape),
      }, t(`edit.ratio.${shape.name}`).replace("edit.ratio.", ""))));
    /** @param {string} symbol @param {"turnRight"|"turnLeft"|"flipHorizontal"|"flipVertical"} name */
    const turn = (symbol, name) => iconButton(symbol, t(`action.${name}`), () => this.turn(name));
    /** @param {string} name @param {() => void} action */
    const button = (name, action) => el("button", { type: "button", onclick: action }, t(name));
    this.panel = el("div.tools", {},
      el("div.line", {}, turn("turnLeft", "turnLeft"), turn("turnRight", "turnRight"),
        turn("mirror", "flipHorizontal"), turn("flip", "flipVertical"), button("edit.straighten.auto", onAuto),
        button("edit.crop.reset", () => this.clear())),
      this.ratios, this.dial.element, this.horizontal.element, this.vertical.element);
    this.frame = el("div.cropFrame", { tabindex: "0", role: "group" },
      el("span.thirds", { "aria-hidden": "true" }),
      ...SIDES.map((side) => el(`button.corner.${side}`, {
        type: "button", "aria-label": t(`edit.crop.${side}`), "data-side": side,
      })));
    this.hole = el("span.hole");
    const shade = el("span.shade", { "aria-hidden": "true" }, this.hole);
    this.overlay = el("div.cropOverlay", { hidden: true }, shade, this.frame);
    this.frame.addEventListener("pointerdown", (event) => this.grab(event));
    this.frame.addEventListener("keydown", (event) => this.keyed(event));
  }

  get isOpen() { return !this.overlay.hidden; }

  open() { this.overlay.hidden = false; }

  close() { this.overlay.hidden = true; }

  /**
   * Shows the values of an edit.
   * @param {Edit} edit
   * @param {number} shape the ratio of width to height of the uncropped picture in pixels
   */
  show(edit, shape) {
    const { crop, straighten, horizontalPerspective, verticalPerspective } = edit.geometry ?? {};
    this.shape = shape;
    this.horizontal.show(horizontalPerspective ?? 0);
    this.vertical.show(verticalPerspective ?? 0);
    this.dial.show(straighten ?? 0);
    const [width, height] = crop?.aspect ?? [];
    this.rectangle = crop?.rectangle ?? (width ? largest(width / height / shape, crop?.anchor) : [0, 0, 1, 1]);
    this.draw();
  }

  draw() {
    const [left, top, width, height] = this.rectangle.map((share) => `${100 * share}%`);
    for (const part of [this.frame, this.hole]) Object.assign(part.style, { left, top, width, height });
    const percent = { width: Math.round(100 * this.rectangle[2]), height: Math.round(100 * this.rectangle[3]) };
    this.frame.setAttribute("aria-label", t("edit.crop.frame", percent));
    const chosen = this.chosen ?? SHAPES[0];
    [...this.ratios.children].forEach((button, index) => {
      button.setAttribute("aria-pressed", String(SHAPES[index] === chosen));
    });
  }

  /**
   * @param {"straighten"|"horizontalPerspective"|"verticalPerspective"} name
   * @param {number} value
   * @param {boolean} isMoving
   */
  set(name, value, isMoving) {
    this.onChange(name, (edit) => { (edit.geometry ??= {})[name] = value === 0 ? undefined : value; }, isMoving);
  }

  /**
   * Applies an aspect ratio: the crop becomes the largest centred rectangle with that ratio.
   * @param {Shape} shape
   */
  choose(shape) {
    this.chosen = shape;
    this.ratio = shape.ratio === "original" ? this.shape : shape.ratio;
    if (this.ratio) this.put(largest(this.ratio / this.shape), false, "ratio");
    else this.draw();
  }

  clear() {
    this.chosen = this.ratio = null;
    this.onChange("crop", (edit) => { if (edit.geometry) delete edit.geometry; }, false);
  }

  /**
   * Rotates or mirrors the displayed picture together with its crop.
   * @param {"turnRight"|"turnLeft"|"flipHorizontal"|"flipVertical"} name
   */
  turn(name) { this.onChange(name, (edit) => turn(edit, name, this.rectangle), false); }

  /** @param {PointerEvent} event */
  grab(event) {
    event.preventDefault();
    const handle = handleOf(event) ?? this.frame;
    const side = handle.dataset.side ?? "";
    handle.focus();
    const begin = [...this.rectangle];
    const { width, height } = this.overlay.getBoundingClientRect();
    const { clientX, clientY } = event;
    this.frame.classList.add("dragging");
    followDrag((now) => {
      this.pull(begin, side, (now.clientX - clientX) / width, (now.clientY - clientY) / height, true);
    }, () => {
      this.frame.classList.remove("dragging");
      this.put(this.rectangle, false);
    });
  }

  /**
   * Moves the focused frame, side or corner with the arrow keys.
   * @param {KeyboardEvent} event
   */
  keyed(event) {
    const step = event.shiftKey ? 0.05 : 0.01;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    this.pull(this.rectangle, handleOf(event)?.dataset.side ?? "", by[0], by[1], false);
  }

  /**
   * Moves the frame, or one of its sides or corners, from its earlier position.
   * @param {number[]} rectangle
   * @param {string} side
   * @param {number} x
   * @param {number} y
   * @param {boolean} isMoving
   */
  pull(rectangle, side, x, y, isMoving) {
    this.put(pulled(rectangle, side, x, y, this.ratio && this.ratio / this.shape), isMoving);
  }

  /** @param {number[]} rectangle @param {boolean} isMoving */
  put(rectangle, isMoving, tag = "crop") {
    this.rectangle = rectangle;
    this.draw();
    const [left, top] = rectangle.map(sixth);
    const [width, height] = [sixth(rectangle[2]), sixth(rectangle[3])];
    const kept = [left, top, Math.min(width, sixth(1 - left)), Math.min(height, sixth(1 - top))];
    const crop = kept[2] === 1 && kept[3] === 1 ? undefined : { rectangle: kept };
    this.onChange(tag, (edit) => { (edit.geometry ??= {}).crop = crop; }, isMoving);
  }
}

/**
 * The side or corner of the frame to which an event refers; null for the whole frame.
 * @param {Event} event
 */
const handleOf = ({ target }) => (target instanceof HTMLElement && target.dataset.side ? target : null);

/**
 * Rotates or mirrors the displayed picture of an edit, with its crop and its perspective.
 * @param {Edit} edit the edit, which is modified
 * @param {"turnRight"|"turnLeft"|"flipHorizontal"|"flipVertical"} name
 * @param {number[]} rectangle the displayed crop as fractions of the picture: left, top, width, height
 */
export function turn(edit, name, rectangle) {
  const after = TURNS[name][edit.orientation ?? 1];
  edit.orientation = after === 1 ? undefined : after;
  const { geometry } = edit;
  if (!geometry) return;
  const mirrored = name.startsWith("flip");
  if (mirrored && geometry.straighten) geometry.straighten *= -1;
  const [h, v] = [geometry.horizontalPerspective ?? 0, geometry.verticalPerspective ?? 0];
  const turned = { turnRight: [-v, h], turnLeft: [v, -h], flipHorizontal: [-h, v], flipVertical: [h, -v] }[name];
  [geometry.horizontalPerspective, geometry.verticalPerspective] = turned.map((value) => value || undefined);
  const { crop } = geometry;
  if (crop?.aspect && !mirrored) geometry.crop = { rectangle };
  if (geometry.crop?.rectangle) {
    const [x, y, width, height] = geometry.crop.rectangle;
    const [right, bottom] = [1 - x - width, 1 - y - height];
    const places = {
      turnRight: [bottom, x, height, width], turnLeft: [y, right, height, width],
      flipHorizontal: [right, y, width, height], flipVertical: [x, bottom, width, height],
    };
    geometry.crop = { rectangle: places[name].map((share) => Number(share.toFixed(6))) };
  }
}

/**
 * Returns the crop after a drag of its frame, or of a side or corner of the frame.
 * @param {number[]} rectangle the crop before the drag as fractions of the picture: left, top, width, height
 * @param {string} side the dragged sides as letters of `nesw`; empty for the whole frame
 * @param {number} x the distance to the right as a fraction of the picture's width
 * @param {number} y the distance down as a fraction of the picture's height
 * @param {number|null} form the ratio of the width fraction to the height fraction, if the crop must keep its shape
 * @returns {number[]} the rectangle
 */
export function pulled([left, top, width, height], side, x, y, form) {
  let [right, bottom] = [left + width, top + height];
  if (!side) {
    return [Math.min(Math.max(left + x, 0), 1 - width), Math.min(Math.max(top + y, 0), 1 - height), width, height];
  }
  if (side.includes("w")) left = Math.min(Math.max(left + x, 0), right - LEAST);
  if (side.includes("e")) right = Math.max(Math.min(right + x, 1), left + LEAST);
  if (side.includes("n")) top = Math.min(Math.max(top + y, 0), bottom - LEAST);
  if (side.includes("s")) bottom = Math.max(Math.min(bottom + y, 1), top + LEAST);
  if (form) {
    // As fractions of the picture, the ratio has another value. The side that moved more determines the size.
    let [w, h] = [right - left, bottom - top];
    const isByHeight = side === "n" || side === "s" || Math.abs(h - height) * form > Math.abs(w - width);
    if (isByHeight) w = h * form; else h = w / form;
    const room = [side.includes("w") ? right : 1 - left, side.includes("n") ? bottom : 1 - top];
    const fit = Math.min(1, room[0] / w, room[1] / h);
    [w, h] = [w * fit, h * fit];
    if (side.includes("w")) left = right - w; else right = left + w;
    if (side.includes("n")) top = bottom - h; else bottom = top + h;
  }
  return [left, top, right - left, bottom - top];
}

/** @param {number} share */
const sixth = (share) => Number(Math.min(Math.max(share, 0), 1).toFixed(6));

/**
 * Returns the largest rectangle of a form at a position, as fractions of a picture's sides.
 * @param {number} form the ratio of the width fraction to the height fraction
 */
export function largest(form, anchor = "center") {
  const [width, height] = form < 1 ? [form, 1] : [1, 1 / form];
  const place = anchor.toLowerCase();
  /** @param {string} low @param {string} high */
  const at = (low, high) => (place.includes(low) ? 0 : place.includes(high) ? 1 : 0.5);
  return [(1 - width) * at("left", "right"), (1 - height) * at("top", "bottom"), width, height];
}
