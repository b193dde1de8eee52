/** Requests to the server: one function for reading, one for writing, and the addresses of pictures. */
import { t } from "./strings.js";

/** @typedef {import("./types").Asset} Asset */
/** @typedef {import("./types").Edit} Edit */

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
 * Asks the server. That it does not answer browsers say in words of their own.
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
 * Asks for JSON.
 * @param {string} path below the routes
 * @param {{signal?: AbortSignal}} options
 */
export async function get(path, { signal } = {}) {
  return answer(await ask(ROOT + path, { signal, headers: { "Liveedit-Key": key() } }));
}

/**
 * Sends JSON, and gives the answer's.
 * @param {string} path below the routes
 * @param {object} [body]
 */
export async function post(path, body = {}) {
  return answer(await ask(ROOT + path, {
    method: "POST", headers: { "Content-Type": "application/json", "Liveedit-Key": key() }, body: JSON.stringify(body),
  }));
}

/**
 * The JSON of an answer.
 * @param {Response} response
 */
export async function answer(response) {
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Refusal(response.status, body);
  return body;
}

/**
 * An address with those parameters that have a value.
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
 * The small picture that the file brings with it.
 * @param {Asset} item
 */
export function thumbnailURL(item) { return address(asset(item, "thumbnail"), { v: item.revision }); }

/**
 * A picture for the screen.
 * @param {Asset} item
 * @param {{size: number, version?: string|number, preset?: string, intensity?: number, replace?: boolean,
 *   edit?: string}} options
 */
export function pictureURL(item, options) {
  return address(asset(item, "picture"), { ...options, colors: colors(), v: item.revision });
}

/**
 * The movie as browsers play it.
 * @param {Asset} item
 * @param {"base"} [version] as the next edit starts from; without it the current version
 */
export function movieURL(item, version) { return address(asset(item, "movie"), { version, v: item.revision }); }

/** The latest edit that was too long for an address, and its name. */
let long = { json: "", name: "" };

/**
 * Asks with an edit in the address.
 * @param {Edit} edit
 * @param {string} path below the routes
 * @param {Record<string, any>} [parameters]
 * @param {RequestInit} [options]
 */
export async function askWith(edit, path, parameters = {}, options) {
  const once = (/** @type {string} */ text) => ask(address(ROOT + path, { edit: text, ...parameters }), options);
  const text = await editText(edit);
  const response = await once(text);
  if (response.status !== 409 || text.startsWith("{")) return response;
  // A server that was started anew, or had to keep many others since, knows a long edit no more.
  if (long.name === text) long = { json: "", name: "" };
  return once(await editText(edit));
}

/**
 * An edit as addresses have it: its JSON, or the name under which the server keeps a long one.
 * @param {Edit} edit
 */
async function editText(edit) {
  const json = JSON.stringify(edit);
  if (json.length < 6000) return json;
  if (json !== long.json) long = { json, name: (await post("kept-edits", edit)).edit };
  return long.name;
}

/** The colours that this screen shows. */
export function colors() { return matchMedia("(color-gamut: p3)").matches ? "p3" : "srgb"; }

/**
 * Of the sizes that the server makes the least that fills so many pixels of the page.
 * @param {number} pixels
 */
export function pictureSize(pixels) {
  const needed = pixels * (globalThis.devicePixelRatio || 1);
  return [320, 640, 1280, 2048].find((size) => size >= needed) ?? 4096;
}
