import { el, followDrag } from "../core/dom.js";
import { t } from "../core/strings.js";

/** @typedef {import("../core/types").Edit} Edit */
/** @typedef {import("../core/types").Point} Point */

const CHANNELS = ["all", "luma", "red", "green", "blue"];
const LINE = [[0, 0], [1, 1]];
const SVG = "http://www.w3.org/2000/svg";

/** A tone curve whose points are moved by dragging or by keys: one curve for all channels, and one for each channel. */
export class CurveEditor {
  /** @param {(change: import("../core/types").EditChange, isMoving: boolean) => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    this.channel = "all";
    /** @type {Edit} */
    this.edit = {};
    this.points = LINE;
    this.line = document.createElementNS(SVG, "polyline");
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("viewBox", "0 0 100 100");
    this.svg.setAttribute("aria-hidden", "true");
    this.svg.append(this.line);
    this.handles = el("div.handles");
    /**
     * The handles of the points.
     * @type {HTMLButtonElement[]}
     */
    this.buttons = [];
    this.field = el("div.curve", {}, this.svg, this.handles);
    const choose = (/** @type {string} */ channel) => { this.channel = channel; this.show(this.edit); };
    const channels = CHANNELS.map((channel) => el("button", {
      type: "button", "aria-pressed": String(channel === "all"), onclick: () => choose(channel),
    }, t(`edit.channel.${channel}`)));
    this.chooser = el("div.segments", { role: "group", "aria-label": t("edit.channel") }, ...channels);
    this.reset = el("button", { type: "button", onclick: () => this.put(LINE, false) }, t("edit.curve.reset"));
    const how = el("p.note", {}, t("edit.curve.how"));
    this.element = el("div.curveEditor", {}, this.chooser, this.field, how, this.reset);
    this.svg.addEventListener("pointerdown", (event) => this.add(event));
  }

  /**
   * Shows the curve of an edit.
   * @param {Edit} edit
   */
  show(edit) {
    this.edit = edit;
    [...this.chooser.children].forEach((button, index) => {
      button.setAttribute("aria-pressed", String(CHANNELS[index] === this.channel));
    });
    this.points = (this.channel === "all" ? edit.curve : edit.channelCurves?.[this.channel]) ?? LINE;
    this.draw();
  }

  draw() {
    this.line.setAttribute("points", samples(this.points).map(([x, y]) => `${100 * x},${100 - 100 * y}`).join(" "));
    this.points.forEach(([x, y], index) => {
      const handle = this.buttons[index] ?? this.handle(index);
      Object.assign(handle.style, { left: `${100 * x}%`, top: `${100 - 100 * y}%` });
      const place = { x: Math.round(100 * x), y: Math.round(100 * y) };
      handle.setAttribute("aria-label", t("edit.curve.point", { number: index + 1, ...place }));
    });
    for (const handle of this.buttons.splice(this.points.length)) handle.remove();
    this.reset.disabled = JSON.stringify(this.points) === JSON.stringify(LINE);
  }

  /**
   * Creates the handle of a point.
   * @param {number} index
   */
  handle(index) {
    const handle = el("button.point", { type: "button" });
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.focus();
      this.drag(index);
    });
    handle.addEventListener("dblclick", () => this.remove(index));
    handle.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 0.1 : 0.01;
      const [x, y] = this.points[index];
      /** @type {Record<string, number[]>} */
      const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
      const by = moves[event.key];
      if (event.key === "Delete" || event.key === "Backspace") this.remove(index);
      else if (by) this.move(index, x + by[0], y + by[1], false);
      else if (event.key === "+" || event.key === "Insert") this.insert(index);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.handles.append(handle);
    this.buttons.push(handle);
    return handle;
  }

  /** @param {PointerEvent} event */
  place(event) {
    const { left, top, width, height } = this.field.getBoundingClientRect();
    return [(event.clientX - left) / width, 1 - (event.clientY - top) / height];
  }

  /**
   * Adds a point where the curve is pressed.
   * @param {PointerEvent} event
   */
  add(event) {
    if (this.points.length >= 16) return;
    event.preventDefault();
    const [x] = this.place(event);
    const index = this.points.findIndex((point) => point[0] > x);
    if (index <= 0 || x - this.points[index - 1][0] < 0.02 || this.points[index][0] - x < 0.02) return;
    const y = at(this.points, x);
    this.put([...this.points.slice(0, index), [x, y], ...this.points.slice(index)], true);
    this.drag(index);
  }

  /**
   * Adds a point halfway to the next one.
   * @param {number} index
   */
  insert(index) {
    const next = this.points[index + 1];
    if (!next || this.points.length >= 16 || next[0] - this.points[index][0] < 0.04) return;
    const x = (this.points[index][0] + next[0]) / 2;
    this.put([...this.points.slice(0, index + 1), [x, at(this.points, x)], ...this.points.slice(index + 1)], false);
    this.buttons[index + 1].focus();
  }

  /** @param {number} index */
  remove(index) {
    if (index === 0 || index === this.points.length - 1) return;
    this.put(this.points.filter((_, number) => number !== index), false);
    this.buttons[index - 1].focus();
  }

  /** @param {number} index */
  drag(index) {
    followDrag((event) => {
      const [x, y] = this.place(event);
      this.move(index, x, y, true);
    }, () => this.put(this.points, false));
  }

  /**
   * Moves a point between its neighbours.
   * @param {number} index
   * @param {number} x
   * @param {number} y
   * @param {boolean} isMoving
   */
  move(index, x, y, isMoving) {
    const least = index === 0 ? 0 : this.points[index - 1][0] + 0.01;
    const most = index === this.points.length - 1 ? 1 : this.points[index + 1][0] - 0.01;
    const moved = [Math.min(Math.max(x, least), most), Math.min(Math.max(y, 0), 1)];
    this.put(this.points.map((point, number) => (number === index ? moved : point)), isMoving);
  }

  /** @param {Point[]} points @param {boolean} isMoving */
  put(points, isMoving) {
    this.points = points.map((point) => point.map((value) => Number(value.toFixed(3))));
    this.draw();
    const kept = JSON.stringify(this.points) === JSON.stringify(LINE) ? undefined : this.points;
    this.onChange((edit) => {
      if (this.channel === "all") edit.curve = kept;
      else (edit.channelCurves ??= {})[this.channel] = kept;
    }, isMoving);
  }
}

