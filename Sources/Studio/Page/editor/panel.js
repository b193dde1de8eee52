import { el } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { pictureURL } from "../core/api.js";
import { presetButton, titleOf } from "../core/presetbutton.js";
import { has, t } from "../core/strings.js";
import { CropTool } from "./crop.js";
import { CurveEditor } from "./curve.js";
import { setValue, valueOf } from "./draft.js";
import { completed, GROUPS } from "./groups.js";
import { Histogram } from "./histogram.js";
import { MotionTool } from "./motion.js";
import { nameOf, Slider } from "./slider.js";

/** @typedef {import("../core/types").Asset} Asset */
/** @typedef {import("../core/types").Edit} Edit */
/** @typedef {import("../core/types").Look} Look */
/** @typedef {import("../core/types").Parameter} Parameter */
/** @typedef {import("../core/types").Preset} Preset */

/**
 * @typedef {Object} PanelCallbacks
 * @property {import("../core/types").TakeChange} change
 * @property {(parts: (keyof Edit)[]) => void} without shows the picture without parts of the edit
 * @property {(time: number) => void} look shows the frame at a time
 * @property {(parts: string) => void} auto corrects parts of the edit automatically
 * @property {() => void} pick starts to pick a position that becomes grey
 * @property {(name: string, intensity: number) => void} preset
 * @property {(name: string|null) => void} tryPreset shows the picture with a preset, or without it again
 * @property {() => void} savePreset
 * @property {(group: string) => void} chosen
 */

/**
 * Returns the displayed name of a look.
 * @param {string} look
 */
const lookName = (look) => (has(`look.name.${look}`) ? t(`look.name.${look}`) : look);

/** The groups of an edit, and the controls of the chosen group. */
export class EditPanel {
  /**
   * @param {PanelCallbacks} callbacks
   * @param {HTMLElement} versions
   */
  constructor(callbacks, versions) {
    this.callbacks = callbacks;
    this.groups = GROUPS;
    this.group = "light";
    /** @type {Map<string, Parameter>} */
    this.parameters = new Map();
    /** @type {Map<string, Slider>} */
    this.sliders = new Map();
    /** @type {Edit|null} */
    this.edit = null;
    this.shape = 1;
    /** The preset that was applied last. */
    this.applied = "";
    this.curve = new CurveEditor((change, isMoving) => callbacks.change("curve", change, isMoving));
    this.crop = new CropTool(callbacks.change, () => callbacks.auto("geometry"));
    this.motion = new MotionTool(callbacks.change, callbacks.look);
    this.presets = el("div.presetGrid");
    this.looks = el("div.presetGrid");
    this.intensity = new Slider({ name: "intensity", minimum: 0.01, maximum: 1, neutral: 1, digits: 2 },
      (value, isMoving) => this.strength(value, isMoving));
    this.share = new Slider({ name: "presetIntensity", minimum: 0, maximum: 1, neutral: 1, digits: 2 },
      (value, isMoving) => { if (!isMoving) callbacks.preset(this.applied, value); });
    const save = el("button", { type: "button", onclick: callbacks.savePreset }, t("edit.preset.save"));
    /** @type {Record<string, HTMLElement>} */
    this.tools = {
      curve: this.curve.element, crop: this.crop.panel, motion: this.motion.panel, versions, looks: this.looks,
      presets: el("div.tools", {}, this.share.element, this.presets, save),
    };
    this.histogram = new Histogram();
    /** @type {Map<string, HTMLButtonElement>} */
    this.tabs = new Map(GROUPS.map((group) => [group.name, this.tab(group)]));
    const list = el("div.groups", { role: "tablist", "aria-label": t("edit.groups") }, ...this.tabs.values());
    this.body = el("div.controls", { role: "tabpanel", id: "editControls" });
    this.element = el("aside.editPanel", { "aria-label": t("edit.panel") }, this.histogram.element, list, this.body);
    list.addEventListener("keydown", (event) => this.walk(event));
  }

