/** Picks a position in the picture that becomes grey. */
export class Picker {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{place: () => number[]|null, onToggle: (isOpen: boolean) => void,
   *   onPick: (x: number, y: number) => void}} callbacks `place` returns the matrix from the canvas to the unedited
   *   picture; `onPick` takes a position in the unedited picture as fractions of its sides
   */
  constructor(canvas, callbacks) {
    this.canvas = canvas;
    this.callbacks = callbacks;
    this.isOpen = false;
    canvas.addEventListener("click", (event) => this.picked(event));
  }

  toggle() {
    this.isOpen = !this.isOpen;
    this.callbacks.onToggle(this.isOpen);
    if (this.isOpen) { this.canvas.tabIndex = 0; this.canvas.focus(); }
    else this.canvas.removeAttribute("tabindex");
  }

  close() { if (this.isOpen) this.toggle(); }

  /** @param {MouseEvent} event */
  picked(event) {
    const place = this.callbacks.place();
    if (!this.isOpen || !place) return;
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    // A key press picks the centre.
    const at = event.detail === 0 ? [0.5, 0.5, 1]
      : [(event.clientX - left) / width, (event.clientY - top) / height, 1];
    /** @param {number} number */
    const row = (number) => at.reduce((sum, value, index) => sum + value * place[3 * number + index], 0);
    const [x, y] = [0, 1].map((number) => Math.min(Math.max(row(number) / row(2), 0), 1));
    this.toggle();
    this.callbacks.onPick(x, y);
  }
}
