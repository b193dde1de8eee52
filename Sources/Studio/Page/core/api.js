/** Requests to the server: one function for reading, one for writing, and the addresses of pictures. */
import { t } from "./strings.js";

/** @typedef {import("./types").Asset} Asset */
/** @typedef {import("./types").Edit} Edit */

/** An error response of the server. Its message is a sentence for the user. */
export class Refusal extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.message ?? body?.error?.problem ?? `HTTP ${status}`);
    this.status = status;
    this.code = body?.error?.code ?? "";
  }
}

const ROOT = "api/1/";

/** The second secret, without which this tab can only read. */
export function key() { return sessionStorage.getItem("liveedit.key") ?? ""; }

/**
 * Sends a request to the server. Browsers word a connection failure differently, so the message is replaced.
 * @param {string} address
 * @param {RequestInit} [options]
 */
export async function ask(address, options) {
  try {
    return await fetch(address, options);
  } catch (error) {
    throw error instanceof TypeError ? new Error(t("server.silent")) : error;
  }
}

/**
 * Requests JSON.
 * @param {string} path the path relative to the API
 * @param {{signal?: AbortSignal}} options
 */
export async function get(path, { signal } = {}) {
  return answer(await ask(ROOT + path, { signal, headers: { "Liveedit-Key": key() } }));
}

/**
 * Sends JSON and returns the JSON of the response.
 * @param {string} path the path relative to the API
 * @param {object} [body]
 */
export async function post(path, body = {}) {
  return answer(await ask(ROOT + path, {
    method: "POST", headers: { "Content-Type": "application/json", "Liveedit-Key": key() }, body: JSON.stringify(body),
  }));
}

/**
 * Returns the JSON of a response.
 * @param {Response} response
 */
export async function answer(response) {
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Refusal(response.status, body);
  return body;
}

/**
 * Returns an address with the parameters that have a value.
 * @param {string} path
 * @param {Record<string, any>} parameters
 */
export function address(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "" && value !== false) query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** @param {Asset} item @param {string} route */
const asset = (item, route) => `${ROOT}assets/${encodeURIComponent(item.id)}/${route}`;

/**
 * Returns the address of the thumbnail in the asset's file.
 * @param {Asset} item
 */
export function thumbnailURL(item) { return address(asset(item, "thumbnail"), { v: item.revision }); }

/**
 * Returns the address of a picture for the screen.
 * @param {Asset} item
 * @param {{size: number, version?: string|number, preset?: string, intensity?: number, replace?: boolean, edit?:
 *   string}} options
 */
export function pictureURL(item, options) {
  return address(asset(item, "picture"), { ...options, colors: colors(), v: item.revision });
}

/**
 * Returns the address of the movie in the form that browsers play.
 * @param {Asset} item
 * @param {"base"} [version] the movie from which the next edit starts; the current version by default
 */
export function movieURL(item, version) { return address(asset(item, "movie"), { version, v: item.revision }); }

/** The latest edit that was too long for an address, and its name. */
let long = { json: "", name: "" };

/**
 * Sends a request with an edit in the address.
 * @param {Edit} edit
 * @param {string} path the path relative to the API
 * @param {Record<string, any>} [parameters]
 * @param {RequestInit} [options]
 */
export async function askWith(edit, path, parameters = {}, options) {
  const once = (/** @type {string} */ text) => ask(address(ROOT + path, { edit: text, ...parameters }), options);
  const text = await editText(edit);
  const response = await once(text);
  if (response.status !== 409 || text.startsWith("{")) return response;
  // A server that was restarted, or that has stored many other edits since, no longer has the long edit.
  if (long.name === text) long = { json: "", name: "" };
  return once(await editText(edit));
}

/**
 * Returns an edit in the form used in addresses: its JSON, or the name under which the server stores a long edit.
 * @param {Edit} edit
 */
async function editText(edit) {
  const json = JSON.stringify(edit);
  if (json.length < 6000) return json;
  if (json !== long.json) long = { json, name: (await post("kept-edits", edit)).edit };
  return long.name;
}

/** Returns the colour space of this screen. */
export function colors() { return matchMedia("(color-gamut: p3)").matches ? "p3" : "srgb"; }

/**
 * Returns the smallest size that the server offers and that fills a number of CSS pixels.
 * @param {number} pixels
 */
export function pictureSize(pixels) {
  const needed = pixels * (globalThis.devicePixelRatio || 1);
  return [320, 640, 1280, 2048].find((size) => size >= needed) ?? 4096;
}
