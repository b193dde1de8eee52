import { el, icon } from "../core/dom.js";
import { CropTool } from "./crop.js";
import { CurveEditor } from "./curve.js";
import { setValue, valueOf } from "./draft.js";
import { MotionTool } from "./motion.js";
import { nameOf, Slider } from "./slider.js";
import { presetButton, titleOf } from "../core/presetbutton.js";
import { pictureURL } from "../core/api.js";
import { has, t } from "../core/strings.js";

const HUES = ["red", "orange", "yellow", "green", "cyan", "blue", "purple", "magenta"];
const TONES = ["shadowGrade", "midtoneGrade", "highlightGrade"];
const three = (name) => [`${name}Hue`, `${name}Saturation`, `${name}Luminance`];

/**
 * The groups of the panel: name, icon, pages, and the parts of an edit that belong to it. A page is a list of sliders, or a
 * list of lists of which one is chosen.
 */
const GROUPS = [
  { name: "light", symbol: "sun", parts: ["light", "curve", "channelCurves"], pages: {
    basic: ["exposure", "contrast", "highlights", "shadows", "whites", "blackPoint", "brilliance", "brightness"],
    levels: ["dehaze", "levelsBlack", "levelsMidtone", "levelsWhite", "levelsOutputBlack", "levelsOutputWhite"], curve: "curve" } },
  { name: "color", symbol: "drop", parts: ["color", "blackAndWhite"], pages: {
    basic: ["temperature", "warmth", "tint", "saturation", "vibrance"], ranges: Object.fromEntries(HUES.map((hue) => [hue, three(hue)])),
    grading: Object.fromEntries(TONES.map((tone) => [tone, three(tone)])),
    monochrome: ["monochrome", "monochromeTone", "monochromeRed", "monochromeGreen", "monochromeBlue"] } },
  { name: "detail", symbol: "triangle", parts: ["detail"], pages: { basic: ["sharpness", "definition", "noiseReduction"] } },
  { name: "effects", symbol: "vignette", parts: ["effects"], pages: { basic: ["vignette", "vignetteRadius", "vignetteSoftness", "grain", "grainSize"] } },
  { name: "crop", symbol: "crop", parts: ["orientation", "geometry"], pages: { basic: "crop" } },
  { name: "motion", symbol: "live", parts: ["motion"], pages: { basic: "motion" } },
  { name: "presets", symbol: "presets", parts: ["look"], pages: { basic: "presets", looks: "looks" } },
  { name: "versions", symbol: "versions", parts: [], pages: { basic: "versions" } },
];

/** The name of a look for people. */
const lookName = (look) => (has(`look.name.${look}`) ? t(`look.name.${look}`) : look);

/** The groups of an edit, and the controls of the one that is chosen. */
export class EditPanel {
  /**
   * @param {{change: (tag: string, change: (edit: any) => any, isMoving: boolean) => void, without: (parts: string[]|null) => void,
   *   look: (time: number) => void, auto: (parts: string) => void, pick: () => void, preset: (name: string, intensity: number) => void,
   *   tryPreset: (name: string|null) => void, savePreset: () => void, chosen: (group: string) => void}} actions
   * @param {HTMLElement} versions
   */
  constructor(actions, versions) {
    this.actions = actions;
    this.group = "light";
    /** @type {Map<string, Slider>} */
    this.sliders = new Map();
    this.curve = new CurveEditor((change, isMoving) => actions.change("curve", change, isMoving));
    this.crop = new CropTool(actions.change, () => actions.auto("geometry"));
    this.motion = new MotionTool(actions.change, actions.look);
    this.presets = el("div.presetGrid");
    this.looks = el("div.presetGrid");
    this.intensity = new Slider({ name: "intensity", minimum: 0.01, maximum: 1, neutral: 1, digits: 2 }, (value, isMoving) => this.strength(value, isMoving));
    this.share = new Slider({ name: "presetIntensity", minimum: 0, maximum: 1, neutral: 1, digits: 2 }, (value, isMoving) => { if (!isMoving) actions.preset(this.applied, value); });
    this.tools = { curve: this.curve.element, crop: this.crop.panel, motion: this.motion.panel, versions,
      presets: el("div.tools", {}, this.share.element, this.presets, el("button", { type: "button", onclick: actions.savePreset }, t("edit.preset.save"))), looks: this.looks };
    this.histogram = /** @type {HTMLCanvasElement} */ (el("canvas.histogram", { width: "256", height: "64", role: "img", "aria-label": t("edit.histogram") }));
    this.tabs = el("div.groups", { role: "tablist", "aria-label": t("edit.groups") }, ...GROUPS.map((group) => this.tab(group)));
    this.body = el("div.controls", { role: "tabpanel", id: "editControls" });
    this.element = el("aside.editPanel", { "aria-label": t("edit.panel") }, this.histogram, this.tabs, this.body);
    this.tabs.addEventListener("keydown", (event) => this.walk(event));
  }

