/** The latest of several requests of one kind: each new request cancels the one before it. */
export class Latest {
  /** @type {AbortController|null} */
  #controller = null;

  /** True from `begin` until `end`. */
  get isRunning() { return this.#controller !== null; }

  /**
   * Begins a request, and cancels the one before it.
   * @returns {AbortSignal} is aborted when the next request begins, or `end` is called
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
