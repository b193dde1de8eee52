import { el, isTyping } from "./core/dom.js";
import { iconButton } from "./core/icons.js";
import { get, post } from "./core/api.js";
import { Actions, CHANGES } from "./core/actions.js";
import { AssetList } from "./core/assets.js";
import { Connection } from "./core/connection.js";
import { Events } from "./core/events.js";
import { openKeys } from "./core/keys.js";
import { t } from "./core/strings.js";
import { Tray } from "./core/tray.js";
import { Albums } from "./grid/albums.js";
import { Grid } from "./grid/grid.js";
import { Search } from "./grid/search.js";
import { Selection, selectionBar } from "./grid/selection.js";
import { Side } from "./grid/side.js";
import { openShare } from "./share/share.js";
import { Viewer } from "./viewer/viewer.js";

/** @typedef {import("./core/types").Asset} Asset */

/** Assembles the page. Only this module connects the parts with each other. */
const assets = new AssetList();
const selection = new Selection();
const tray = new Tray();
const events = new Events(() => tray.isBusy);
let session = { shares: false, mayWrite: true, mode: "studio", sandbox: "" };
const fail = (/** @type {Error} */ error) => tray.tell(error.message, true);

const albums = new Albums((filter) => { side.show(false); search.apply(filter); }, tray);
const side = new Side(albums.element);
const actions = new Actions(assets, tray, {
  share: (items) => { openShare(items, tray, session.shares).catch(fail); },
  album: (items) => albums.ask(items),
});
const search = new Search((query) => {
  selection.clear();
  albums.draw(query.filter);
  assets.load(query).catch((error) => search.refuse(error.message));
});
const grid = new Grid(assets, selection, {
  onOpen: (index) => open(index),
  // For assets out of sight, the list may contain only the name.
  inFront: () => (viewer.isOpen ? [0, 1, -1].flatMap((by) => assets.items[viewer.index + by]?.id ?? []) : []),
});
const viewer = new Viewer(assets, actions, {
  onClose: () => { location.hash = ""; },
  onEdit: () => { if (viewer.item) location.hash = `#/${viewer.item.id}/edit`; },
  // The address of the viewer follows its asset.
  onShow: ({ id }) => {
    if (!editor?.isOpen && location.hash.split("/")[1] !== id) history.replaceState(null, "", `#/${id}`);
  },
});
/** @type {import("./editor/editor.js").Editor|null} the editor, once it has been opened */
let editor = null;
const connection = new Connection(events, assets, tray, {
  loadAlbums: () => albums.load(), onBack: () => editor?.serverBack(),
});
events.addEventListener("making", (/** @type {CustomEvent} */ { detail }) => editor?.making(detail));

/** @returns {Asset[]} the selected assets; assets that the list has not loaded yet contain only the name */
const selected = () => selection.ids.map((id) => assets.byId(id) ?? unknown(id));
/** @param {string} id @returns {Asset} */
const unknown = (id) => ({
  id, name: "", revision: "", file: "", kind: "photo", subtypes: [], shape: 0, favourite: false, hidden: false,
  edited: false,
});
/** @param {import("./core/types").Change} change */
const edit = (change) => () => actions.edit(selected(), change);
const bar = selectionBar(selection, {
  turnLeft: edit(CHANGES.turnLeft), turnRight: edit(CHANGES.turnRight), auto: edit(CHANGES.auto),
  revert: edit(CHANGES.revert), copy: () => actions.copy(selected()), paste: () => actions.paste(selected()),
  favourite: () => actions.favourite(selected()), hide: () => actions.hide(selected()),
  album: () => actions.album(selected()), share: () => actions.share(selected()), presets: () => choosePreset(),
}, () => actions.copied !== null);

const top = el("header.top", {}, side.menu, search.element, search.chips, el("span.space"),
  iconButton("keys", t("action.keys"), openKeys),
  iconButton("power", t("action.quit"), () => post("quit").catch(fail), { class: "tool quit" }));
const browse = el("div.browse", {}, top, side.element, grid.element, bar);
side.closeFrom(browse);
const app = document.getElementById("app");
app?.append(connection.banner, browse, viewer.element, tray.element);

/** Removes assets that are no longer shown from the selection. */
async function cutSelection() {
  if (selection.ids.every((id) => assets.place(id) >= 0)) return;
  const ids = await assets.ids().catch(() => null);
  if (!ids) return;
  const shown = new Set(ids);
  selection.keep((id) => shown.has(id));
}

