/** Every component of the page in each of its states, one below the other, without a server except for pictures. */
import { el } from "./core/dom.js";
import { icon, iconButton } from "./core/icons.js";
import { CropTool } from "./editor/crop.js";
import { CurveEditor } from "./editor/curve.js";
import { Dial } from "./editor/dial.js";
import { MotionTool } from "./editor/motion.js";
import { Slider } from "./editor/slider.js";
import { Albums } from "./grid/albums.js";
import { FactsPanel } from "./viewer/facts.js";
import { presetButton } from "./core/presetbutton.js";
import { Search } from "./grid/search.js";
import { Selection, selectionBar } from "./grid/selection.js";
import { t } from "./core/strings.js";
import { Tile } from "./grid/tile.js";
import { Tray } from "./core/tray.js";

const LONG = "A name that somebody gave to a photo of a very long evening with all of the family at the lake in the mountains.JPG";
const item = (more = {}) => ({ id: "one", revision: "1", name: "IMG_0003", file: "IMG_0003.JPG", kind: "live", subtypes: [], shape: 133, favourite: false, hidden: false, edited: false,
  date: "2024-05-04T12:00:00+02:00", width: 1000, height: 750, size: 3456789, duration: 2.9, camera: "Apple iPhone 6s", ...more });
const nothing = () => {};

/** A state of a component, with the state's name. */
const state = (name, ...parts) => el("div.state", {}, el("small", {}, name), ...parts);
/** A component with all of its states. */
function story(name, ...states) { document.getElementById("app").append(el("section.story", { id: name.toLowerCase().replaceAll(" ", "-") }, el("h2", {}, name), el("div.states", {}, ...states))); }
const focused = (element) => { element.dataset.focus = "true"; return element; };

const button = (attributes, ...children) => el("button", { type: "button", ...attributes }, ...children);
story("Buttons", state("plain", button({}, "Auto light")), state("with the focus", focused(button({}, "Auto light"))), state("disabled", button({ disabled: true }, "Auto light")),
  state("save", button({ class: "save" }, t("edit.save"))), state("saving", button({ class: "save", "aria-busy": "true", disabled: true }, t("edit.saving"))),
  state("icon", iconButton("heart", "Favourite", nothing)), state("icon, pressed", iconButton("play", "Play", nothing, { "aria-pressed": "true" })), state("icon, on", iconButton("heart", "Favourite, on", nothing, { class: "tool on" })),
  state("icon, disabled", iconButton("redo", "Redo", nothing, { disabled: true })), state("chips", el("div.chips", {}, button({ class: "chip", "aria-pressed": "true" }, "Live"), button({ class: "chip", "aria-pressed": "false" }, "Photos"))),
  state("segments", el("div.segments.narrow", { role: "group", "aria-label": "Pages" }, button({ "aria-pressed": "true" }, "Basic"), button({ "aria-pressed": "false" }, "Levels"), button({ "aria-pressed": "false" }, "Curve"))));

const slider = (about, value) => { const one = new Slider({ minimum: -1, maximum: 1, neutral: 0, digits: 2, ...about }, nothing); one.show(value); one.element.classList.add("narrow"); return one.element; };
story("Sliders", state("neutral", slider({ name: "contrast" }, 0)), state("set", slider({ name: "saturation" }, 0.6)), state("to the left", slider({ name: "shadows" }, -0.35)), state("at its end", slider({ name: "tint" }, 1)),
  state("with a unit", slider({ name: "temperature", minimum: 2000, maximum: 10000, neutral: 6500, digits: 0, unit: "K" }, 5200)), state("with the focus", (() => { const one = slider({ name: "whites" }, 0.3); focused(one.querySelector(".way")); return one; })()), state("a long name", slider({ name: "highlightGradeSaturationOfColours" }, 0.2)));

const dial = (value, level) => { const one = new Dial(nothing); one.element.classList.add("narrow"); one.mark(level); one.show(value); return one.element; };
story("Straighten dial", state("neutral, level not known", dial(0, null)), state("level known", dial(0, -2.4)), state("level", dial(-2.4, -2.4)), state("turned", dial(12.5, -2.4)), state("at its end", dial(45, null)), state("with the focus", (() => { const one = dial(1, 3); focused(one.querySelector(".ruler")); return one; })()));