  tab(group) {
    const name = t(`edit.group.${group.name}`);
    const tab = el("button.group", { type: "button", role: "tab", "aria-selected": "false", "aria-controls": "editControls", tabindex: "-1", "data-group": group.name, onclick: (event) => { if (!event.altKey) this.open(group.name); } },
      icon(group.symbol), el("span", {}, name), el("span.unseen.differs", {}));
    // Held with Alt, the picture is shown without this group.
    tab.addEventListener("pointerdown", (event) => {
      if (!event.altKey || !group.parts.length) return;
      event.preventDefault();
      this.actions.without(group.parts);
      addEventListener("pointerup", () => this.actions.without(null), { once: true });
    });
    return tab;
  }

  walk(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const shown = GROUPS.filter(({ name }) => !this.tabs.querySelector(`[data-group=${name}]`).hidden);
    const index = shown.findIndex(({ name }) => name === this.group);
    this.open(shown[(index + by + shown.length) % shown.length].name);
    this.tabs.querySelector("[aria-selected=true]").focus();
  }

  /** Takes the table of parameters, the looks, and an asset. */
  load(item, { parameters, looks, presets, movie, hasPhoto }) {
    Object.assign(this, { item, parameters: new Map(parameters.map((one) => [one.name, one])) });
    this.tabs.querySelector("[data-group=motion]").hidden = !movie;
    this.motion.open(item, movie, hasPhoto);
    this.share.element.hidden = true;
    this.presets.replaceChildren(...presets.map((one) => this.preset(item, one)));
    this.looks.replaceChildren(this.intensity.element, ...[null, ...looks].map((look) => {
      const picture = el("img", { alt: "", loading: "lazy", src: pictureURL(item, { size: 320, edit: JSON.stringify(look ? { look: { name: look.name } } : {}) }) });
      return el("button.preset", { type: "button", "data-look": look?.name ?? "", title: look && titleOf(look.name, look.summary, lookName(look.name)), "aria-pressed": "false", onclick: () => this.actions.change("", (edit) => { edit.look = look ? { name: look.name } : undefined; }, false) },
        el("span.picture", {}, picture), el("span.name", {}, look ? lookName(look.name) : t("edit.look.none")));
    }));
    this.open(this.group === "motion" && !movie ? "light" : this.group);
  }

  /** A preset to press, which is shown large while a hand rests on it. */
  preset(item, one) {
    const end = () => { clearTimeout(this.resting); this.actions.tryPreset(null); };
    return presetButton(item, one, {
      onclick: () => { end(); this.applied = one.preset; this.share.show(1); this.share.element.hidden = false; this.actions.preset(one.preset, 1); },
      onpointerenter: (event) => { if (event.pointerType === "mouse") this.resting = setTimeout(() => this.actions.tryPreset(one.preset), 200); }, onpointerleave: end,
    });
  }