assets.addEventListener("list", cutSelection);

/**
 * Opens an asset, so that the browser's back button closes it.
 * @param {number} index
 */
async function open(index) {
  const item = await assets.item(index);
  if (item) location.hash = `#/${item.id}`;
}

/** Shows what the address refers to: an asset or the grid. */
async function route() {
  const [id, part] = location.hash.slice(2).split("/");
  if (part !== "edit" && editor?.isUnsaved) {
    // The browser's back button asks for confirmation like the page's own.
    history.pushState(null, "", `#/${editor.item?.id}/edit`);
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
  if (viewer.isOpen && viewer.item?.id === id) { if (part === "edit") openEditor(); return; }
  const index = await assets.find(id).catch(() => -1);
  if (index < 0) { location.hash = ""; return; }
  browse.inert = true;
  await viewer.open(index);
  if (!viewer.isOpen) { browse.inert = false; location.hash = ""; return; }
  if (part === "edit") openEditor();
}

/** Opens the editor, which is loaded on first use. */
async function openEditor() {
  if (!editor) {
    const { Editor } = await import("./editor/editor.js");
    editor ??= new Editor(assets, actions, tray, () => { location.hash = `#/${viewer.item?.id ?? ""}`; });
    app?.append(editor.element);
  }
  if (editor.isOpen || !viewer.item) return;
  viewer.stop();
  viewer.element.inert = true;
  editor.open(viewer.item);
}

/** Opens the presets for a selection, shown with pictures of its first asset. */
async function choosePreset() {
  const [first] = selected();
  if (!first) return;
  const { openPresetDialog } = await import("./grid/presetdialog.js");
  const presets = await viewer.presets.known().catch(() => []);
  openPresetDialog(first, selection.size, presets, (preset) => actions.preset(selected(), preset));
}

addEventListener("hashchange", route);
addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  if (editor?.isOpen) { if (editor.keyed(event) || event.key !== "?") return; }
  else if (viewer.isOpen && viewer.keyed(event)) return;
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "?") openKeys();
  else if (event.key === "/" && !viewer.isOpen) { event.preventDefault(); search.field.focus(); }
  else if (!viewer.isOpen) gridKey(event);
});
addEventListener("keyup", (event) => {
  if (editor?.isOpen) editor.released(event);
  else if (viewer.isOpen) viewer.released(event);
});

/**
 * Keys that change the selection, or the focused asset if nothing is selected.
 * @type {Record<string, (items: Asset[]) => void>}
 */
const GRID_KEYS = {
  r: (items) => actions.edit(items, CHANGES.turnRight), "Shift r": (items) => actions.edit(items, CHANGES.turnLeft),
  h: (items) => actions.edit(items, CHANGES.flipHorizontal), v: (items) => actions.edit(items, CHANGES.flipVertical),
  z: (items) => actions.edit(items, CHANGES.revert), "Shift z": (items) => actions.edit(items, CHANGES.redo),
  f: (items) => actions.favourite(items), s: (items) => actions.share(items), Delete: (items) => actions.hide(items),
};

/** @param {KeyboardEvent} event */
function gridKey(event) {
  if (event.key === "Escape" && side.isOpen) { side.show(false); side.menu.focus(); return; }
  if (event.key === "Escape") { selection.clear(); return; }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = GRID_KEYS[event.shiftKey ? `Shift ${key}` : key] ?? GRID_KEYS[key];
  if (!action || !(document.activeElement?.closest(".grid") || selection.size)) return;
  event.preventDefault();
  const focused = assets.items[grid.current];
  action(selection.size ? selected() : focused ? [focused] : []);
}

async function start() {
  const loaded = assets.load();
  events.open();
  session = await get("session");
  const notices = [session.mayWrite ? "" : t("server.readOnly"), session.sandbox && `liveedit: ${session.sandbox}.`];
  if (notices.some(Boolean)) connection.tell(notices.filter(Boolean).join(" "));
  await loaded;
  // A list that was requested in the meantime may arrive first.
  while (!assets.isLoaded) await assets.loading;
  albums.load().catch(fail);
  await route();
  if (!viewer.isOpen) grid.focus(0);
}

start().catch((error) => connection.tell(error.status ? error.message : t("server.gone")));