const curve = (edit) => { const one = new CurveEditor(nothing); one.element.classList.add("narrow"); one.show(edit); return one.element; };
story("Curve", state("straight", curve({})), state("of light", curve({ curve: [[0, 0], [0.25, 0.15], [0.75, 0.85], [1, 1]] })));

const crop = (edit) => { const one = new CropTool(nothing, nothing); one.show(edit, 4 / 3); one.open(); const frame = el("div.box", { style: "" }, one.overlay); Object.assign(frame.style, { width: "360px", height: "270px", background: "#586070", margin: "24px" }); return [frame, el("div.narrow", {}, one.panel)]; };
story("Crop", state("whole", ...crop({})), state("a part", ...crop({ geometry: { crop: { rectangle: [0.2, 0.1, 0.5, 0.6] }, straighten: 3.2 } })));

const movie = { frames: Array.from({ length: 44 }, (_, index) => index / 15), seconds: 44 / 15, keyPhoto: 1.5, hasSound: true };
const motion = (edit, has = movie) => { const one = new MotionTool(nothing, nothing); one.panel.classList.add("narrow"); one.open(item(), has, true); one.show(edit); return one.panel; };
story("Motion", state("all of it", motion({})), state("trimmed, with an effect", motion({ motion: { trim: [0.4, 2.2], keyPhoto: 1, volume: 0.5, effect: "bounce" } })), state("without sound, Live off", motion({ motion: { live: false } }, { ...movie, hasSound: false })));

const tile = (name, more, flags = {}) => {
  const one = new Tile(0, { onOpen: nothing, onSelect: nothing, onFocus: nothing });
  one.place(0, 0, 240, 180);
  one.show(more && item(more), { isSelected: false, isCurrent: false, count: 1, ...flags });
  const box = el("div.box", { role: "listbox", "aria-label": name, "aria-multiselectable": "true" }, one.element);
  Object.assign(box.style, { width: "240px", height: "180px" });
  return state(name, box);
};
story("Tiles", tile("on its way", null), tile("a photo", { kind: "photo", duration: undefined }), tile("Live", {}), tile("selected", {}, { isSelected: true }), tile("edited, favourite, hidden, burst", { edited: true, favourite: true, hidden: true, burstCount: 12 }), tile("a Motion Photo", { subtypes: ["motionPhoto"] }), tile("without a picture", { id: "broken" }),
  (() => { const one = tile("with the focus", {}); focused(one.querySelector(".tile")).tabIndex = 0; return one; })());

const preset = (name, attributes = {}) => presetButton(item(), { preset: name, summary: name }, attributes);
story("Presets", state("a row", el("div.row", {}, preset("vivid"), preset("mono"), preset("a name of a preset that goes on"), preset("chosen", { "aria-pressed": "true" }), preset("with the focus", { "data-focus": "true" }))));

const cards = (...jobs) => { const tray = new Tray(); for (const job of jobs) { tray.update({ total: 1, done: 0, failed: 0, fraction: 0, results: [], ...job }); for (const { card } of tray.cards.values()) tray.element.append(card); } tray.element.classList.add("narrow"); return tray; };
const told = (text, isFailure) => { const tray = cards(); tray.tell(text, isFailure); return tray.element; };
const failure = (file) => ({ status: "failed", error: { file, problem: "cannot be read", remedy: "copy it again from the phone" } });
story("Tray", state("nothing", cards().element), state("waiting", cards({ job: "a", title: "Rotate right", state: "waiting" }).element), state("running", cards({ job: "a", title: "Apply vivid", state: "running", total: 12, done: 5, fraction: 0.42 }).element),
  state("failed in part", cards({ job: "a", title: "Apply vivid", state: "done", total: 12, done: 10, failed: 2, fraction: 1, results: [failure("IMG_0003.JPG"), failure(LONG)] }).element),
  state("two at a time", cards({ job: "a", title: "Rotate right", state: "running", fraction: 0.8 }, { job: "b", title: `Revert ${LONG}`, state: "waiting" }).element), state("a sentence that stays", told("The album “Lake” cannot be written: the disk is full.", true)));

