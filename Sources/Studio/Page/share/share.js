import { el } from "../core/dom.js";
import { get, pictureURL, post } from "../core/api.js";
import { openDialog } from "../core/dialog.js";
import { badge, isLive } from "../core/badge.js";
import { Player } from "../core/player.js";
import { Latest } from "../core/latest.js";
import { bytes, t } from "../core/strings.js";
import { sentence } from "../core/tray.js";

/** @typedef {import("../core/types").Asset} Asset */
/** @typedef {import("../core/types").Job} Job */

/** Up to this number of assets, the files are created before the user asks for them. */
const FEW = 12;

/**
 * Opens the dialog that shows the files to share and their sizes, and shares them in the chosen form.
 * @param {Asset[]} items
 * @param {import("../core/tray.js").Tray} tray
 * @param {boolean} canWrite whether the files can be written to a folder
 */
export async function openShare(items, tray, canWrite) {
  const facts = await factsOf(items);
  const choose = () => { tellPlace(); prepare(); };
  const forms = facts.forms.map((form, index) => el("label.choice", {}, el("input", {
    type: "radio", name: "form", value: form, checked: index === 0, autofocus: index === 0, onchange: choose,
  }), t(`share.${form}`)));
  const withoutPlace = el("input", { type: "checkbox", checked: true, onchange: choose });
  const place = el("p.place");
  const where = facts.place ? `${facts.place.latitude.toFixed(4)}, ${facts.place.longitude.toFixed(4)}` : "";
  const tellPlace = () => {
    const told = withoutPlace.checked ? t("share.placeLeft") : t("share.place", { place: where });
    place.textContent = facts.place ? told : t("share.noPlace");
  };
  tellPlace();
  const links = el("div.links", { "aria-live": "polite" });
  const placed = el("div.placed", { "aria-live": "polite" });
  const asked = () => { wanted = true; if (made) take(); else make("download"); };
  const download = el("button.wide", { type: "button", onclick: asked }, t("share.download"));
  const folder = canWrite && el("button.wide", { type: "button", onclick: () => make("folder") }, t("share.folder"));
  const dialog = openDialog(t("share.title", { count: items.length }),
    el("div.shared", {},
      el("div.pictures", {}, ...items.slice(0, 4).map(whole)),
      el("div.how", {}, el("fieldset", {}, el("legend", {}, t("share.as")), ...forms),
        el("label.choice", {}, withoutPlace, t("share.withoutLocation")), place,
        facts.people?.length ? el("p", {}, t("share.people", { names: facts.people.join(", ") })) : null,
        el("div.buttons", {}, download, folder), links, placed)));
  /** The job that creates the files to download, and whether the user has downloaded them. */
  let job = "", made = false, wanted = false, taken = false, timer = 0;
  /** The choices for which files are created. */
  const choices = new Latest();
  let choice = choices.begin();
  dialog.addEventListener("close", () => { clearTimeout(timer); choices.end(); if (!taken) forget(job); });
  prepare();

  /** Creates the files of the current choice after a short delay. */
  function prepare() {
    clearTimeout(timer);
    forget(job);
    choice = choices.begin();
    [job, made, wanted] = ["", false, false];
    links.replaceChildren();
    placed.replaceChildren();
    if (items.length <= FEW) timer = setTimeout(() => make("download"), 300);
  }

  /**
   * Discards the files of a job, and cancels it if it is running.
   * @param {string} id
   */
  function forget(id) {
    if (id) post(`jobs/${id}/cancel`).then(() => post(`jobs/${id}/dismiss`)).catch(() => {});
  }

  /**
   * Requests the files.
   * @param {"download"|"folder"} to
   */
  async function make(to) {
    clearTimeout(timer);
    if (to === "download" && job) return;
    const [signal, told] = [choice, to === "download" ? links : placed];
    const checked = /** @type {HTMLInputElement|null} */ (dialog.querySelector("input[name=form]:checked"));
    const refuse = (/** @type {Error} */ error) => {
      if (!signal.aborted) told.replaceChildren(el("p.invalid", {}, error.message));
    };
    told.replaceChildren(t("share.making"));
    try {
      const strip = withoutPlace.checked ? { strip: "location" } : {};
      /** @type {{job: Job}} */
      const begun = await post("share", { assets: items.map((item) => item.id), as: checked?.value, to, ...strip });
      const id = begun.job.job;
      // Another choice was made in the meantime, or the same files were requested twice.
      if (to === "download" && (signal.aborted || job)) { forget(id); return; }
      if (to === "download") job = id;
      tray.follow(begun.job, () => {
        if (to === "download" && job !== id) return;
        get(`jobs/${id}`).then((answer) => { if (!signal.aborted) show(answer.job, to); }).catch(refuse);
      });
    } catch (error) {
      refuse(error);
    }
  }

  /**
   * Shows the created files.
   * @param {Job} ended
   * @param {"download"|"folder"} to
   */
  function show(ended, to) {
    const results = ended.results ?? [];
    const written = results.flatMap((result) => result.written ?? []);
    const failed = results.filter((result) => result.status === "failed");
    const failures = failed.map((result) => el("p.invalid", {}, sentence(result)));
    if (to === "folder") {
      const names = written.map((file) => file.name).join(", ");
      placed.replaceChildren(...failures, written.length ? t("share.written", { names }) : "");
      return;
    }
    const files = written.filter((file) => file.download).map((file) => el("p", {},
      el("a", { href: file.download, download: file.name, onclick: () => { taken = true; } }, file.name),
      el("span.size", {}, bytes(file.size))));
    const size = written.reduce((sum, file) => sum + file.size, 0);
    links.replaceChildren(...failures, ...files, files.length > 1 ? t("share.size", { size: bytes(size) }) : "");
    made = true;
    if (wanted) take();
  }

  /** Downloads the files. Browsers accept several downloads from one click if they are started one by one. */
  function take() {
    links.querySelectorAll("a").forEach((link, index) => setTimeout(() => link.click(), 300 * index));
  }
}

/**
 * Returns what can be shared of the first asset that still exists.
 * @param {Asset[]} items
 * @returns {Promise<import("../core/types").ShareAnswer>}
 */
async function factsOf(items) {
  let failure;
  for (const item of items) {
    try {
      return await get(`assets/${encodeURIComponent(item.id)}/share`);
    } catch (error) {
      if (error.status !== 404) throw error;
      failure = error;
    }
  }
  throw failure;
}

/**
 * Creates a picture of an asset as it will be shared. The picture plays its movie while the pointer rests on it or
 * presses it.
 * @param {Asset} item
 */
function whole(item) {
  const sign = badge(item);
  const frame = el("span.picture", {}, el("img", { alt: item.name, src: pictureURL(item, { size: 640 }) }));
  if (!isLive(item) && item.kind !== "movie") return el("div.whole", {}, frame);
  const player = new Player(frame, sign);
  return el("button.whole", {
    type: "button", "aria-label": `${t("action.play")}: ${item.name}`,
    onclick: () => player.play(item, { muted: false }), onpointerleave: () => player.stop(),
    onpointerenter: (event) => { if (event.pointerType === "mouse") player.rest(item); },
  }, frame, sign);
}
