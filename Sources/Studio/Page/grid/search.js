import { el } from "../core/dom.js";
import { icon, iconButton } from "../core/icons.js";
import { address, get } from "../core/api.js";
import { t } from "../core/strings.js";

/** The quick filters and their expressions. */
const QUICK = [
  ["live", "kind = live"], ["photo", "kind = photo"], ["movie", "kind = movie"], ["edited", "edited"],
  ["favourite", "favourite"], ["place", "has location"],
];

/** The search bar above the grid: a filter field with completions, and quick filters. */
export class Search {
  /** @param {(query: {filter: string, hidden: boolean}) => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    this.filter = "";
    this.hidden = false;
    this.field = el("input", {
      type: "search", placeholder: t("search.placeholder"), "aria-label": t("search.label"), spellcheck: "false",
      list: "proposals",
    });
    this.proposals = el("datalist", { id: "proposals" });
    this.complaint = el("p.complaint", { "aria-live": "polite" });
    this.chips = el("div.chips", { role: "group", "aria-label": t("filters.label") });
    const submitted = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.apply(this.field.value.trim());
    };
    const clear = iconButton("close", t("search.clear"), () => this.apply(""));
    this.element = el("form.search", { role: "search", onsubmit: submitted },
      el("div.field", {}, icon("search"), this.field, clear), this.proposals, this.complaint);
    this.field.addEventListener("input", () => this.typed());
    this.field.addEventListener("focus", () => this.typed());
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.field.blur();
      event.stopPropagation();
    });
    const fill = () => this.fillCameras();
    this.camera = el("select.chip", {
      "aria-label": t("filter.camera"), onfocus: fill, onmousedown: fill, onchange: () => this.chooseCamera(),
    }, el("option", { value: "" }, t("filter.camera")));
    this.drawChips();
  }

  /** Requests the list of cameras once. */
  async fillCameras() {
    if (this.camera.options.length > 1) return;
    const answer = await get(address("filter", { text: "camera = " })).catch(() => null);
    if (this.camera.options.length > 1) return;
    /** @type {string[]} */
    const values = answer?.proposals ?? [];
    this.camera.append(...values.map((value) => el("option", { value }, value.replace(/^camera = "?|"$/g, ""))));
  }

  chooseCamera() {
    const parts = this.filter.split(" and ").map((part) => part.trim());
    const others = parts.filter((part) => part && !part.startsWith("camera = "));
    this.apply([...others, this.camera.value].filter(Boolean).join(" and "));
  }

  /**
   * Sets the filter and reports it.
   * @param {string} filter
   */
  apply(filter) {
    this.filter = filter;
    this.field.value = filter;
    this.complaint.textContent = "";
    this.drawChips();
    this.onChange({ filter, hidden: this.hidden });
  }

  drawChips() {
    const parts = this.filter.split(" and ").map((part) => part.trim());
    /** @param {string} name @param {boolean} isOn @param {() => void} action */
    const chip = (name, isOn, action) => (
      el("button.chip", { type: "button", "aria-pressed": String(isOn), onclick: action }, name)
    );
    const quick = QUICK.map(([name, expression]) => (
      chip(t(`filter.${name}`), parts.includes(expression), () => this.toggle(expression))
    ));
    const hidden = chip(t("filter.hidden"), this.hidden, () => {
      this.hidden = !this.hidden;
      this.apply(this.filter);
    });
    const chips = [...quick, hidden, this.camera];
    const focused = [...this.chips.children].findIndex((one) => one === document.activeElement);
    this.chips.replaceChildren(...chips);
    this.camera.value = [...this.camera.options].find(({ value }) => value && parts.includes(value))?.value ?? "";
    chips[focused]?.focus();
  }

  /** @param {string} expression */
  toggle(expression) { this.apply(toggled(this.filter, expression)); }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.propose(), 120);
  }

  async propose() {
    const text = this.field.value;
    /** @type {{valid: boolean, proposals: string[]}|null} */
    const answer = await get(address("filter", { text: text || " " })).catch(() => null);
    if (!answer || this.field.value !== text) return;
    this.complaint.textContent = "";
    this.proposals.replaceChildren(...answer.proposals.slice(0, 20).map((value) => el("option", { value })));
    if (answer.valid) this.applySoon(text.trim());
  }

  /**
   * Applies a valid filter after a moment, without a key press.
   * @param {string} filter
   */
  applySoon(filter) {
    clearTimeout(this.applying);
    this.applying = setTimeout(() => {
      if (this.field.value.trim() !== filter || filter === this.filter) return;
      this.filter = filter;
      this.drawChips();
      this.onChange({ filter, hidden: this.hidden });
    }, 500);
  }

  /**
   * Shows why a filter was refused.
   * @param {string} message
   */
  refuse(message) { this.complaint.textContent = message; }
}

/**
 * Adds an expression to a filter, or removes it if the filter contains it. A filter has at most one kind.
 * @param {string} filter
 * @param {string} expression
 * @returns {string} the new filter
 */
export function toggled(filter, expression) {
  const parts = filter.split(" and ").map((part) => part.trim()).filter(Boolean);
  if (parts.includes(expression)) return parts.filter((part) => part !== expression).join(" and ");
  const kept = expression.startsWith("kind =") ? parts.filter((part) => !/^kind = \w+$/.test(part)) : parts;
  return [...kept, expression].join(" and ");
}
