import { el } from "../core/dom.js";
import { icon, iconButton } from "../core/icons.js";
import { CHANGES } from "../core/actions.js";
import { moment, t } from "../core/strings.js";

/** The bar at the upper edge of the viewer: the name of the displayed asset, and buttons for all actions. */
export class ViewerBar {
  /** @param {import("./viewer.js").Viewer} viewer performs the actions of the buttons */
  constructor(viewer) {
    this.title = el("h1");
    this.when = el("p.when");
    /**
     * @param {string} symbol
     * @param {string} name
     * @param {() => void} action
     * @param {import("../core/types").Attributes} [attributes]
     */
    const button = (symbol, name, action, attributes) => iconButton(symbol, t(name), action, attributes);
    /**
     * Creates a button that makes a change, and shows the metadata that the change would remove.
     * @param {string} symbol
     * @param {string} name
     * @param {() => void} action
     * @param {import("../core/types").Change} change
     */
    const edit = (symbol, name, action, change) => {
      const made = button(symbol, name, action);
      viewer.removals.watch(made, () => change, () => viewer.item);
      return made;
    };
    const expands = { "aria-expanded": "false" };
    this.favourite = button("heart", "action.favourite", () => viewer.favourite());
    this.compare = button("compare", "action.compare", () => viewer.toggleCompare(), { "aria-pressed": "false" });
    this.presets = button("presets", "action.presets", () => viewer.toggle(viewer.presets), expands);
    this.versions = button("versions", "action.versions", () => viewer.toggle(viewer.versions), expands);
    this.facts = button("info", "action.info", () => viewer.toggle(viewer.facts), expands);
    /** This button is below the picture, not in the bar. */
    this.sound = button("mute", "action.sound", () => viewer.toggleSound());
    this.sound.classList.add("soundSwitch");
    this.element = el("header.bar", {},
      button("back", "action.back", () => viewer.onClose()), el("div.names", {}, this.title, this.when),
      el("span.space"),
      edit("turnLeft", "action.turnLeft", () => viewer.turnLeft(), CHANGES.turnLeft),
      edit("turnRight", "action.turnRight", () => viewer.turnRight(), CHANGES.turnRight),
      edit("mirror", "action.flipHorizontal", () => viewer.flipHorizontal(), CHANGES.flipHorizontal),
      edit("wand", "action.auto", () => viewer.edit(CHANGES.auto), CHANGES.auto),
      this.presets, this.compare,
      button("revert", "action.revert", () => viewer.edit(CHANGES.revert)),
      button("redo", "action.redo", () => viewer.edit(CHANGES.redo)),
      this.versions, this.favourite,
      button("eyeOff", "action.hide", () => viewer.hide()), button("album", "action.album", () => viewer.album()),
      this.facts,
      button("share", "action.share", () => viewer.share()), button("pencil", "action.edit", () => viewer.onEdit()));
  }

  /**
   * Shows the name, date and camera of an asset.
   * @param {import("../core/types").Asset} item
   */
  show(item) {
    this.title.textContent = item.name;
    this.when.textContent = [item.date && moment(item.date), item.camera].filter(Boolean).join(" · ");
    this.favourite.classList.toggle("on", item.favourite);
    this.favourite.setAttribute("aria-pressed", String(item.favourite));
  }

  /**
   * Shows the next action on the button.
   * @param {boolean} isMuted
   */
  showSound(isMuted) {
    const name = t(isMuted ? "action.sound" : "action.mute");
    this.sound.replaceChildren(icon(isMuted ? "mute" : "sound"));
    this.sound.title = name;
    this.sound.setAttribute("aria-label", name);
  }
}
