/** The groups of the editor's panel, and the sliders and tools on their pages. */

/** @typedef {import("../core/types").Edit} Edit */
/** @typedef {import("../core/types").Parameter} Parameter */
/**
 * @typedef {string[]|Record<string, string[]>|string} Page sliders, lists of sliders of which one is chosen, or a tool
 */

/**
 * @typedef {Object} Group
 * @property {string} name
 * @property {string} symbol the name of an icon
 * @property {(keyof Edit)[]} parts the parts of an edit that belong to the group
 * @property {Record<string, Page>} pages
 */

const HUES = ["red", "orange", "yellow", "green", "cyan", "blue", "purple", "magenta"];
const TONES = ["shadowGrade", "midtoneGrade", "highlightGrade"];

/** @param {string[]} names @returns {Record<string, string[]>} */
const byColor = (names) => (
  Object.fromEntries(names.map((name) => [name, [`${name}Hue`, `${name}Saturation`, `${name}Luminance`]]))
);

/** @type {Group[]} */
export const GROUPS = [
  { name: "light", symbol: "sun", parts: ["light", "curve", "channelCurves"], pages: {
    basic: ["exposure", "contrast", "highlights", "shadows", "whites", "blackPoint", "brilliance", "brightness"],
    levels: ["dehaze", "levelsBlack", "levelsMidtone", "levelsWhite", "levelsOutputBlack", "levelsOutputWhite"],
    curve: "curve",
  } },
  { name: "color", symbol: "drop", parts: ["color", "blackAndWhite"], pages: {
    basic: ["temperature", "warmth", "tint", "saturation", "vibrance"], ranges: byColor(HUES), grading: byColor(TONES),
    monochrome: ["monochrome", "monochromeTone", "monochromeRed", "monochromeGreen", "monochromeBlue"],
  } },
  { name: "detail", symbol: "triangle", parts: ["detail"], pages: {
    basic: ["sharpness", "definition", "noiseReduction"],
  } },
  { name: "effects", symbol: "vignette", parts: ["effects"], pages: {
    basic: ["vignette", "vignetteRadius", "vignetteSoftness", "grain", "grainSize"],
  } },
  { name: "crop", symbol: "crop", parts: ["orientation", "geometry"], pages: { basic: "crop" } },
  { name: "motion", symbol: "live", parts: ["motion"], pages: { basic: "motion" } },
  { name: "presets", symbol: "presets", parts: ["look"], pages: { basic: "presets", looks: "looks" } },
  { name: "versions", symbol: "versions", parts: [], pages: { basic: "versions" } },
];

/**
 * Returns the sliders of a group.
 * @param {Group} group
 * @returns {string[]}
 */
export function slidersOf({ pages }) {
  return Object.values(pages).flatMap((page) => (typeof page === "string" ? [] : Object.values(page).flat()));
}

/**
 * Returns the groups with a slider for each parameter. A parameter that is on no page is appended to the first page of
 * its group.
 * @param {Parameter[]} parameters the server's table
 * @param {Group[]} groups
 * @returns {Group[]}
 */
export function completed(parameters, groups = GROUPS) {
  const listed = new Set(groups.flatMap(slidersOf));
  const others = parameters.filter(({ name }) => !listed.has(name));
  return groups.map((group) => {
    const { basic } = group.pages;
    const added = others.filter((one) => group.parts.includes(one.group)).map(({ name }) => name);
    return added.length && Array.isArray(basic) ? { ...group, pages: { ...group.pages, basic: [...basic, ...added] } }
      : group;
  });
}
