import { el } from "../core/dom.js";
import { iconButton } from "../core/icons.js";
import { get } from "../core/api.js";
import { bytes, moment, number, seconds, t } from "../core/strings.js";

/** @typedef {import("../core/types").Asset} Asset */

/** The panel with the metadata of an asset and the result of checking its files. */
export class FactsPanel {
  /** @param {() => void} onClose */
  constructor(onClose) {
    /** @type {Asset|null} */
    this.item = null;
    this.list = el("dl");
    this.verdict = el("div.verdict", { "aria-live": "polite" });
    this.button = el("button.wide", { type: "button", onclick: () => this.verify() }, t("facts.check"));
    const head = el("div.head", {}, el("h2", {}, t("facts.title")), iconButton("close", t("action.close"), onClose));
    this.element = el("aside.facts", { hidden: true, "aria-label": t("facts.title") },
      head, this.list, this.button, this.verdict);
  }

  get isOpen() { return !this.element.hidden; }

  close() { this.element.hidden = true; }

  /** @param {Asset} item */
  async show(item) {
    this.item = item;
    this.element.hidden = false;
    this.verdict.replaceChildren();
    this.fill(item, null);
    const facts = await get(`assets/${encodeURIComponent(item.id)}/inspect`).catch(() => null);
    if (this.item === item) this.fill(item, facts);
  }

  /**
   * Lists the metadata.
   * @param {Asset} item
   * @param {import("../core/types").InspectAnswer|null} facts null if the response has not arrived
   */
  fill(item, facts) {
    const photo = facts?.files?.find((file) => file.photo)?.photo;
    const movie = facts?.files?.find((file) => file.movie)?.movie;
    const track = movie?.tracks?.find((one) => one.handler === "vide");
    const video = track?.video;
    /** @type {[name: string, value: string|0|undefined][]} */
    const rows = [
      ["facts.file", Object.values(item.originals ?? {}).join(", ")], ["facts.date", item.date && moment(item.date)],
      ["facts.pixels", item.width && `${item.width} × ${item.height}`], ["facts.size", item.size && bytes(item.size)],
      ["facts.duration", item.duration && seconds(item.duration)], ["facts.camera", item.camera],
      ["facts.place", item.location && `${item.location.latitude.toFixed(4)}, ${item.location.longitude.toFixed(4)}`],
      ["facts.colours", photo?.profile?.name],
      ["facts.video", track && [
        track.format, video && `${video.storedSize.width} × ${video.storedSize.height}`,
        video && t("facts.frameRate", { rate: number(video.frameRate, 1) }),
      ].filter(Boolean).join(", ")],
      ["facts.identifier", photo?.identifier ?? movie?.identifier],
    ];
    this.list.replaceChildren(...rows.flatMap(([name, value]) => (
      value ? [el("dt", {}, t(name)), el("dd", {}, value)] : []
    )));
  }

  async verify() {
    const { item } = this;
    if (!item) return;
    this.button.disabled = true;
    this.verdict.replaceChildren(t("facts.checking"));
    try {
      /** @type {import("../core/types").VerifyAnswer} */
      const answer = await get(`assets/${encodeURIComponent(item.id)}/verify`);
      if (this.item !== item) return;
      this.verdict.replaceChildren(el(`p.${answer.verdict}`, {}, t(`facts.${answer.verdict}`)),
        el("ul", {}, ...answer.findings.map((finding) => el(`li.${finding.severity}`, {}, finding.message))));
    } catch (error) {
      if (this.item === item) this.verdict.replaceChildren(el("p.invalid", {}, error.message));
    } finally {
      this.button.disabled = false;
    }
  }
}
