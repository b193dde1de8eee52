import { el } from "../core/dom.js";
import { iconButton } from "../core/icons.js";
import { t } from "../core/strings.js";

/**
 * The panel with the albums, and the button that opens the panel over the photos if there is no space beside them.
 */
export class Side {
  /** @param {HTMLElement} albums */
  constructor(albums) {
    this.element = el("aside.side", { "aria-label": t("side.open") }, albums);
    this.menu = iconButton("menu", t("side.open"), () => this.show(!this.isOpen), {
      class: "tool menu", "aria-expanded": "false",
    });
  }

  /** True while the albums cover the photos. */
  get isOpen() {
    return document.body.classList.contains("sideOpen") && getComputedStyle(this.element).position === "fixed";
  }

  /**
   * Opens or closes the albums if there is no space beside the photos.
   * @param {boolean} isOpen
   */
  show(isOpen) {
    document.body.classList.toggle("sideOpen", isOpen);
    this.menu.setAttribute("aria-expanded", String(isOpen));
  }

  /**
   * Makes a click outside the albums close them without any other effect.
   * @param {HTMLElement} browse the grid and everything around it
   */
  closeFrom(browse) {
    addEventListener("click", (event) => {
      if (!this.isOpen || !(event.target instanceof Node) || !browse.contains(event.target)) return;
      if (this.element.contains(event.target) || this.menu.contains(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      this.show(false);
    }, { capture: true });
  }
}
