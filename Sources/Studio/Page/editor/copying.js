import { announce, el } from "../core/dom.js";
import { get, post } from "../core/api.js";
import { openDialog } from "../core/dialog.js";
import { t } from "../core/strings.js";

/** @typedef {import("../core/types").Edit} Edit */
/** @typedef {import("../core/types").Change} Change */
/** @typedef {keyof Edit} Part */

/**
 * Opens a dialog that copies an edit or parts of it.
 * @param {Edit} value
 * @param {(change: Change) => void} onCopy receives the change that pasting applies
 */
export function openCopyDialog(value, onCopy) {
  // The local part of a look is copied together with the look.
  const names = Object.keys(value).map((part) => (part === "local" ? "look" : part));
  const parts = [...new Set(names)].filter((part) => part !== "motion" && part !== "facts");
  const inputs = parts.map((part) => el("input", { type: "checkbox", value: part, checked: true }));
  const boxes = inputs.map((input) => el("label.choice", {}, input, t(`edit.part.${input.value}`)));
  const copied = () => {
    const checked = inputs.filter((input) => input.checked).map((input) => input.value);
    const chosen = /** @type {Part[]} */ (checked.flatMap((part) => (part === "look" ? ["look", "local"] : [part])))
      .filter((part) => part in value);
    const edit = Object.fromEntries(chosen.map((part) => [part, value[part]]));
    const reset = chosen.map((part) => (part === "channelCurves" ? "curve" : part));
    onCopy({ type: "merge", edit, reset: [...new Set(reset)] });
    dialog.close();
  };
  const choices = el("fieldset", {}, el("legend", {}, t("edit.copy.parts")), ...boxes);
  const dialog = openDialog(t("edit.copy"), parts.length ? choices : el("p", {}, t("edit.copy.nothing")),
    el("div.buttons", {}, el("button", { type: "button", disabled: !parts.length, onclick: copied }, t("edit.copy"))));
}

/**
 * Pastes a copied edit into a draft.
 * @param {Change} copied
 * @param {import("./draft.js").Draft} draft
 */
export async function pasteInto(copied, draft) {
  if (copied.type === "merge") {
    draft.rest();
    draft.change("", (edit) => ({ ...edit, ...structuredClone(copied.edit) }));
  } else if (copied.type === "copy") {
    const other = await get(`assets/${encodeURIComponent(copied.from)}/edit`);
    draft.rest();
    draft.change("", (edit) => ({ ...other.edit, motion: edit.motion }));
  }
}

/**
 * Asks for a name, and saves an edit as a preset with that name.
 * @param {Edit} value
 * @param {() => Promise<void>} onSaved
 */
export function openSavePresetDialog(value, onSaved) {
  const name = t("edit.preset.name");
  const field = el("input", {
    type: "text", "aria-label": name, placeholder: name, autofocus: true, maxlength: "60",
  });
  const told = el("p.invalid", { role: "alert" });
  const submitted = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    // Rotation, crop, dates and locations belong to a single picture.
    const { motion, orientation, geometry, facts, ...edit } = value;
    const effect = motion?.effect ? { motion: { effect: motion.effect } } : {};
    try {
      await post("presets", { preset: field.value.trim(), edit: { ...edit, ...effect } });
      dialog.close();
      announce(t("edit.preset.saved", { preset: field.value }));
      await onSaved();
    } catch (error) {
      told.textContent = error.message;
    }
  };
  const dialog = openDialog(t("edit.preset.save"), el("form", { onsubmit: submitted },
    el("div.line", {}, field, el("button", { type: "submit" }, t("edit.save"))), told));
}
