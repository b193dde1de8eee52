import { el } from "../core/dom.js";
import { iconButton } from "../core/icons.js";
import { t } from "../core/strings.js";

/** A message above the picture. */
export class Notice {
  constructor() {
    this.element = el("p.notice", { role: "alert", hidden: true });
  }

  /**
   * Shows a message; an empty text hides the notice.
   * @param {string} text
   * @param {...[name: string, action: () => void]} choices buttons with their actions
   */
  tell(text, ...choices) {
    const buttons = choices.map(([name, action]) => (
      el("button", { type: "button", onclick: () => { this.tell(""); action(); } }, name)
    ));
    const close = text && !choices.length ? iconButton("close", t("action.dismiss"), () => this.tell("")) : "";
    this.element.hidden = !text;
    this.element.replaceChildren(text, ...buttons, close);
  }
}
