import { SharedStream } from "./sharedstream.js";

/**
 * Listens to the server's event stream: changes in the folders, the progress of jobs, and the state of the connection.
 * A hidden window does not listen, because browsers throttle and freeze it; it requests what it missed when it becomes
 * visible again.
 */
export class Events extends EventTarget {
  /** @param {() => boolean} isNeeded returns whether a hidden window must listen because of jobs that it started */
  constructor(isNeeded) {
    super();
    this.isNeeded = isNeeded;
    /** @type {SharedStream|null} */
    this.stream = null;
    this.isLost = this.isOver = false;
  }

  /** Starts to listen as soon as the window is visible. */
  open() {
    for (const name of ["visibilitychange", "resume"]) {
      document.addEventListener(name, () => {
        // A hidden window that must listen queues behind the visible ones.
        this.leave();
        this.listen();
      });
    }
    document.addEventListener("freeze", () => this.leave());
    this.listen();
  }

  /** Starts or stops listening, depending on whether the window is visible. */
  listen() {
    if (document.hidden && !this.isNeeded()) this.leave();
    else {
      const names = ["hello", "change", "job", "making", "bye"];
      this.stream ??= new SharedStream("api/1/events", names, (name, detail) => this.tell(name, detail));
    }
  }

  /** Stops listening, and leaves the stream to another window. */
  leave() {
    this.stream?.close();
    this.stream = null;
  }

  /**
   * Dispatches an event of the stream. An interruption is dispatched once, and not after the server has ended the
   * stream.
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
