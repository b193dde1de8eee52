/** Listens to the server: changes in the folders, progress of jobs, and that it is there at all. */
export class Events extends EventTarget {
  /** Opens the stream. The browser opens it again by itself when it breaks. */
  open() {
    const source = (this.source = new EventSource("api/1/events"));
    for (const name of ["hello", "change", "job", "making", "bye"]) {
      this.source.addEventListener(name, (event) => {
        this.isLost = false;
        if (name === "bye") this.isOver = true;
        this.dispatchEvent(new CustomEvent(name, { detail: JSON.parse(event.data) }));
      });
    }
    this.source.addEventListener("error", () => {
      if (this.isOver) return;
      // A refusal ends the stream for good; a server that is started anew in time answers again.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.open(), 3000);
      if (this.isLost) return;
      this.isLost = true;
      this.wasLost = true;
      this.dispatchEvent(new Event("lost"));
    });
  }
}