/**
 * Returns the slopes of the curve at its points (Fritsch and Butland 1984, as in renders).
 * @param {Point[]} points
 */
function slopes(points) {
  const steps = points.slice(1).map((point, index) => point[0] - points[index][0]);
  const secants = points.slice(1).map((point, index) => (point[1] - points[index][1]) / steps[index]);
  return points.map((_, index) => {
    if (index === 0) return secants[0];
    if (index === points.length - 1) return secants[index - 1];
    const [a, b, h, k] = [secants[index - 1], secants[index], steps[index - 1], steps[index]];
    return a * b > 0 ? (3 * (h + k)) / ((2 * k + h) / a + (k + 2 * h) / b) : 0;
  });
}

/**
 * Returns the value of a curve. Unless its points define the ends, the curve begins at black and ends at white.
 * @param {Point[]} kept
 * @param {number} x
 */
export function at(kept, x) {
  const [first, last] = [kept[0], kept[kept.length - 1]];
  const points = [...(first[0] > 0 ? [[0, 0]] : []), ...kept, ...(last[0] < 1 ? [[1, 1]] : [])];
  const index = Math.max(1, points.findIndex((point) => point[0] >= x));
  const [[x0, y0], [x1, y1]] = [points[index - 1], points[index]];
  const all = slopes(points);
  const [width, s] = [x1 - x0, (x - x0) / (x1 - x0)];
  const y = (2 * s ** 3 - 3 * s ** 2 + 1) * y0 + (s ** 3 - 2 * s ** 2 + s) * width * all[index - 1]
    + (3 * s ** 2 - 2 * s ** 3) * y1 + (s ** 3 - s ** 2) * width * all[index];
  return Math.min(Math.max(y, 0), 1);
}

/** @param {Point[]} points */
function samples(points) { return Array.from({ length: 65 }, (_, index) => [index / 64, at(points, index / 64)]); }
