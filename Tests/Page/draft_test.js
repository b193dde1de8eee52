import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

/** A session storage with little space. */
class Room extends Map {
  room = 2000;
  getItem(name) { return this.get(name) ?? null; }
  setItem(name, text) {
    if (text.length > this.room) throw new Error("QuotaExceededError");
    this.set(name, text);
  }
  removeItem(name) { this.delete(name); }
}
globalThis.sessionStorage = new Room();
const { Draft, isEqual, merged, setValue, valueOf } = await import("./editor/draft.js");

beforeEach(() => sessionStorage.clear());
const exposure = (value) => (edit) => { (edit.light ??= {}).exposure = value; };

test("changes with the same tag are one undo step until the hand rests", () => {
  const draft = new Draft("one", "1", {});
  for (const value of [0.1, 0.2, 0.3]) draft.change("exposure", exposure(value));
  draft.rest();
  draft.change("exposure", exposure(0.4));
  draft.change("look", (edit) => ({ ...edit, look: { name: "noir" } }));
  const values = [draft.value];
  for (let step = 0; step < 4; step += 1) { draft.undo(); values.push(draft.value); }
  assert.deepEqual(values, [{ light: { exposure: 0.4 }, look: { name: "noir" } }, { light: { exposure: 0.4 } }, { light: { exposure: 0.3 } }, {}, {}]);
  for (let step = 0; step < 4; step += 1) draft.redo();
  assert.deepEqual(draft.value, values[0]);
  // A change after an undo discards the redo steps.
  draft.undo();
  draft.change("", exposure(1));
  draft.redo();
  assert.deepEqual(draft.value, { light: { exposure: 1 } });
});

test("a change without effect is not a step, and empty parts of an edit are removed", () => {
  const draft = new Draft("one", "1", {});
  draft.change("", exposure(undefined));
  draft.change("", (edit) => { edit.geometry = {}; });
  assert.equal(draft.past.length, 0);
  draft.change("", exposure(1));
  draft.change("", exposure(undefined));
  assert.deepEqual(Object.keys(draft.value), []);
  assert.ok(!draft.isChanged);
});

test("an unsaved draft survives the page, and a saved one does not", () => {
  const draft = new Draft("one", "1", { orientation: 6 });
  draft.change("", exposure(1));
  const again = new Draft("one", "1", { orientation: 6 });
  assert.ok(again.isRestored && !again.isOutdated);
  assert.deepEqual(again.value, draft.value);
  again.undo();
  assert.deepEqual(again.value, { orientation: 6 });
  draft.change("", exposure(2));
  draft.saved(draft.value, "2");
  assert.ok(!draft.isChanged);
  assert.ok(!new Draft("one", "2", draft.value).isRestored);
  assert.ok(!new Draft("two", "1", {}).isRestored);
});

test("a draft keeps its starting point if the asset was edited elsewhere", () => {
  new Draft("one", "1", {}).change("", exposure(1));
  const again = new Draft("one", "2", { orientation: 3 });
  assert.ok(again.isOutdated);
  assert.deepEqual([again.revision, again.base, again.value], ["1", {}, { light: { exposure: 1 } }]);
});

test("a draft that does not fit into the tab's storage, or is unreadable, is ignored", () => {
  const draft = new Draft("one", "1", {});
  draft.change("", exposure(1));
  draft.change("", (edit) => ({ ...edit, look: { text: "x".repeat(3000) } }));
  assert.equal(draft.value.look.text.length, 3000);
  assert.ok(!new Draft("one", "1", {}).isRestored);
  sessionStorage.set("liveedit.draft.one", "{");
  assert.deepEqual(new Draft("one", "1", {}).value, {});
});

test("edits are equal regardless of the order of their parts", () => {
  assert.ok(isEqual({ a: 1, b: { c: [1, 2], d: null } }, { b: { d: null, c: [1, 2] }, a: 1 }));
  for (const other of [{ a: 1 }, { a: 1, b: {} }, { a: 1, b: { c: [2, 1], d: null } }, { a: 1, b: { c: [1, 2], d: 0 } }, null]) {
    assert.ok(!isEqual({ a: 1, b: { c: [1, 2], d: null } }, other));
  }
});

test("changes made by hand meanwhile are kept when a proposal arrives", () => {
  const before = { light: { exposure: 1, contrast: 0.5 }, orientation: 6 };
  const after = { light: { exposure: 2, contrast: 0.5 }, color: { saturation: 0.3 }, orientation: 6 };
  const now = { light: { exposure: 1, contrast: -0.5 }, orientation: 3 };
  assert.deepEqual(merged(now, before, after), { light: { exposure: 2, contrast: -0.5 }, color: { saturation: 0.3 }, orientation: 3 });
  // Values that the proposal resets are removed.
  assert.equal(merged(now, before, { light: before.light }).orientation, undefined);
});

test("a value is rounded and limited to its range, and a neutral value is removed", () => {
  const parameter = { name: "temperature", group: "color", minimum: 2000, maximum: 10000, neutral: 6500, digits: 0 };
  const edit = { color: { warmth: 0.5 } };
  setValue(edit, parameter, 5123.6);
  // One of the two values already states the other one.
  assert.deepEqual(edit, { color: { temperature: 5124 } });
  setValue(edit, parameter, 99999);
  assert.equal(valueOf(edit, parameter), 10000);
  setValue(edit, parameter, 6500.2);
  assert.deepEqual(edit, { color: {} });
  assert.equal(valueOf(edit, parameter), 6500);
});
