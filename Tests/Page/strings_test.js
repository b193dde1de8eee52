import assert from "node:assert/strict";
import test from "node:test";

Object.defineProperty(globalThis, "navigator", { configurable: true, value: { languages: ["fr-FR", "fr"] } });
const { bytes, has, moment, month, number, seconds, t, within } = await import("./core/strings.js");
const { ENGLISH } = await import("./core/english.js");

test("a text gets its values and the plural form for its number", () => {
  assert.equal(t("selection.count", { count: 1 }), ENGLISH["selection.count.one"]?.replace("{count}", "1") ?? ENGLISH["selection.count.other"].replace("{count}", "1"));
  assert.equal(t("selection.count", { count: 1234 }), ENGLISH["selection.count.other"].replace("{count}", "1,234"));
  assert.equal(t("tray.done", { done: 3, total: 4 }), "3 of 4 done");
  // A name without a text is returned unchanged.
  assert.equal(t("no.such.text"), "no.such.text");
  assert.ok(has("edit.save") && !has("no.such.text"));
});

test("a browser that requests none of liveedit's languages gets English with the date format of most countries", () => {
  assert.equal(month("2024-05"), "May 2024");
  assert.equal(moment("2019-12-29T19:01:02+09:00"), "29 Dec 2019, 19:01");
  assert.equal(moment("never"), "never");
  assert.equal(month("never"), "never");
});

test("sizes and durations use the unit that makes them short", () => {
  assert.deepEqual([0, 999, 1000, 29_559, 5_204_321, 12e9, 34e12].map(bytes), ["0 byte", "999 byte", "1 kB", "29.6 kB", "5.2 MB", "12 GB", "34,000 GB"]);
  assert.equal(seconds(2.9), "2.9s");
  assert.equal(number(1234.5), "1,234.5");
  assert.equal(number(1234.5, 2), "1234.50");
  assert.equal(within("Sharpness"), "sharpness");
});
