import { ask, address, get } from "../core/api.js";
import { t } from "../core/strings.js";
import { Draft } from "./draft.js";
import { EditTables } from "./tables.js";

/** @typedef {import("../core/types").Asset} Asset */
/** @typedef {import("../core/types").EditAnswer} EditAnswer */

/** An asset that is open in the editor. */
export class Session {
  /**
   * @param {Asset} item
   * @param {EditAnswer} answer
   * @param {ImageBitmap|null} still the unedited photo
   * @param {Record<"photo"|"movie", EditTables>} tables
   * @param {AbortSignal} signal aborted when the editor is closed or opens another asset
   */
  constructor(item, answer, still, tables, signal) {
    this.item = item;
    this.draft = new Draft(item.id, answer.revision, answer.edit);
    this.movie = answer.movie ?? null;
    this.hasPhoto = answer.hasPhoto;
    this.still = still;
    this.tables = tables;
    this.signal = signal;
  }

  /**
   * Requests everything that is needed to edit an asset.
   * @param {Asset} item
   * @param {number} size the longer side of the pictures to draw on, in pixels
   * @param {"p3"|"srgb"} colors the colour space of the canvas
   * @param {AbortSignal} signal
   * @returns {Promise<Session>}
   */
  static async open(item, size, colors, signal) {
    const route = `assets/${encodeURIComponent(item.id)}`;
    const tables = {
      photo: new EditTables(item, { half: "photo", size }), movie: new EditTables(item, { half: "movie", size }),
    };
    const isMovie = item.kind === "movie";
    // The engine prepares meanwhile.
    tables[isMovie ? "movie" : "photo"].ask({}, colors, true).catch(() => {});
    const source = address(`api/1/${route}/picture`, { version: "base", colors: "p3", size });
    const [answer, picture] = await Promise.all([get(`${route}/edit`), isMovie ? null : ask(source)]);
    if (picture && !picture.ok) {
      throw new Error((await picture.json().catch(() => null))?.message ?? t("error.picture"));
    }
    const still = picture && await createImageBitmap(await picture.blob(), { colorSpaceConversion: "none" });
    return new Session(item, answer, still, tables, signal);
  }

  /** The part of the edit that changes time and audio. */
  get motion() { return this.draft.value.motion ?? {}; }

  /** Releases the photo. */
  close() { this.still?.close(); }
}

/** @type {Promise<any>|undefined} */
let facts;

/**
 * @typedef {Object} Known
 * @property {import("../core/types").Parameter[]} parameters
 * @property {import("../core/types").Look[]} looks
 * @property {import("../core/types").Preset[]} presets
 */

/**
 * Returns the parameters and looks, and the current presets.
 * @returns {Promise<Known>}
 */
export async function known() {
  facts ??= get("parameters").catch((error) => { facts = undefined; throw error; });
  const [{ parameters, looks }, { presets }] = await Promise.all([facts, get("presets")]);
  return { parameters, looks, presets };
}
