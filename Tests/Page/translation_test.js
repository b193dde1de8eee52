import assert from "node:assert/strict";
import test from "node:test";

Object.defineProperty(globalThis, "navigator", { configurable: true, value: { languages: ["ru-RU", "de-AT"] } });
globalThis.chosen = { LANGUAGE: "ru", TRANSLATION: { "selection.count": ["{count} фото", "{count} фотографии", "{count} фотографий"], "edit.save": ["Сохранить"] } };
/** A text with ordinary spaces: ICU's versions use different kinds of spaces. */
const plain = (text) => text.replace(/[\u00a0\u202f]/g, " ");
const { bytes, month, number, t, within } = await import("./core/strings.js");

test("each number gets the plural form of its CLDR category", () => {
  const forms = { 1: "фото", 2: "фотографии", 5: "фотографий", 11: "фотографий", 21: "фото", 24: "фотографии", 112: "фотографий" };
  for (const [count, form] of Object.entries(forms)) assert.equal(t("selection.count", { count: Number(count) }), `${count} ${form}`);
  assert.equal(t("edit.save"), "Сохранить");
  // Untranslated texts are English.
  assert.equal(t("tray.done", { done: 1, total: 2 }), "1 of 2 done");
});

test("numbers and dates follow the language's conventions", () => {
  assert.equal(plain(number(1234.5)), "1 234,5");
  assert.equal(plain(month("2025-01")), "январь 2025 г.");
  assert.equal(plain(bytes(29_559)), "29,6 кБ");
  assert.equal(within("Резкость"), "резкость");
});
