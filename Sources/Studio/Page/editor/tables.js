/** What a shader must know of an edit, asked of the server while a slider moves: see `table` in Documentation/HTTP.md. */
import { askWith, key, Refusal } from "../core/api.js";

/**
 * @typedef {Object} EditParts
 * @property {"photo"|"movie"} half
 * @property {number} width of the render
 * @property {number} height of the render
 * @property {number[]} place from places of the render to those of the small picture: nine numbers, row after row
 * @property {{name: string, nodes: number, data?: Uint16Array}} table
 * @property {any} [light]
 * @property {any} [areas]
 * @property {{share: number, radius: number, width: number, isWhite: boolean}} [vignette]
 * @property {string[]} missing what only a render shows
 */

/** The parts that an answer's bytes say; those that were known come from before. */
export function parse(bytes, known) {
  const length = new DataView(bytes).getUint32(0, true);
  const parts = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
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
    // What was used last is kept longest.
    known.delete(part.name);
    known.set(part.name, parts[name]);
  }
  return parts;
}

/** Asks about the edits of one half of an asset: one question at a time, and then the latest. */
export class EditTables {
  /**
   * @param {import("../core/api.js").Asset} item
   * @param {{half: "photo"|"movie", size: number}} options the half, and the size of the picture that is drawn
   */
  constructor(item, options) {
    Object.assign(this, { item, options });
    /** @type {Map<string, any>} */
    this.known = new Map();
    this.waiting = null;
    this.isBusy = false;
  }

  /**
   * The parts of an edit; null when another was asked for before its turn came.
   * @param {any} edit
   * @param {"p3"|"srgb"} colors of the canvas
   * @param {boolean} [rough] a coarser table, while something moves
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
        const answer = await askWith(edit, path, { colors, rough, have, ...this.options }, { headers: { "Liveedit-Key": key() } });
        if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => null));
        resolve(parse(await answer.arrayBuffer(), this.known));
        // A table and the areas of now, and those of before, which undo asks for.
        while (this.known.size > 4) this.known.delete(this.known.keys().next().value);
      } catch (error) {
        reject(error);
      }
    }
    this.isBusy = false;
  }
}