const notes = (kind, text, ...buttons) => el(`p.${kind}`, {}, text, ...buttons.map((words) => button({}, words)));
story("Notes", state("on its way", notes("coming", t("edit.coming"))), state("an effect that is made", notes("coming", t("edit.effect.making", { effect: t("edit.effect.bounce"), percent: 40 }))), state("shown without", notes("coming", t("edit.without.playing", { parts: "sharpness, grain" }))),
  state("restored", notes("notice", t("edit.restored"))), state("a conflict", notes("notice", t("edit.conflict"), t("edit.conflict.save"), t("edit.conflict.theirs"))), state("no server", notes("banner", t("server.gone"))));

const bar = (size, canPaste) => { const selection = new Selection(); const made = selectionBar(selection, {}, () => canPaste); selection.add(Array.from({ length: size }, (_, index) => String(index))); made.style.maxWidth = "100%"; return made; };
story("Selection", state("one", bar(1, false)), state("many, an edit copied", bar(128, true)));

const search = (filter, complaint) => { const one = new Search(nothing); one.proposals.removeAttribute("id"); one.field.removeAttribute("list"); one.filter = one.field.value = filter; one.drawChips(); one.refuse(complaint); const head = el("div.top", {}, one.element, one.chips); head.style.width = "720px"; head.style.maxWidth = "100%"; return head; };
story("Search", state("empty", search("", "")), state("a filter", search("kind = live and edited", "")), state("refused", search("kind = ", "“kind = ” ends too soon: say live, photo or movie.")));

const albums = (list) => { const one = new Albums(nothing, new Tray()); one.albums = list; one.draw(list[0] ? `album = "${list[0].album}"` : ""); one.element.classList.add("narrow"); return one.element; };
story("Albums", state("none", albums([])), state("some", albums([{ album: "Lake", count: 12 }, { album: LONG, count: 1234 }, { album: "عائلة", count: 3 }])));

const facts = (one, found) => { const panel = new FactsPanel(nothing); panel.element.hidden = false; panel.fill(one, null); if (found) panel.verdict.replaceChildren(found); return panel.element; };
story("Facts", state("known", facts(item({ originals: { photo: "IMG_0003.JPG", movie: "IMG_0003.MOV" }, location: { latitude: 46.5, longitude: 8.25 } }))), state("sound", facts(item({ originals: { photo: LONG } }), el("p.valid", {}, t("facts.valid")))),
  state("checking", facts(item(), t("facts.checking"))), state("could not be checked", facts(item(), el("p.invalid", {}, "IMG_0003.JPG: cannot be read; copy it again from the phone"))));

const dialog = (title, ...parts) => el("dialog", { open: true, "aria-label": title }, el("div.head", {}, el("h2", {}, title), iconButton("close", t("action.close"), nothing)), ...parts);
story("Dialogs", state("a question", dialog(t("edit.leave"), el("p", {}, t("edit.leave.why")), el("div.buttons", {}, button({}, t("edit.leave.save")), button({}, t("edit.leave.drop")), button({}, t("edit.leave.stay"))))),
  state("a choice", dialog(t("edit.copy"), el("fieldset", {}, el("legend", {}, t("edit.copy.parts")), ...["light", "color", "geometry"].map((part) => el("label.choice", {}, el("input", { type: "checkbox", checked: true }), t(`edit.part.${part}`)))), el("div.buttons", {}, button({}, t("edit.copy"))))),
  state("refused", dialog(t("edit.preset.save"), el("div.line", {}, el("input", { type: "text", value: "vivid", "aria-label": t("edit.preset.name") }), button({}, t("edit.save"))), el("p.invalid", {}, "There is a preset “vivid” already: choose another name."))));

const groups = ["sun", "drop", "triangle", "vignette", "crop", "live", "presets", "versions"], names = ["light", "color", "detail", "effects", "crop", "motion", "presets", "versions"];
story("Groups", state("the first is open, two differ", el("div.groups.narrow", { role: "tablist", "aria-label": t("edit.groups") }, ...names.map((name, index) => el(`button.group${[1, 4].includes(index) ? ".set" : ""}`, { type: "button", role: "tab", "aria-selected": String(!index) }, icon(groups[index]), el("span", {}, t(`edit.group.${name}`)))))));

document.body.dataset.ready = "true";
