/** The time in milliseconds to wait before a refused stream is requested again. */
const PAUSE = 3000;

/**
 * The server's event stream, shared by all listening windows of this browser. The window that holds a lock receives the
 * stream and forwards its events to the other windows. If that window closes or its stream is refused, the browser
 * gives the lock to the next window, and the greeting of the new stream tells all windows that they may have missed
 * events. Without locks (on pages that were loaded without TLS from another computer), each window has its own stream.
 */
export class SharedStream {
  /**
   * @param {string} path the path of the stream
   * @param {string[]} names the names of its events; the first is the greeting, the last the farewell
   * @param {(name: string, detail?: any) => void} tell called with each event, and with “lost” whenever the stream is
   *   interrupted
   */
  constructor(path, names, tell) {
    this.address = new URL(path, document.baseURI).href;
    this.names = names;
    this.tell = tell;
    /**
     * The event that tells a new window whether the server is available.
     * @type {{name: string, detail?: any}|null}
     */
    this.state = null;
    /** @type {BroadcastChannel|null} */
    this.channel = null;
    this.leaving = new AbortController();
    if (navigator.locks) {
      this.id = crypto.randomUUID();
      this.channel = new BroadcastChannel(this.address);
      this.channel.addEventListener("message", ({ data }) => this.hear(data));
      // The window that holds the stream replies with its state, or informs all windows once the state is known.
      this.channel.postMessage({ from: this.id });
    }
    this.waitForTurn();
  }

  /** Stops listening. */
  close() {
    this.leaving.abort();
    this.channel?.close();
  }

  /** Receives the stream whenever this window holds the lock. */
  async waitForTurn() {
    const { signal } = this.leaving;
    while (!signal.aborted) {
      if (navigator.locks) {
        await navigator.locks.request(this.address, { signal }, () => this.hold()).catch((error) => {
          if (!signal.aborted) throw error;
        });
      } else await this.hold();
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }

  /**
   * Receives the stream until the server refuses it or this window stops listening. The browser reopens an interrupted
   * stream by itself.
   * @returns {Promise<void>}
   */
  async hold() {
    const { signal } = this.leaving;
    if (signal.aborted) return;
    await new Promise((done) => {
      const source = new EventSource(this.address);
      const end = () => {
        source.close();
        this.state = null;
        done(undefined);
      };
      signal.addEventListener("abort", end);
      for (const name of this.names) {
        source.addEventListener(name, (event) => this.handOn(name, JSON.parse(event.data)));
      }
      source.addEventListener("error", () => {
        this.handOn("lost");
        if (source.readyState !== EventSource.CLOSED) return;
        signal.removeEventListener("abort", end);
        end();
      });
    });
  }

  /**
   * Sends an event to all windows.
   * @param {string} name
   * @param {any} [detail]
   */
  handOn(name, detail) {
    // A new window is told whether the server is available.
    if (name === this.names[0]) this.state = { name, detail };
    else if (name === this.names.at(-1) || name === "lost") this.state = { name: "lost" };
    this.channel?.postMessage({ name, detail });
    this.tell(name, detail);
  }

  /**
   * Handles a message of another window: the window is new, or forwards an event to all windows or to one.
   * @param {{from?: string, to?: string, name: string, detail?: any}} message
   */
  hear({ from, to, name, detail }) {
    if (from) {
      if (this.state) this.channel?.postMessage({ to: from, ...this.state });
    } else if (!to || to === this.id) this.tell(name, detail);
  }
}
