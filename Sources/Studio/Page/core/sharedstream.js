/** How long a stream that was refused is not asked for again, in milliseconds. */
const PAUSE = 3000;

/**
 * The server's stream of events, one for all windows of this browser that listen. A lock says which of them has it; it
 * hands on what comes to the others. When it goes, or the stream is refused, the browser gives the lock to the next,
 * and the greeting of its stream says to all that they may have missed something. Where pages get no locks, at an
 * address without TLS that is not this computer's, each window has a stream of its own.
 */
export class SharedStream {
  /**
   * @param {string} path of the stream
   * @param {string[]} names of its events; the first is its greeting, the last its farewell
   * @param {(name: string, detail?: any) => void} tell called with each event, and with “lost” whenever the stream
   *   breaks
   */
  constructor(path, names, tell) {
    this.address = new URL(path, document.baseURI).href;
    this.names = names;
    this.tell = tell;
    /**
     * The event that tells a new window whether there is a server.
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
      // Who has the stream says how it stands, now or, as long as that is not known, to all.
      this.channel.postMessage({ from: this.id });
    }
    this.waitForTurn();
  }

  /** Listens no more. */
  close() {
    this.leaving.abort();
    this.channel?.close();
  }

  /** Has the stream whenever it is this window's turn. */
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
   * Has the stream until the server refuses it or this window leaves. The browser opens a stream again by itself when
   * it breaks.
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
   * Tells an event to all windows.
   * @param {string} name
   * @param {any} [detail]
   */
  handOn(name, detail) {
    // Who comes to listen is told whether there is a server.
    if (name === this.names[0]) this.state = { name, detail };
    else if (name === this.names.at(-1) || name === "lost") this.state = { name: "lost" };
    this.channel?.postMessage({ name, detail });
    this.tell(name, detail);
  }

  /**
   * Takes what another window says: it is new, or hands on an event, to all or to one.
   * @param {{from?: string, to?: string, name: string, detail?: any}} message
   */
  hear({ from, to, name, detail }) {
    if (from) {
      if (this.state) this.channel?.postMessage({ to: from, ...this.state });
    } else if (!to || to === this.id) this.tell(name, detail);
  }
}
