import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { next, requests, settled } from "./server.js";

const { EditTables, parse } = await import("./editor/tables.js");

/** The bytes of a response: the length of its JSON, the JSON, and 16-bit little-endian numbers. */
function answer(parts, numbers = []) {
  let json = JSON.stringify(parts);
  if (json.length % 2) json += " ";
  const bytes = new ArrayBuffer(4 + json.length + 2 * numbers.length), view = new DataView(bytes);
  view.setUint32(0, json.length, true);
  [...json].forEach((letter, index) => view.setUint8(4 + index, letter.charCodeAt(0)));
  numbers.forEach((number, index) => view.setUint16(4 + json.length + 2 * index, number, true));
  return bytes;
}
const table = (name) => answer({ table: { name, nodes: 2, at: 0 }, missing: [] }, Array.from({ length: 24 }, (_, index) => index));

beforeEach(() => { requests.length = 0; });

test("the numbers of a response are where its JSON states", () => {
  const numbers = Array.from({ length: 40 }, (_, index) => 1000 + index);
  const parts = parse(answer({
    table: { name: "t", nodes: 2, at: 0 }, light: { byLight: 48, lightCount: 2, byLuma: 60, lumaCount: 1 }, areas: { name: "a", at: 64, columns: 1, rows: 1, times: [0, 1] },
  }, numbers), new Map());
  assert.deepEqual([...parts.table.data], numbers.slice(0, 24));
  assert.deepEqual([...parts.light.byLight], numbers.slice(24, 30));
  assert.deepEqual([...parts.light.byLuma], numbers.slice(30, 32));
  assert.deepEqual([...parts.areas.data], numbers.slice(32, 40));
});

test("a table that was already sent comes from the cache, which keeps recently used tables longest", () => {
  const known = new Map();
  parse(table("one"), known);
  parse(table("two"), known);
  const parts = parse(answer({ table: { name: "one" }, missing: [] }), known);
  assert.equal(parts.table.data.length, 24);
  assert.deepEqual([...known.keys()], ["two", "one"]);
});

test("one request is sent at a time, then the latest one", async () => {
  const tables = new EditTables({ id: "a" }, { half: "photo", size: 640 });
  const edit = (exposure) => ({ light: { exposure } });
  const asked = [1, 2, 3].map((exposure) => tables.ask(edit(exposure), "srgb"));
  const first = await next("assets/a/table");
  assert.equal(requests.length, 0);
  assert.deepEqual(first.query, { edit: JSON.stringify(edit(1)), colors: "srgb", half: "photo", size: "640" });
  first.answer(table("one"));
  const second = await next("assets/a/table");
  assert.deepEqual([second.query.edit, second.query.have], [JSON.stringify(edit(3)), "one"]);
  second.answer(table("two"));
  const [one, two, three] = await Promise.all(asked);
  assert.deepEqual([one.table.name, two, three.table.name], ["one", null, "two"]);
  // A failed request does not stop the following ones.
  const failed = assert.rejects(tables.ask(edit(4), "srgb"), /too much/);
  (await next("assets/a/table")).answer({ message: "too much" }, 400);
  await failed;
  for (const name of ["three", "four", "five"]) {
    const more = tables.ask(edit(name.length), "srgb");
    (await next("assets/a/table")).answer(table(name));
    await more;
  }
  await settled();
  assert.deepEqual([...tables.known.keys()], ["two", "three", "four", "five"]);
});
