import { el } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * The paths of the icons in a square of 20 units, drawn with strokes.
 * @type {Record<string, string>}
 */
const ICONS = {
  back: "M12 4l-6 6 6 6",
  next: "M8 4l6 6-6 6",
  close: "M5 5l10 10M15 5L5 15",
  check: "M4 10.5l4 4 8-9",
  heart: "M10 16.5S3 12.4 3 7.6A3.6 3.6 0 0 1 10 6a3.6 3.6 0 0 1 7 1.6c0 4.8-7 8.9-7 8.9z",
  pencil: "M4 16l.8-3.6L13 4.2a1.4 1.4 0 0 1 2 0l.8.8a1.4 1.4 0 0 1 0 2L7.6 15.2 4 16z",
  eyeOff: "M3 3l14 14M8 8.2A2.6 2.6 0 0 0 11.8 12M5.6 5.8A9 9 0 0 0 2.5 10S5 15 10 15a8 8 0 0 0 3.6-.9"
    + "M9 5.1A7.6 7.6 0 0 1 10 5c5 0 7.5 5 7.5 5a12 12 0 0 1-1.8 2.5",
  info: "M10 9v5M10 6v.5M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z",
  share: "M10 12V3M6.5 6L10 2.8 13.5 6M5 9H4v8h12V9h-1",
  turnRight: "M15.5 10A5.5 5.5 0 1 1 10 4.5h4M11.5 2L14 4.5 11.5 7",
  turnLeft: "M4.5 10A5.5 5.5 0 1 0 10 4.5H6M8.5 2L6 4.5 8.5 7",
  mirror: "M10 3v14M7.5 6L3 14h4.5zM12.5 6l4.5 8h-4.5z",
  wand: "M4 16l8.5-8.5M14 2.5v3M12.5 4h3M16 8.5v2M15 9.5h2M8.5 3v2M7.5 4h2",
  revert: "M4 8h8a4 4 0 0 1 0 8H8M7 5L4 8l3 3",
  redo: "M16 8H8a4 4 0 0 0 0 8h4M13 5l3 3-3 3",
  compare: "M10 2.5v15M3 5h5M3 15h5V5M12 5h5v10h-5",
  presets: "M3 4h6v5H3zM11 4h6v5h-6zM3 11h6v5H3zM11 11h6v5h-6z",
  versions: "M6 3h11v10H6zM3 6v11h11",
  album: "M3 5h5l1.5 2H17v9H3z",
  play: "M6 4l10 6-10 6z",
  pause: "M6.5 4v12M13.5 4v12",
  sound: "M3 8v4h3l4 3.5v-11L6 8zM13 7.5a3.5 3.5 0 0 1 0 5M15 5.5a6.5 6.5 0 0 1 0 9",
  mute: "M3 8v4h3l4 3.5v-11L6 8zM13 8l4 4M17 8l-4 4",
  search: "M8.5 3a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM12.5 12.5L17 17",
  menu: "M3 5.5h14M3 10h14M3 14.5h14",
  burst: "M7 3h10v9H7zM5 5v9h10M3 7v9h10",
  keys: "M2.5 6h15v8.5h-15zM5 9h.5M8 9h.5M11 9h.5M14 9h.5M6.5 12h7",
  power: "M10 2.5v7M6 5a6.5 6.5 0 1 0 8 0",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2v2M10 16v2M2 10h2M16 10h2M4.3 4.3l1.5 1.5M14.2 14.2l1.5 1.5"
    + "M4.3 15.7l1.5-1.5M14.2 5.8l1.5-1.5",
  drop: "M10 2.5s5 5.6 5 9.5a5 5 0 0 1-10 0c0-3.9 5-9.5 5-9.5z",
  triangle: "M10 3.5L17.5 16.5h-15z",
  vignette: "M2.5 4h15v12h-15zM10 6.5c-3 0-4.5 1.6-4.5 3.5s1.5 3.5 4.5 3.5 4.5-1.6 4.5-3.5S13 6.5 10 6.5z",
  crop: "M6 2v12h12M2 6h12v12",
  flip: "M3 10h14M6 7.5L14 3v4.5zM6 12.5L14 17v-4.5z",
  copy: "M7 7h10v10H7zM13 7V3H3v10h4",
  paste: "M6 4H4v13h12V4h-2M7 2.5h6v3H7zM7 9h6M7 12.5h6",
  place: "M10 17.5s5.5-5 5.5-9.5a5.5 5.5 0 0 0-11 0c0 4.5 5.5 9.5 5.5 9.5z"
    + "M10 6.5a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4z",
};

/**
 * Creates an icon. The icon is hidden from screen readers, because the element that contains it has a name.
 * @param {string} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  if (name === "live") return ringed(svg);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name] ?? "");
  svg.append(path);
  return svg;
}

/**
 * Draws the symbol of a Live Photo: a dot inside two rings. The outer ring fills while the movie loads.
 * @param {SVGSVGElement} svg
 */
function ringed(svg) {
  for (const [radius, name] of [[2, "dot"], [4.5, "inner"], [8, "outer"]]) {
    const circle = document.createElementNS(SVG, "circle");
    const attributes = { cx: 10, cy: 10, r: radius, class: name, ...(name === "outer" ? { pathLength: 24 } : {}) };
    for (const [key, value] of Object.entries(attributes)) circle.setAttribute(key, String(value));
    svg.append(circle);
  }
  return svg;
}

/**
 * Creates a button with an icon and with a title as its name.
 * @param {string} symbol the name of the icon
 * @param {string} name the name of the action
 * @param {(event: Event) => void} action
 * @param {import("./types").Attributes} [attributes]
 */
export function iconButton(symbol, name, action, attributes = {}) {
  const named = { type: "button", title: name, "aria-label": name, onclick: action };
  return el("button.tool", { ...named, ...attributes }, icon(symbol));
}