  /** @param {import("./groups.js").Group} group */
  tab({ name, symbol, parts }) {
    const tab = el("button.group", {
      type: "button", role: "tab", "aria-selected": "false", "aria-controls": "editControls", tabindex: "-1",
      "data-group": name, onclick: (event) => { if (!event.altKey) this.open(name); },
    }, icon(symbol), el("span", {}, t(`edit.group.${name}`)), el("span.unseen.differs"));
    // While the tab is pressed with Alt, the picture is shown without this group.
    tab.addEventListener("pointerdown", (event) => {
      if (!event.altKey || !parts.length) return;
      event.preventDefault();
      this.callbacks.without(parts);
      addEventListener("pointerup", () => this.callbacks.without([]), { once: true });
    });
    return tab;
  }

  /**
   * Opens the previous or next group with the arrow keys.
   * @param {KeyboardEvent} event
   */
  walk(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const shown = [...this.tabs].filter(([, tab]) => !tab.hidden);
    const index = shown.findIndex(([name]) => name === this.group);
    const [name, tab] = shown[(index + by + shown.length) % shown.length];
    this.open(name);
    tab.focus();
  }

  /**
   * Loads the table of parameters, the looks, the presets, and an asset.
   * @param {Asset} item
   * @param {import("./session.js").Known & {hasPhoto: boolean, movie: import("../core/types").SourceMovie|null}} about
   */
  load(item, { parameters, looks, presets, movie, hasPhoto }) {
    this.parameters = new Map(parameters.map((one) => [one.name, one]));
    this.groups = completed(parameters);
    const motion = this.tabs.get("motion");
    if (motion) motion.hidden = !movie;
    this.motion.open(item, movie, hasPhoto);
    this.share.element.hidden = true;
    this.presets.replaceChildren(...presets.map((one) => this.preset(item, one)));
    this.looks.replaceChildren(this.intensity.element, ...[null, ...looks].map((look) => this.look(item, look)));
    this.open(this.group === "motion" && !movie ? "light" : this.group);
  }

  /**
   * Creates a button for a look; null means no look.
   * @param {Asset} item
   * @param {Look|null} look
   */
  look(item, look) {
    const edit = look ? { look: { name: look.name } } : {};
    const src = pictureURL(item, { size: 320, edit: JSON.stringify(edit) });
    const name = look ? lookName(look.name) : t("edit.look.none");
    return el("button.preset", {
      type: "button", "data-look": look?.name ?? "", title: look && titleOf(look.name, look.summary, name),
      "aria-pressed": "false",
      onclick: () => this.callbacks.change("", (now) => { now.look = look ? { name: look.name } : undefined; }, false),
    }, el("span.picture", {}, el("img", { alt: "", loading: "lazy", src })), el("span.name", {}, name));
  }

  /**
   * Creates a button for a preset, which is previewed in the large picture while the pointer rests on the button.
   * @param {Asset} item
   * @param {Preset} one
   */
  preset(item, one) {
    const end = () => { clearTimeout(this.resting); this.callbacks.tryPreset(null); };
    const apply = () => {
      end();
      this.applied = one.preset;
      this.share.show(1);
      this.share.element.hidden = false;
      this.callbacks.preset(one.preset, 1);
    };
    const rest = (/** @type {PointerEvent} */ event) => {
      if (event.pointerType !== "mouse") return;
      this.resting = setTimeout(() => this.callbacks.tryPreset(one.preset), 200);
    };
    return presetButton(item, one, { onclick: apply, onpointerenter: rest, onpointerleave: end });
  }

