import assert from "node:assert/strict";
import test from "node:test";
import { firstAbove, layOut } from "./grid/layout.js";

const MEASURES = { height: 200, gap: 4, heading: 40 };

/** Pseudorandom numbers, the same in each run (a linear congruential generator, Numerical Recipes). */
function* numbers(seed) { for (let state = seed; ;) yield (state = (1664525 * state + 1013904223) % 2 ** 32) / 2 ** 32; }

/** Sections of photos in portrait and landscape formats. */
function sections(seed, counts) {
  const random = numbers(seed);
  let first = 0;
  return counts.map((count, index) => {
    const section = { month: `2024-0${index + 1}`, count, first, shapes: Array.from({ length: count }, () => [75, 133, 178, 100, 56][Math.floor(5 * random.next().value)]) };
    first += count;
    return section;
  });
}

test("every asset is in one row, in order, and nothing overlaps or leaves the window", () => {
  for (const width of [320, 777, 1280, 3840]) {
    for (let seed = 1; seed <= 20; seed += 1) {
      const asked = sections(seed, [1, 7, 40, 3]);
      const { rows, headings, height } = layOut(asked, width, MEASURES);
      assert.deepEqual(rows.flatMap((row) => row.lefts.map((_, index) => row.first + index)), Array.from({ length: 51 }, (_, index) => index));
      let bottom = 0;
      for (const row of rows) {
        assert.ok(row.top >= bottom, `row ${row.first} lies over the one before it`);
        bottom = row.top + row.height;
        row.lefts.forEach((left, index) => {
          assert.ok(row.widths[index] >= 1 && left + row.widths[index] <= width);
          if (index) assert.ok(left >= row.lefts[index - 1] + row.widths[index - 1] + MEASURES.gap - 1);
        });
      }
      assert.ok(height >= bottom);
      headings.forEach((heading, index) => {
        assert.equal(heading.month, asked[index].month);
        // The first row of a section is directly below its heading.
        assert.equal(rows.find((row) => row.first === asked[index].first).top, heading.top + MEASURES.heading);
      });
    }
  }
});

test("rows fill the window except for the last row of a section, and pictures keep their shapes", () => {
  const [section] = sections(5, [60]);
  const { rows } = layOut([section], 1280, MEASURES);
  for (const row of rows.slice(0, -1)) {
    // Rounded heights change the width a little. A row is at most 1.6 times as high as the target.
    assert.ok(row.height === 320 || Math.abs(row.lefts.at(-1) + row.widths.at(-1) - 1280) <= 5, `row ${row.first} ends at ${row.lefts.at(-1) + row.widths.at(-1)}`);
    assert.ok(row.height > 120 && row.height <= 320, `${row.height}`);
  }
  for (const row of rows) row.widths.forEach((width, index) => assert.ok(Math.abs(width / row.height - section.shapes[row.first + index] / 100) < 0.02));
  // A single photo is not enlarged.
  assert.equal(layOut(sections(1, [1]), 1280, MEASURES).rows[0].height, MEASURES.height);
});

test("a panorama is cut to the visible part, and an unknown shape counts as a photo's", () => {
  const one = (shape) => layOut([{ month: null, count: 1, first: 0, shapes: [shape] }], 1280, MEASURES).rows[0];
  assert.equal(one(900).widths[0], 700);
  assert.equal(one(5).widths[0], 80);
  assert.equal(one(0).widths[0], 266);
});

test("the first position above a bound equals the result of a linear search", () => {
  const random = numbers(9);
  for (let round = 0; round < 200; round += 1) {
    const list = Array.from({ length: Math.floor(20 * random.next().value) }, () => Math.floor(10 * random.next().value)).sort((a, b) => a - b);
    const bound = Math.floor(12 * random.next().value) - 1;
    const walked = list.findIndex((one) => one > bound);
    assert.equal(firstAbove(list, bound, (one) => one), walked < 0 ? list.length : walked);
  }
});
