import { el } from "./dom.js";
import { iconButton } from "./icons.js";
import { t } from "./strings.js";

/**
 * Opens a dialog over the page. Escape closes it, and the focus returns to the previous element.
 * @param {string} title
 * @param {...import("./types").Child} children
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, ...children) {
  const heading = el("h2", {}, title);
  const close = iconButton("close", t("action.close"), () => dialog.close());
  const dialog = el("dialog", { "aria-label": title }, el("div.head", {}, heading, close), ...children);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  document.getElementById("app")?.append(dialog);
  dialog.showModal();
  return dialog;
}
