import { el } from "../core/dom.js";
import { t } from "../core/strings.js";

/** The size to which a picture is reduced before its values are counted. */
const [WIDTH, HEIGHT] = [256, 171];

/** Shows how often each value of red, green and blue occurs in a picture. */
export class Histogram {
  constructor() {
    this.element = el("canvas.histogram", {
      width: "256", height: "64", role: "img", "aria-label": t("edit.histogram"),
    });
    this.context = this.element.getContext("2d");
    this.small = el("canvas", { width: WIDTH, height: HEIGHT }).getContext("2d", { willReadFrequently: true });
  }

  /**
   * Counts the values of a canvas, and marks clipped values.
   * @param {HTMLCanvasElement} canvas
   */
  count(canvas) {
    const { context, small } = this;
    if (!context || !small) return;
    small.drawImage(canvas, 0, 0, WIDTH, HEIGHT);
    const { data } = small.getImageData(0, 0, WIDTH, HEIGHT);
    const counts = [0, 1, 2].map(() => new Float32Array(256));
    for (let at = 0; at < data.length; at += 4) {
      for (let channel = 0; channel < 3; channel += 1) counts[channel][data[at + channel]] += 1;
    }
    // Otherwise, black and white would dwarf all other values.
    const most = Math.max(...counts.map((count) => Math.max(...count.subarray(2, 254))), 1);
    context.clearRect(0, 0, 256, 64);
    context.globalCompositeOperation = "lighter";
    ["#c44", "#4a4", "#57e"].forEach((color, channel) => {
      context.fillStyle = color;
      counts[channel].forEach((count, value) => context.fillRect(value, 64, 1, -Math.min(64, (60 * count) / most)));
    });
    const share = (/** @type {number} */ value) => Math.max(...counts.map((count) => count[value])) / (WIDTH * HEIGHT);
    const percent = (/** @type {number} */ value) => Math.round(1000 * share(value)) / 10;
    context.fillStyle = "#fff";
    if (share(0) > 0.002) context.fillRect(0, 0, 6, 6);
    if (share(255) > 0.002) context.fillRect(250, 0, 6, 6);
    this.element.title = t("edit.clipped", { black: percent(0), white: percent(255) });
  }
}
