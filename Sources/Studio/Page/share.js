import { el } from "./dom.js";
import { get, pictureURL, post } from "./api.js";
import { openDialog } from "./dialog.js";
import { bytes, t } from "./strings.js";
import { sentence } from "./tray.js";

/**
 * Shows whole what would be handed on, and hands it on as it was chosen.
 * @param {import("./api.js").Asset[]} items
 * @param {import("./tray.js").Tray} tray
 * @param {boolean} canWrite whether there is a folder to put it into
 */
export async function openShare(items, tray, canWrite) {
  const facts = await get(`assets/${encodeURIComponent(items[0].id)}/share`);
  const forms = facts.forms.map((form, index) => el("label.choice", {},
    el("input", { type: "radio", name: "form", value: form, checked: index === 0, autofocus: index === 0 }), t(`share.${form}`), sizeOf(form, facts)));
  const withoutPlace = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox", checked: true, onchange: () => tellPlace() }));
  const place = el("p.place");
  const where = facts.place ? `${facts.place.latitude.toFixed(4)}, ${facts.place.longitude.toFixed(4)}` : "";
  const tellPlace = () => {
    place.textContent = !facts.place ? t("share.noPlace") : withoutPlace.checked ? t("share.placeLeft") : t("share.place", { place: where });
  };
  tellPlace();
  const links = el("div.links", { "aria-live": "polite" });
  const buttons = [["download", "share.download"], ["folder", "share.folder"]].filter(([to]) => to === "download" || canWrite).map(([to, name]) =>
    el("button.wide", { type: "button", onclick: () => handOn(to) }, t(name)));
  const dialog = openDialog(t("share.title", { count: items.length }),
    el("div.shared", {},
      el("div.pictures", {}, ...items.slice(0, 4).map((item) => el("img", { alt: item.name, src: pictureURL(item, { size: 640 }) }))),
      el("div.how", {}, el("fieldset", {}, el("legend", {}, t("share.as")), ...forms),
        el("label.choice", {}, withoutPlace, t("share.withoutLocation")), place,
        facts.people?.length ? el("p", {}, t("share.people", { names: facts.people.join(", ") })) : null,
        el("div.buttons", {}, ...buttons), links)));

  async function handOn(to) {
    const form = dialog.querySelector("input[name=form]:checked").value;
    for (const button of buttons) button.disabled = true;
    links.replaceChildren(t("share.making"));
    try {
      const { job } = await post("share", {
        assets: items.map((item) => item.id), as: form, to, ...(withoutPlace.checked ? { strip: "location" } : {}),
      });
      tray.whenDone(job.job, async () => show((await get(`jobs/${job.job}`)).job));
      tray.update(job);
    } catch (error) {
      links.replaceChildren(el("p.invalid", {}, error.message));
      for (const button of buttons) button.disabled = false;
    }
  }

  function show(job) {
    for (const button of buttons) button.disabled = false;
    const written = job.results.flatMap((result) => result.written ?? []);
    const failures = job.results.filter((result) => result.status === "failed");
    const files = written.filter((file) => file.download).map((file) => el("a", { href: file.download, download: file.name }, file.name));
    links.replaceChildren(...failures.map((result) => el("p.invalid", {}, sentence(result))),
      files.length ? t("share.ready") : written.length ? t("share.written", { names: written.map((file) => file.name).join(", ") }) : "", ...files);
    // Browsers take several downloads of one click when each has its moment.
    files.forEach((link, index) => setTimeout(() => link.click(), 300 * index));
  }
}

/** How many bytes a form has, where that is known before it is made. */
function sizeOf(form, facts) {
  const { photo, movie } = facts;
  const size = { pair: (photo?.size ?? 0) + (movie?.size ?? 0), still: photo?.size, movie: movie?.size, "motion-photo": (photo?.size ?? 0) + (movie?.size ?? 0) }[form];
  return size ? el("span.size", {}, bytes(size)) : null;
}
