import { SharedStream } from "./sharedstream.js";

/**
 * Listens to the server: changes in the folders, progress of jobs, and that it is there at all. A window that nobody
 * sees does not: browsers slow it down and freeze it. What it missed is asked for when it is seen again.
 */
export class Events extends EventTarget {
  /** @param {() => boolean} isNeeded true while a hidden window must listen, because of work that it started */
  constructor(isNeeded) {
    super();
    this.isNeeded = isNeeded;
    /** @type {SharedStream|null} */
    this.stream = null;
    this.isLost = this.isOver = false;
  }

  /** Listens as soon as the window is seen. */
  open() {
    for (const name of ["visibilitychange", "resume"]) {
      document.addEventListener(name, () => {
        // One that must hear on unseen stands behind those that are seen.
        this.leave();
        this.listen();
      });
    }
    document.addEventListener("freeze", () => this.leave());
    this.listen();
  }

  /** Begins or ends to listen, as the window is seen or not. */
  listen() {
    if (document.hidden && !this.isNeeded()) this.leave();
    else {
      const names = ["hello", "change", "job", "making", "bye"];
      this.stream ??= new SharedStream("api/1/events", names, (name, detail) => this.tell(name, detail));
    }
  }

  /** Listens no more, and leaves the stream to another window. */
  leave() {
    this.stream?.close();
    this.stream = null;
  }

  /**
   * Tells what the stream says; that it broke once, and not when the server had ended it.
   * @param {string} name
   * @param {any} detail
   */
  tell(name, detail) {
    if (name === "lost" && (this.isOver || this.isLost)) return;
    this.isLost = name === "lost";
    this.isOver = name === "bye";
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
