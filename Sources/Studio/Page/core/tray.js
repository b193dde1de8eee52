import { announce, el } from "./dom.js";
import { iconButton } from "./icons.js";
import { get, post } from "./api.js";
import { t } from "./strings.js";

/** @typedef {import("./types").Job} Job */
/**
 * @typedef {{job: Job, card: HTMLElement, timer: number}} Entry a job, its card, and the timer that shows the card
 */

/** The time in milliseconds for which a successful result stays visible. */
const STAYS = 4000;

/** The tray at the lower edge, which shows jobs with their progress, and messages. */
export class Tray {
  constructor() {
    /** @type {Map<string, Entry>} */
    this.cards = new Map();
    this.element = el("section.tray", { "aria-label": t("tray.label") });
    /** @type {Map<string, (job: Job) => void>} */
    this.waiting = new Map();
    /**
     * The latest jobs that have ended, for code that learns of their start only after their end.
     * @type {Map<string, Job>}
     */
    this.over = new Map();
  }

  /** True while a job is running. */
  get isBusy() { return [...this.cards.values()].some(({ job }) => !isOver(job)); }

  /**
   * Requests all jobs.
   * @param {boolean} [isNew] whether the server was restarted since the last request
   */
  async load(isNew) {
    const before = [...this.cards];
    /** @type {{jobs: Job[]}} */
    const { jobs } = await get("jobs");
    // A restarted server does not have the earlier jobs, and no server keeps jobs that ended long ago.
    for (const [id, { job }] of before) {
      if (isOver(job) || jobs.some((known) => known.job === id)) continue;
      this.update({ ...job, state: "cancelled", fraction: 1 });
      this.remove(id);
      if (isNew) this.tell(`${job.title}: ${t("tray.interrupted")}`, true);
    }
    for (const job of jobs) if (!isOver(job) || this.cards.has(job.job)) this.update(job);
  }

  /**
   * Follows a job that was just started.
   * @param {Job} job
   * @param {(job: Job) => void} [action] called when the job has ended
   */
  follow(job, action) {
    // The end of the job may have been reported before the response to its start arrived.
    const known = this.cards.get(job.job)?.job ?? this.over.get(job.job);
    if (known && isOver(known)) { action?.(known); return; }
    if (action) this.waiting.set(job.job, action);
    this.update(job);
  }

  /**
   * Shows the progress of a job.
   * @param {Job} job
   */
  update(job) {
    let entry = this.cards.get(job.job);
    if (!entry) {
      if (job.state === "done" && !this.waiting.has(job.job)) {
        this.remember(job);
        return;
      }
      const card = this.card(job);
      // A job that ends at once needs no card.
      const timer = setTimeout(() => {
        if (this.cards.get(job.job)?.card === card && !card.isConnected) this.element.append(card);
      }, 400);
      entry = { job, card, timer };
      this.cards.set(job.job, entry);
    }
    if (isOver(entry.job) && !isOver(job)) return;
    entry.job = job;
    this.draw(entry);
    if (!isOver(job)) return;
    this.remember(job);
    const action = this.waiting.get(job.job);
    this.waiting.delete(job.job);
    action?.(job);
    this.ended(entry, job);
  }

  /**
   * Stores an ended job for code that follows it later.
   * @param {Job} job
   */
  remember(job) {
    this.over.set(job.job, job);
    if (this.over.size > 20) this.over.delete([...this.over.keys()][0]);
  }

  /**
   * Shows the result of a job.
   * @param {Entry} entry
   * @param {Job} job
   */
  ended(entry, job) {
    const failures = (job.results ?? []).filter((result) => result.status === "failed");
    if (job.state === "failed" || failures.length) {
      if (!entry.card.isConnected) this.element.append(entry.card);
      entry.card.classList.add("failed");
      const first = failures.slice(0, 6).map((result) => el("li", {}, sentence(result)));
      entry.card.querySelector(".failures")?.replaceChildren(...first);
      const why = failures[0] ? sentence(failures[0]) : "";
      announce(`${job.title}: ${t("tray.failed", { failed: job.failed })}. ${why}`);
    } else {
      announce(`${job.title}: ${job.state === "cancelled" ? t("tray.cancelled") : t("tray.done", job)}`);
      clearTimeout(entry.timer);
      setTimeout(() => this.remove(job.job), entry.card.isConnected ? STAYS : 0);
    }
  }

  /** @param {Job} job */
  card(job) {
    const bar = el("progress", { max: "1", value: 0, "aria-label": job.title });
    const button = iconButton("close", t("action.cancel"), () => this.dismiss(job.job));
    const head = el("div.head", {}, el("strong", {}, job.title), button);
    return el("div.card", {}, head, bar, el("p.state"), el("ul.failures"));
  }

  /** @param {Entry} entry */
  draw({ job, card }) {
    const [title, bar] = [card.querySelector("strong"), card.querySelector("progress")];
    const [state, button] = [card.querySelector(".state"), card.querySelector("button")];
    if (!title || !bar || !state || !button) return;
    title.textContent = job.title;
    bar.hidden = isOver(job);
    bar.value = job.fraction ?? 0;
    state.textContent = [
      job.state === "waiting" && t("tray.waiting"), job.state === "cancelled" && t("tray.cancelled"),
      job.state !== "waiting" && job.total > 1 && t("tray.done", { done: job.done, total: job.total }),
      job.failed > 0 && t("tray.failed", { failed: job.failed }),
    ].filter(Boolean).join(", ");
    button.title = t(isOver(job) ? "action.dismiss" : "action.cancel");
    button.setAttribute("aria-label", `${button.title}: ${job.title}`);
  }

  /**
   * Cancels a job, or removes the card of an ended job.
   * @param {string} id
   */
  async dismiss(id) {
    const entry = this.cards.get(id);
    if (!entry) return;
    const wasOver = isOver(entry.job);
    try {
      await post(`jobs/${id}/${wasOver ? "dismiss" : "cancel"}`);
    } catch (error) {
      if (!wasOver) this.tell(error.message, true);
    }
    if (wasOver) this.remove(id);
  }

  /** @param {string} id */
  remove(id) {
    const entry = this.cards.get(id);
    clearTimeout(entry?.timer);
    entry?.card.remove();
    this.cards.delete(id);
  }

  /**
   * Shows a message. An error message stays until it is dismissed.
   * @param {string} message
   */
  tell(message, isFailure = false) {
    const close = iconButton("close", t("action.dismiss"), () => card.remove());
    const card = el("div.card", {}, el("div.head", {}, el("p", {}, message), close));
    if (isFailure) card.classList.add("failed");
    else setTimeout(() => card.remove(), STAYS);
    this.element.append(card);
    if (isFailure) announce(message);
  }
}

/**
 * Returns whether a job has ended.
 * @param {Job} job
 */
const isOver = (job) => !["waiting", "running"].includes(job.state);

/**
 * Returns the error of an asset as a sentence.
 * @param {import("./types").Result} result
 */
export function sentence(result) {
  if (result.message) return result.message;
  const { file, problem, remedy } = result.error ?? {};
  return [file ? `${file}: ` : "", problem ?? "", remedy ? `; ${remedy}` : ""].join("");
}