  /**
   * Opens a group.
   * @param {string} name
   * @param {string} page
   * @param {string} [part] the chosen list of sliders, if the page has several
   */
  open(name, page = "basic", part) {
    this.group = name;
    const pages = this.groups.find((one) => one.name === name)?.pages ?? {};
    for (const [group, tab] of this.tabs) {
      tab.setAttribute("aria-selected", String(group === name));
      tab.tabIndex = group === name ? 0 : -1;
    }
    this.body.setAttribute("aria-label", t(`edit.group.${name}`));
    const rows = [];
    const names = Object.keys(pages);
    if (names.length > 1) rows.push(this.choice(0, names, page, (one) => this.open(name, one), `edit.group.${name}`));
    let list = pages[page];
    if (typeof list === "object" && !Array.isArray(list)) {
      const parts = Object.keys(list);
      const chosen = part ?? parts[0];
      rows.push(this.choice(1, parts, chosen, (one) => this.open(name, page, one), `edit.page.${page}`));
      list = list[chosen];
    }
    if (page === "basic") rows.push(...this.automatic(name));
    const controls = typeof list === "string" ? [this.tools[list]] : list.map((one) => this.slider(one).element);
    this.body.replaceChildren(...rows, ...controls);
    this.callbacks.chosen(name);
    if (this.edit) this.show(this.edit);
  }

  /**
   * Creates a row of buttons of which one is pressed. The row is redrawn after each press, and the focus is kept.
   * @param {number} row the index of the row
   * @param {string[]} names
   * @param {string} chosen
   * @param {(name: string) => void} choose
   * @param {string} label the name of its text
   */
  choice(row, names, chosen, choose, label) {
    /** @param {string} name @param {number} index */
    const press = (name, index) => {
      choose(name);
      const buttons = this.body.querySelectorAll(".segments")[row]?.querySelectorAll("button");
      buttons?.[index]?.focus();
    };
    return el("div.segments", { role: "group", "aria-label": t(label) }, ...names.map((name, index) => el("button", {
      type: "button", "aria-pressed": String(name === chosen), onclick: () => press(name, index),
    }, has(`edit.page.${name}`) ? t(`edit.page.${name}`) : nameOf(name))));
  }

  /**
   * Returns the buttons that correct a group automatically.
   * @param {string} group
   */
  automatic(group) {
    /** @param {string} name @param {() => void} action */
    const button = (name, action) => el("button", { type: "button", onclick: action }, t(name));
    if (group === "light") return [button("edit.auto.light", () => this.callbacks.auto("light"))];
    if (group !== "color") return [];
    const auto = button("edit.auto.color", () => this.callbacks.auto("color"));
    return [el("div.line", {}, auto, button("edit.pick", () => this.callbacks.pick()))];
  }

  /** @param {string} name */
  slider(name) {
    const known = this.sliders.get(name);
    if (known) return known;
    const parameter = this.parameters.get(name);
    if (!parameter) throw new Error(`The server knows no parameter “${name}”.`);
    const slider = new Slider(parameter, (value, isMoving) => {
      this.callbacks.change(name, (edit) => setValue(edit, parameter, value), isMoving);
    });
    this.sliders.set(name, slider);
    return slider;
  }

  /**
   * Shows the values of an edit.
   * @param {Edit} edit
   */
  show(edit) {
    this.edit = edit;
    for (const [name, slider] of this.sliders) {
      const parameter = this.parameters.get(name);
      if (parameter) slider.show(valueOf(edit, parameter));
    }
    this.curve.show(edit);
    this.crop.show(edit, this.shape);
    this.motion.show(edit);
    for (const { name, parts } of GROUPS) {
      const differs = parts.some((part) => edit[part] !== undefined);
      const tab = this.tabs.get(name);
      tab?.classList.toggle("set", differs);
      const said = tab?.querySelector(".differs");
      if (said) said.textContent = differs ? `, ${t("edit.changed")}` : "";
    }
    const look = edit.look?.name ?? (edit.look ? "table" : "");
    for (const button of this.looks.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.look === look));
    }
    this.intensity.element.hidden = !edit.look;
    this.intensity.show(edit.look?.intensity ?? 1);
  }

  /** @param {number} value @param {boolean} isMoving */
  strength(value, isMoving) {
    this.callbacks.change("look", (edit) => {
      if (edit.look) edit.look.intensity = value === 1 ? undefined : value;
    }, isMoving);
  }
}
