import { announce, el, iconButton, isTyping } from "./core/dom.js";
import { get, post } from "./core/api.js";
import { Actions } from "./core/actions.js";
import { Albums } from "./grid/albums.js";
import { AssetList } from "./core/assets.js";
import { Events } from "./core/events.js";
import { Grid } from "./grid/grid.js";
import { openKeys } from "./core/keys.js";
import { Search } from "./grid/search.js";
import { Selection, selectionBar } from "./grid/selection.js";
import { openShare } from "./share/share.js";
import { t } from "./core/strings.js";
import { Tray } from "./core/tray.js";
import { Viewer } from "./viewer/viewer.js";

/** Puts the page together: it is the only place where the parts know of each other. */
const assets = new AssetList();
const selection = new Selection();
const tray = new Tray();
const events = new Events();
let session = { shares: false, mayWrite: true, mode: "studio" };

const albums = new Albums((filter) => { showSide(false); search.apply(filter); }, tray);
const actions = new Actions(assets, tray, {
  share: (items) => openShare(items, tray, session.shares).catch((error) => tray.tell(error.message, true)),
  album: (items) => albums.ask(items),
});
const search = new Search((query) => {
  selection.clear();
  albums.draw(query.filter);
  assets.load(query).catch((error) => search.refuse(error.message));
});
const grid = new Grid(assets, selection, (index) => open(index));
const viewer = new Viewer(assets, actions, () => { location.hash = ""; }, () => { if (viewer.item) location.hash = `#/${viewer.item.id}/edit`; });
/** @type {import("./editor/editor.js").Editor|null} the editor, once somebody wanted it */
let editor = null;

// Of what is out of sight the list may know no more than its name.
grid.inFront = () => viewer.isOpen ? [0, 1, -1].map((by) => assets.items[viewer.index + by]?.id).filter(Boolean) : [];

const selected = () => selection.ids.map((id) => assets.byId(id) ?? { id, name: "", revision: "" });
const run = (action) => () => actions.run(action, selected());
const bar = selectionBar(selection, {
  turnLeft: run("turnLeft"), turnRight: run("turnRight"), auto: run("auto"), copy: run("copy"), paste: run("paste"), revert: run("revert"),
  favourite: run("favourite"), hide: run("hide"), album: run("album"), share: run("share"), presets: () => choosePreset(),
}, () => actions.copied !== null);

const side = el("aside.side", { "aria-label": t("side.open") }, albums.element);
const banner = el("p.banner", { role: "alert", hidden: true });
const menu = iconButton("menu", t("side.open"), () => showSide(!isSideOpen()), { class: "tool menu", "aria-expanded": "false" });
const top = el("header.top", {}, menu,
  search.element, search.chips, el("span.space"), iconButton("keys", t("action.keys"), openKeys),
  iconButton("power", t("action.quit"), () => post("quit").catch((error) => tray.tell(error.message, true)), { class: "tool quit" }));
const browse = el("div.browse", {}, top, side, grid.element, bar);
document.getElementById("app").append(banner, browse, viewer.element, tray.element);

/** True while the albums lie over the photos, where there is no room beside them. */
function isSideOpen() { return document.body.classList.contains("sideOpen") && getComputedStyle(side).position === "fixed"; }

/** Opens or closes the albums where there is no room beside the photos. */
function showSide(isOpen) {
  document.body.classList.toggle("sideOpen", isOpen);
  menu.setAttribute("aria-expanded", String(isOpen));
}

// A press beside them closes them, and means nothing else.
addEventListener("click", (event) => {
  if (!isSideOpen() || !browse.contains(event.target) || side.contains(event.target) || menu.contains(event.target)) return;
  event.preventDefault();
  event.stopPropagation();
  showSide(false);
}, { capture: true });

/** Drops from the selection what is not shown any more. */
async function cutSelection() {
  if (selection.ids.every((id) => assets.place(id) >= 0)) return;
  const ids = await assets.ids().catch(() => null);
  if (!ids) return;
  const shown = new Set(ids);
  selection.keep((id) => shown.has(id));
}

assets.addEventListener("list", cutSelection);

/** Opens an asset, so that the browser's back button closes it. */
async function open(index) {
  const item = await assets.item(index);
  if (item) location.hash = `#/${item.id}`;
}

/** Shows what the address says: an asset, or the grid. */
async function route() {
  const [id, part] = location.hash.slice(2).split("/");
  if (part !== "edit" && editor?.isUnsaved) {
    // The browser's own way back asks as the page's does.
    history.pushState(null, "", `#/${editor.item.id}/edit`);
    if (!document.querySelector("dialog[open]")) editor.leave();
    return;
  }
  if (part !== "edit" && editor?.isOpen) {
    editor.close();
    viewer.element.inert = false;
    viewer.element.focus({ preventScroll: true });
  }
  if (!id) {
    if (!viewer.isOpen) return;
    const { index } = viewer;
    viewer.close();
    browse.inert = false;
    document.title = t("app.name");
    grid.focus(index);
    return;
  }
  if (viewer.isOpen && viewer.item?.id === id) { if (part === "edit") edit(); return; }
  const index = await assets.find(id).catch(() => -1);
  if (index < 0) { location.hash = ""; return; }
  browse.inert = true;
  await viewer.open(index);
  if (!viewer.isOpen) { browse.inert = false; location.hash = ""; return; }
  if (part === "edit") edit();
}

