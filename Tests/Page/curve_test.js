import assert from "node:assert/strict";
import test from "node:test";
import { at } from "./editor/curve.js";

/** A slow reference implementation: slopes by Fritsch and Butland as a weighted harmonic mean, then De Casteljau's algorithm for each cubic. */
function slowly(points, x) {
  const all = [...points];
  if (all[0][0] > 0) all.unshift([0, 0]);
  if (all.at(-1)[0] < 1) all.push([1, 1]);
  const secant = (index) => (all[index + 1][1] - all[index][1]) / (all[index + 1][0] - all[index][0]);
  const slope = (index) => {
    if (index === 0) return secant(0);
    if (index === all.length - 1) return secant(index - 1);
    const [before, after] = [secant(index - 1), secant(index)];
    if (before * after <= 0) return 0;
    const [h, k] = [all[index][0] - all[index - 1][0], all[index + 1][0] - all[index][0]];
    const [first, second] = [(h + 2 * k) / (3 * (h + k)), (2 * h + k) / (3 * (h + k))];
    return 1 / (first / before + second / after);
  };
  let index = 0;
  while (index < all.length - 2 && x > all[index + 1][0]) index += 1;
  const [[x0, y0], [x1, y1]] = [all[index], all[index + 1]];
  const share = (x - x0) / (x1 - x0);
  let heights = [y0, y0 + (slope(index) * (x1 - x0)) / 3, y1 - (slope(index + 1) * (x1 - x0)) / 3, y1];
  while (heights.length > 1) heights = heights.slice(1).map((height, number) => heights[number] + share * (height - heights[number]));
  return Math.min(Math.max(heights[0], 0), 1);
}

const CURVES = [
  [[0, 0], [1, 1]], [[0, 0], [0.25, 0.15], [0.75, 0.85], [1, 1]], [[0, 0.2], [0.5, 0.4], [1, 0.9]], [[0, 1], [1, 0]],
  [[0.2, 0.1], [0.5, 0.7], [0.8, 0.7]], [[0, 0], [0.3, 0.9], [0.31, 0.1], [0.6, 0.6], [1, 1]],
];

test("the curve equals the result of De Casteljau's algorithm", () => {
  for (const points of CURVES) {
    for (let step = 0; step <= 100; step += 1) assert.ok(Math.abs(at(points, step / 100) - slowly(points, step / 100)) < 1e-9, `${JSON.stringify(points)} at ${step / 100}`);
  }
});

test("the curve passes through its points and never overshoots", () => {
  for (const points of CURVES) {
    for (const [x, y] of points) assert.ok(Math.abs(at(points, x) - y) < 1e-12);
    points.slice(1).forEach(([right, high], index) => {
      const [left, low] = points[index];
      for (let share = 0; share <= 1; share += 0.05) {
        const y = at(points, left + share * (right - left));
        assert.ok(y >= Math.min(low, high) - 1e-9 && y <= Math.max(low, high) + 1e-9);
      }
    });
  }
});
