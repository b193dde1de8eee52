/**
 * The data from which a shader draws an edit, requested from the server while a slider moves (`table` in
 * Documentation/HTTP.md).
 */
import { askWith, key, Refusal } from "../core/api.js";

/** @typedef {import("../core/types").EditParts} EditParts */

/**
 * @typedef {Object} Question
 * @property {import("../core/types").Edit} edit
 * @property {"p3"|"srgb"} colors
 * @property {boolean} rough
 * @property {(parts: EditParts|null) => void} resolve
 * @property {(error: Error) => void} reject
 */

/**
 * Returns the parts in the bytes of a response; parts that were already known are reused.
 * @param {ArrayBuffer} bytes
 * @param {Map<string, any>} known
 * @returns {EditParts}
 */
export function parse(bytes, known) {
  const length = new DataView(bytes).getUint32(0, true);
  const parts = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  /** @param {number} at @param {number} count */
  const numbers = (at, count) => new Uint16Array(bytes, 4 + length + at, count);
  const { table, light, areas } = parts;
  if (table.nodes) table.data = numbers(table.at, 3 * table.nodes ** 3);
  if (light) {
    light.byLight = numbers(light.byLight, 3 * light.lightCount);
    light.byLuma = numbers(light.byLuma, 2 * light.lumaCount);
  }
  if (areas?.columns) areas.data = numbers(areas.at, 4 * areas.columns * areas.rows * areas.times.length);
  for (const name of ["table", "areas"]) {
    const part = parts[name];
    if (!part) continue;
    if (part.nodes === undefined && !part.data) parts[name] = known.get(part.name);
    // The most recently used part is kept longest.
    known.delete(part.name);
    known.set(part.name, parts[name]);
  }
  return parts;
}

/**
 * Requests data about the edits of one half of an asset. Only one request is in progress at a time; after that, the
 * latest one is sent.
 */
export class EditTables {
  /**
   * @param {import("../core/types").Asset} item
   * @param {{half: "photo"|"movie", size: number}} options the half, and the size of the picture to draw
   */
  constructor(item, options) {
    this.item = item;
    this.options = options;
    /** @type {Map<string, any>} */
    this.known = new Map();
    /**
     * The next request.
     * @type {Question|null}
     */
    this.waiting = null;
    this.isBusy = false;
  }

  /**
   * Returns the parts of an edit; null if another edit was requested before this one was sent.
   * @param {import("../core/types").Edit} edit
   * @param {"p3"|"srgb"} colors the colour space of the canvas
   * @param {boolean} [rough] whether to use a coarser table, as during a drag
   * @returns {Promise<EditParts|null>}
   */
  ask(edit, colors, rough = false) {
    return new Promise((resolve, reject) => {
      this.waiting?.resolve(null);
      this.waiting = { edit, colors, rough, resolve, reject };
      if (!this.isBusy) this.work();
    });
  }

  async work() {
    this.isBusy = true;
    while (this.waiting) {
      const { edit, colors, rough, resolve, reject } = this.waiting;
      this.waiting = null;
      try {
        const have = [...this.known.keys()].join(",");
        const path = `assets/${encodeURIComponent(this.item.id)}/table`;
        const headers = { "Liveedit-Key": key() };
        const answer = await askWith(edit, path, { colors, rough, have, ...this.options }, { headers });
        if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => null));
        resolve(parse(await answer.arrayBuffer(), this.known));
        // Keep the current table and areas, and the previous ones, which undo needs.
        for (const name of [...this.known.keys()].slice(0, -4)) this.known.delete(name);
      } catch (error) {
        reject(error);
      }
    }
    this.isBusy = false;
  }
}
