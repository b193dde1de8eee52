/** The latest of several requests of one kind. Each new request cancels the previous one. */
export class Latest {
  /** @type {AbortController|null} */
  #controller = null;

  /** True from `begin` until `end`. */
  get isRunning() { return this.#controller !== null; }

  /**
   * Begins a request and cancels the previous one.
   * @returns {AbortSignal} a signal that is aborted when the next request begins or `end` is called
   */
  begin() {
    this.end();
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  /** Cancels the latest request. */
  end() {
    this.#controller?.abort();
    this.#controller = null;
  }
}