/** Opens the editor, which comes when it is wanted for the first time. */
async function edit() {
  if (!editor) {
    const { Editor } = await import("./editor/editor.js");
    editor ??= new Editor(assets, actions, tray, () => { location.hash = `#/${viewer.item?.id ?? ""}`; });
    document.getElementById("app").append(editor.element);
  }
  if (editor.isOpen || !viewer.item) return;
  viewer.player?.stop();
  viewer.element.inert = true;
  editor.open(viewer.item);
}

/** The row of presets, for a selection: by the pictures of the first of it. */
function choosePreset() {
  const [first] = selected();
  if (!first) return;
  import("./grid/presetdialog.js").then(({ openPresetDialog }) => openPresetDialog(first, selection.size, viewer.presets, (preset) => actions.run("preset", selected(), preset)));
}

addEventListener("hashchange", route);
addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  if (editor?.isOpen) { if (editor.keyed(event) || event.key !== "?") return; } else if (viewer.isOpen && viewer.keyed(event)) return;
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const lower = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.key === "?") openKeys();
  else if (event.key === "/" && !viewer.isOpen) { event.preventDefault(); search.field.focus(); }
  else if (!viewer.isOpen) gridKey(lower, event);
});
addEventListener("keyup", (event) => { if (editor?.isOpen) editor.released(event); else if (viewer.isOpen) viewer.released(event); });

/** Keys that change the selection, or the asset with the focus where nothing is selected. */
function gridKey(pressed, event) {
  if (pressed === "Escape" && isSideOpen()) { showSide(false); menu.focus(); return; }
  if (pressed === "Escape") { selection.clear(); return; }
  const action = {
    r: event.shiftKey ? "turnLeft" : "turnRight", h: "flipHorizontal", v: "flipVertical", f: "favourite", z: event.shiftKey ? "redo" : "revert",
    Delete: "hide", s: "share",
  }[pressed];
  if (!action || !(document.activeElement?.closest(".grid") || selection.size)) return;
  event.preventDefault();
  const items = selection.size ? selected() : [assets.byId(assets.items[grid.current]?.id)].filter(Boolean);
  actions.run(action, items);
}

// The address of the viewer follows its asset.
const showItem = viewer.show.bind(viewer);
viewer.show = (item) => {
  showItem(item);
  if (!editor?.isOpen && location.hash.split("/")[1] !== item.id) history.replaceState(null, "", `#/${item.id}`);
};

events.addEventListener("change", ({ detail }) => changed(detail));
events.isNeeded = () => tray.isBusy;
// Once the last one has ended a tab that nobody sees hears no more.
events.addEventListener("job", ({ detail }) => { tray.update(detail); events.listen(); });
events.addEventListener("making", ({ detail }) => editor?.making(detail));
events.addEventListener("lost", () => tellServer(t("server.gone")));
events.addEventListener("bye", () => tellServer(t("server.bye")));
events.addEventListener("hello", ({ detail }) => {
  const { wasLost } = events;
  const isNew = greeting !== null && greeting.server !== detail.server;
  events.wasLost = false;
  if (wasLost || isNew) {
    announce(t("server.back"));
    tellServer("");
    editor?.serverBack();
  }
  // What happened before is not told: it is asked for, the first time when there is nothing else to do.
  const pause = greeting || wasLost ? 0 : 1500;
  greeting = detail;
  setTimeout(() => {
    tray.load(isNew).catch(() => {});
    albums.load().catch(() => {});
    // Who does not answer is told by the stream of events.
    assets.load().catch((error) => { if (error.status) tellServer(error.message); });
  }, pause);
});

/** What the server said when it answered last. */
let greeting = null;
let waiting = { ids: new Set(), all: false, timer: 0 };

/** Takes over what changed in the folders, a moment later and all at once. */
function changed({ assets: ids = [], all = false }) {
  for (const id of ids) waiting.ids.add(id);
  waiting.all ||= all;
  clearTimeout(waiting.timer);
  waiting.timer = setTimeout(async () => {
    const { ids: many, all: isAll } = waiting;
    waiting = { ids: new Set(), all: false, timer: 0 };
    await assets.refresh([...many]);
    // Others may have come, and shapes change where pictures are turned.
    if (isAll || many.size) await assets.load().catch(() => {});
  }, 150);
}

/** Says above everything what is wrong with the server; nothing takes it away. */
function tellServer(sentence) {
  banner.textContent = sentence;
  banner.hidden = !sentence;
}

async function start() {
  const loaded = assets.load();
  events.open();
  session = await get("session");
  const notices = [session.mayWrite ? "" : t("server.readOnly"), session.sandbox ? `liveedit: ${session.sandbox}.` : ""];
  if (notices.some(Boolean)) tellServer(notices.filter(Boolean).join(" "));
  await loaded;
  // One that was asked for meanwhile may be the first to come.
  while (!assets.isLoaded) await assets.loading;
  albums.load().catch((error) => tray.tell(error.message, true));
  await route();
  if (!viewer.isOpen) grid.focus(0);
}

start().catch((error) => tellServer(error.status ? error.message : t("server.gone")));
