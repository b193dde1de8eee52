import { ENGLISH } from "./english.js";
// Made by the server: the language that the browser asks for, and its texts.
import { LANGUAGE, TRANSLATION } from "../language.js";

/**
 * The text of a name, with values put in. `count` chooses among the forms of a text that depends on a number.
 * @param {string} name
 * @param {Record<string, any>} [values]
 */
export function t(name, values = {}) {
  const text = translated(name, values.count) ?? english(name, values.count);
  return text.replace(/\{(\w+)\}/g, (_, key) => {
    const value = values[key];
    return typeof value === "number" ? number(value) : String(value ?? "");
  });
}

/**
 * The text in another language; undefined where there is none. Forms are in the order of the categories of Unicode's
 * CLDR.
 * @param {string} name
 * @param {number|undefined} count
 */
function translated(name, count) {
  const forms = TRANSLATION[name];
  if (!forms || forms.length < 2 || count === undefined) return forms?.[0];
  return forms[["one", "few", "many"].indexOf(new Intl.PluralRules(LANGUAGE).select(count))] ?? forms.at(-1);
}

/** @param {string} name @param {number|undefined} count */
function english(name, count) {
  return ENGLISH[`${name}.${count === 1 ? "one" : "other"}`] ?? ENGLISH[name] ?? name;
}

/**
 * True if a name has a text.
 * @param {string} name
 */
export function has(name) { return name in ENGLISH; }

/**
 * A word in the midst of a sentence: with a small letter, but in German, whose nouns have large ones.
 * @param {string} word
 */
export function within(word) {
  return LANGUAGE === "de" ? word : word.toLocaleLowerCase(LANGUAGE);
}

/**
 * The locale of dates and numbers: the first of the browser's that is of the page's language, as de-AT. Where the
 * browser wants none of liveedit's languages the page is English as most of the world writes it: the day before the
 * month, and hours to 24.
 */
const LOCALE = navigator.languages?.find((locale) => locale.split("-")[0] === LANGUAGE)
  ?? (LANGUAGE === "en" ? "en-GB" : LANGUAGE);

/**
 * A number as the language writes it.
 * @param {number} value
 * @param {number} [digits] behind the decimal separator; without it as many as it has, at most three
 */
export function number(value, digits) {
  const options = digits === undefined ? {}
    : { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
  return new Intl.NumberFormat(LOCALE, options).format(value);
}

/**
 * `2024-05` as “May 2024”.
 * @param {string} text
 */
export function month(text) {
  const date = new Date(`${text}-01T00:00:00`);
  return isNaN(date.getTime()) ? text
    : new Intl.DateTimeFormat(LOCALE, { month: "long", year: "numeric" }).format(date);
}

/**
 * The time that the clock at the place showed, whatever zone this computer is in.
 * @param {string} text
 */
export function moment(text) {
  const clock = new Date(`${text.slice(0, 19)}Z`);
  return isNaN(clock.getTime()) ? text
    : new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(clock);
}

/**
 * 5204321 as “5.2 MB”.
 * @param {number} count
 */
export function bytes(count) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), 3);
  return new Intl.NumberFormat(LOCALE, { style: "unit", unit: units[power], maximumFractionDigits: power > 0 ? 1 : 0 })
    .format(count / 1000 ** power);
}

/**
 * 2.9 as “2.9s”; no abbreviation with a full stop, which may be followed by another.
 * @param {number} count
 */
export function seconds(count) {
  return new Intl.NumberFormat(LOCALE, {
    style: "unit", unit: "second", unitDisplay: "narrow", maximumFractionDigits: 2,
  }).format(count);
}
