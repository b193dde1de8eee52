/**
 * Listens to the server: changes in the folders, progress of jobs, and that it is there at all. A tab that nobody sees does not: browsers make six
 * connections to a server, for all tabs together, and each stream keeps one. What it missed is asked for when it is seen again.
 */
export class Events extends EventTarget {
  /** True while a tab that nobody sees must hear on, as of work that it began. @type {() => boolean} */
  isNeeded = () => false;

  /** Opens the stream as soon as the tab is seen. The browser opens it again by itself when it breaks. */
  open() {
    document.addEventListener("visibilitychange", () => this.listen());
    this.listen();
  }

  /** Opens or closes the stream, as the tab is seen or not. */
  listen() {
    clearTimeout(this.timer);
    if (document.hidden && !this.isNeeded()) {
      this.source?.close();
      this.source = null;
      return;
    }
    if (this.source) return;
    const source = (this.source = new EventSource("api/1/events"));
    for (const name of ["hello", "change", "job", "making", "bye"]) {
      source.addEventListener(name, (event) => {
        this.isLost = false;
        this.isOver = name === "bye";
        this.dispatchEvent(new CustomEvent(name, { detail: JSON.parse(event.data) }));
      });
    }
    source.addEventListener("error", () => {
      if (this.isOver || this.source !== source) return;
      // A refusal ends the stream for good; a server that is started anew in time answers again.
      if (source.readyState === EventSource.CLOSED) {
        this.source = null;
        this.timer = setTimeout(() => this.listen(), 3000);
      }
      if (this.isLost) return;
      this.isLost = true;
      this.wasLost = true;
      this.dispatchEvent(new Event("lost"));
    });
  }
}
