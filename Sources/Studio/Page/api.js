/** Requests to the server: one function for reading, one for writing, and the addresses of pictures. */

/**
 * @typedef {Object} Asset
 * @property {string} id
 * @property {string} revision
 * @property {string} name
 * @property {string} file
 * @property {"live"|"photo"|"movie"} kind
 * @property {string[]} subtypes
 * @property {number} shape 100 times width by height
 * @property {boolean} favourite
 * @property {boolean} hidden
 * @property {boolean} edited
 * @property {number} [burstCount]
 * @property {number} [duration]
 * @property {string} [date]
 * @property {number} [width]
 * @property {number} [height]
 * @property {string} [camera]
 * @property {{latitude: number, longitude: number}} [location]
 */

/** A refusal of the server, whose message is a sentence for people. */
export class Refusal extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.message ?? body?.error?.problem ?? `HTTP ${status}`);
    this.status = status;
    this.code = body?.error?.code ?? "";
  }
}

const ROOT = "api/1/";

/** The second secret, without which this tab only looks. */
export function key() { return sessionStorage.getItem("liveedit.key") ?? ""; }

/**
 * Asks for JSON.
 * @param {string} path below the routes
 * @param {{signal?: AbortSignal}} [options]
 */
export async function get(path, { signal } = {}) {
  return answer(await fetch(ROOT + path, { signal, headers: { "Liveedit-Key": key() } }));
}

/** Sends JSON, and gives the answer's. */
export async function post(path, body = {}) {
  return answer(await fetch(ROOT + path, {
    method: "POST", headers: { "Content-Type": "application/json", "Liveedit-Key": key() }, body: JSON.stringify(body),
  }));
}

async function answer(response) {
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Refusal(response.status, body);
  return body;
}

/** An address with those parameters that have a value. */
export function address(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "" && value !== false) query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

const asset = (item, route) => `${ROOT}assets/${encodeURIComponent(item.id)}/${route}`;

/** The small picture that the file brings with it. */
export function thumbnailURL(item) { return address(asset(item, "thumbnail"), { v: item.revision }); }

/**
 * A picture for the screen.
 * @param {Asset} item
 * @param {{size: number, version?: any, preset?: string, intensity?: number, replace?: boolean, edit?: string}} options
 */
export function pictureURL(item, options) {
  return address(asset(item, "picture"), { ...options, colors: colors(), v: item.revision });
}

/** The movie as browsers play it. */
export function movieURL(item, version) { return address(asset(item, "movie"), { version, v: item.revision }); }

/** The latest edit that was too long for an address, and its name. */
let long = { json: "", name: "" };

/**
 * An edit as addresses have it: its JSON, or the name under which the server keeps a long one.
 * @param {any} edit
 */
export async function editText(edit) {
  const json = JSON.stringify(edit);
  if (json.length < 6000) return json;
  if (json !== long.json) long = { json, name: (await post("kept-edits", edit)).edit };
  return long.name;
}

/** The colours that this screen shows. */
export function colors() { return matchMedia("(color-gamut: p3)").matches ? "p3" : "srgb"; }

/** Of the sizes that the server makes the least that fills so many pixels of the page. */
export function pictureSize(pixels) {
  const needed = pixels * (globalThis.devicePixelRatio || 1);
  return [320, 640, 1280, 2048].find((size) => size >= needed) ?? 4096;
}