  /** Opens a group, at its first page or another one. */
  open(name, page = "basic", part) {
    this.group = name;
    const group = GROUPS.find((one) => one.name === name);
    for (const tab of this.tabs.children) {
      const isOpen = tab.dataset.group === name;
      tab.setAttribute("aria-selected", String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
    }
    this.body.setAttribute("aria-label", t(`edit.group.${name}`));
    const pages = Object.keys(group.pages);
    const choice = (names, chosen, choose, label) => el("div.segments", { role: "group", "aria-label": label }, ...names.map((one) => el("button", {
      type: "button", "aria-pressed": String(one === chosen), onclick: () => choose(one),
    }, this.words(one))));
    const content = group.pages[page];
    const head = pages.length > 1 ? choice(pages, page, (one) => { this.open(name, one); this.body.querySelector(`.segments button:nth-child(${pages.indexOf(one) + 1})`).focus(); }, t(`edit.group.${name}`)) : null;
    let list = content, second = null;
    if (typeof content === "object" && !Array.isArray(content)) {
      const names = Object.keys(content);
      part ??= names[0];
      second = choice(names, part, (one) => { this.open(name, page, one); this.body.querySelectorAll(".segments")[1].children[names.indexOf(one)].focus(); }, t(`edit.page.${page}`));
      list = content[part];
    }
    const controls = typeof list === "string" ? [this.tools[list]] : list.map((one) => this.slider(one).element);
    const extras = page === "basic" && name === "light" ? [el("button", { type: "button", onclick: () => this.actions.auto("light") }, t("edit.auto.light"))]
      : page === "basic" && name === "color" ? [el("div.line", {}, el("button", { type: "button", onclick: () => this.actions.auto("color") }, t("edit.auto.color")), el("button", { type: "button", onclick: () => this.actions.pick() }, t("edit.pick")))] : [];
    this.body.replaceChildren(...[head, second, ...extras, ...controls].filter(Boolean));
    this.actions.chosen(name);
    if (this.edit) this.show(this.edit);
  }

  words(name) {
    return has(`edit.page.${name}`) ? t(`edit.page.${name}`) : nameOf(name);
  }

  slider(name) {
    const known = this.sliders.get(name);
    if (known) return known;
    const parameter = this.parameters.get(name);
    const slider = new Slider({ ...parameter, name }, (value, isMoving) => this.actions.change(name, (edit) => setValue(edit, parameter, value), isMoving));
    this.sliders.set(name, slider);
    return slider;
  }

  /** Shows what an edit says. */
  show(edit, shape = this.shape) {
    Object.assign(this, { edit, shape });
    for (const [name, slider] of this.sliders) slider.show(valueOf(edit, this.parameters.get(name)));
    this.curve.show(edit);
    this.crop.show(edit, shape ?? 1);
    this.motion.show(edit);
    for (const group of GROUPS) {
      const differs = group.parts.some((part) => edit[part] !== undefined);
      const tab = this.tabs.querySelector(`[data-group=${group.name}]`);
      tab.classList.toggle("set", differs);
      tab.querySelector(".differs").textContent = differs ? `, ${t("edit.changed")}` : "";
    }
    for (const button of this.looks.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.look === (edit.look?.name ?? (edit.look ? "table" : ""))));
    this.intensity.element.hidden = !edit.look;
    this.intensity.show(edit.look?.intensity ?? 1);
  }

  strength(value, isMoving) {
    this.actions.change("look", (edit) => { if (edit.look) edit.look.intensity = value === 1 ? undefined : value; }, isMoving);
  }

  /** Draws how often each value is there, of a canvas, and marks what is cut off. */
  count(canvas) {
    const context = this.histogram.getContext("2d");
    const small = (this.small ??= new OffscreenCanvas(256, 171).getContext("2d", { willReadFrequently: true }));
    small.drawImage(canvas, 0, 0, 256, 171);
    const { data } = small.getImageData(0, 0, 256, 171);
    const counts = [0, 1, 2].map(() => new Float32Array(256));
    for (let at = 0; at < data.length; at += 4) for (let channel = 0; channel < 3; channel += 1) counts[channel][data[at + channel]] += 1;
    // Black and white alone would press down all else.
    const most = Math.max(...counts.map((count) => Math.max(...count.subarray(2, 254))), 1);
    context.clearRect(0, 0, 256, 64);
    context.globalCompositeOperation = "lighter";
    ["#c44", "#4a4", "#57e"].forEach((color, channel) => {
      context.fillStyle = color;
      counts[channel].forEach((count, value) => context.fillRect(value, 64, 1, -Math.min(64, (60 * count) / most)));
    });
    const share = (value) => Math.max(...counts.map((count) => count[value])) / (256 * 171);
    context.fillStyle = "#fff";
    if (share(0) > 0.002) context.fillRect(0, 0, 6, 6);
    if (share(255) > 0.002) context.fillRect(250, 0, 6, 6);
    this.histogram.title = t("edit.clipped", { black: Math.round(1000 * share(0)) / 10, white: Math.round(1000 * share(255)) / 10 });
  }
}
