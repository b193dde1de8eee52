import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { completed, GROUPS, slidersOf } from "./editor/groups.js";

/** The groups of the panel, by the headings of ADJUSTMENTS.md, which ParameterTests compares with the table of parameters. */
const HEADINGS = { Light: "light", Colour: "color", "Black and white": "color", Detail: "detail", Effects: "effects" };

/** The names of the parameters of each group. */
function documented() {
  const names = { light: [], color: [], detail: [], effects: [] };
  for (const section of readFileSync("ADJUSTMENTS.md", "utf8").split("\n## ").slice(1)) {
    const group = HEADINGS[section.split("\n")[0]];
    if (group) names[group].push(...[...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name));
  }
  return names;
}

test("each slider of a group is a parameter of that group and appears once", () => {
  for (const [name, parameters] of Object.entries(documented())) {
    const sliders = slidersOf(GROUPS.find((group) => group.name === name));
    assert.ok(parameters.length > 2, name);
    assert.deepEqual(sliders.filter((slider) => !parameters.includes(slider)), [], name);
    assert.equal(new Set(sliders).size, sliders.length, name);
  }
});

test("a parameter without a page comes last on the first page of its group", () => {
  const parameter = (name, group) => ({ name, group, minimum: 0, maximum: 1, neutral: 0, digits: 2, summary: "" });
  const known = GROUPS.flatMap(slidersOf).map((name) => parameter(name, "light"));
  assert.deepEqual(completed(known), GROUPS);
  const all = completed([...known, parameter("haze", "light"), parameter("toner", "blackAndWhite")]);
  const page = (name) => all.find((group) => group.name === name).pages.basic;
  assert.equal(page("light").at(-1), "haze");
  assert.equal(page("color").at(-1), "toner");
  assert.equal(GROUPS[0].pages.basic.includes("haze"), false);
  assert.deepEqual(all.slice(2), GROUPS.slice(2));
});
