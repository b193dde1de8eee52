import assert from "node:assert/strict";
import test from "node:test";
import { largest, pulled, turn } from "./editor/crop.js";

const close = (one, other, what) => one.forEach((value, index) => assert.ok(Math.abs(value - other[index]) < 1e-6, `${what}: ${one} is not ${other}`));

/** Exif's orientations as its standard defines them: from a position in the stored picture to the position in the displayed one, −1 to 1, y down. */
const SEEN = {
  1: ([x, y]) => [x, y], 2: ([x, y]) => [-x, y], 3: ([x, y]) => [-x, -y], 4: ([x, y]) => [x, -y],
  5: ([x, y]) => [y, x], 6: ([x, y]) => [-y, x], 7: ([x, y]) => [-y, -x], 8: ([x, y]) => [y, -x],
};
/** The page's rotations: from a position in the displayed picture to the position after the rotation. */
const TURNS = { turnRight: ([x, y]) => [-y, x], turnLeft: ([x, y]) => [y, -x], flipHorizontal: ([x, y]) => [-x, y], flipVertical: ([x, y]) => [x, -y] };
const PLACES = [[0.3, -0.7], [-1, 0.2], [0.5, 0.9]];

test("a rotation yields the orientation that displays the rotated picture", () => {
  for (const [name, move] of Object.entries(TURNS)) {
    for (let before = 1; before <= 8; before += 1) {
      const edit = before === 1 ? {} : { orientation: before };
      turn(edit, name, [0, 0, 1, 1]);
      for (const place of PLACES) close(SEEN[edit.orientation ?? 1](place), move(SEEN[before](place)), `${name} of ${before}`);
      assert.notEqual(edit.orientation, 1);
    }
  }
});

test("the crop shows the same part after a rotation", () => {
  const rectangle = [0.1, 0.2, 0.3, 0.4];
  /** The corners of a rectangle, as positions from −1 to 1. */
  const corners = ([x, y, w, h]) => [[x, y], [x + w, y], [x, y + h], [x + w, y + h]].map(([a, b]) => [2 * a - 1, 2 * b - 1]);
  const sorted = (places) => places.map((place) => place.map((value) => value.toFixed(5)).map((text) => (text === "-0.00000" ? "0.00000" : text)).join()).sort();
  for (const [name, move] of Object.entries(TURNS)) {
    const edit = { geometry: { crop: { rectangle } } };
    turn(edit, name, rectangle);
    assert.deepEqual(sorted(corners(edit.geometry.crop.rectangle)), sorted(corners(rectangle).map(move)), name);
  }
});

test("four rotations to the right, a rotation and its inverse, and two flips change nothing", () => {
  const edit = () => ({ orientation: 5, geometry: { straighten: 3, horizontalPerspective: 0.2, verticalPerspective: -0.4, crop: { rectangle: [0.1, 0.2, 0.3, 0.4] } } });
  for (const way of [["turnRight", "turnRight", "turnRight", "turnRight"], ["turnRight", "turnLeft"], ["flipHorizontal", "flipHorizontal"], ["flipVertical", "flipVertical"]]) {
    const turned = edit();
    for (const name of way) turn(turned, name, turned.geometry.crop.rectangle);
    assert.deepEqual(JSON.parse(JSON.stringify(turned)), edit(), way.join(", "));
  }
  // A mirrored picture leans to the other side; a rotated picture leans to the same side.
  for (const [name, sign] of [["turnRight", 1], ["turnLeft", 1], ["flipHorizontal", -1], ["flipVertical", -1]]) {
    const turned = edit();
    turn(turned, name, turned.geometry.crop.rectangle);
    assert.equal(turned.geometry.straighten, 3 * sign, name);
  }
});

test("a fixed shape becomes a free rectangle when the picture is rotated", () => {
  const edit = { geometry: { crop: { aspect: [16, 9], anchor: "top" } } };
  turn(edit, "turnRight", [0, 0, 1, 0.75]);
  assert.deepEqual(edit.geometry.crop, { rectangle: [0.25, 0, 0.75, 1] });
});

test("the frame can be moved and stays inside the picture", () => {
  close(pulled([0.1, 0.2, 0.5, 0.5], "", 0.1, -0.1, null), [0.2, 0.1, 0.5, 0.5], "moved");
  close(pulled([0.1, 0.2, 0.5, 0.5], "", 9, -9, 1), [0.5, 0, 0.5, 0.5], "moved far");
});

test("a side or corner can be moved alone, and a crop is never empty", () => {
  const before = [0.2, 0.2, 0.6, 0.6];
  for (const side of ["nw", "n", "ne", "w", "e", "sw", "s", "se"]) {
    for (const [x, y] of [[0.1, 0.1], [-0.1, 0.05], [2, 2], [-2, -2]]) {
      const [left, top, width, height] = pulled(before, side, x, y, null);
      const edges = { w: left, n: top, e: left + width, s: top + height };
      for (const [letter, edge, was] of [["w", edges.w, 0.2], ["n", edges.n, 0.2], ["e", edges.e, 0.8], ["s", edges.s, 0.8]]) {
        if (!side.includes(letter)) assert.ok(Math.abs(edge - was) < 1e-9, `${side} moves ${letter}`);
        assert.ok(edge >= -1e-9 && edge <= 1 + 1e-9);
      }
      assert.ok(width >= 0.05 - 1e-9 && height >= 0.05 - 1e-9);
    }
  }
  close(pulled(before, "se", 0.1, -0.2, null), [0.2, 0.2, 0.7, 0.4], "se");
});

test("a crop keeps its shape, whichever side or corner is dragged, and how far", () => {
  for (const form of [0.5, 1, 1.7]) {
    const before = largest(form).map((share, index) => (index < 2 ? share + 0.1 : share * 0.6));
    for (const side of ["nw", "n", "ne", "w", "e", "sw", "s", "se"]) {
      for (const [x, y] of [[0.05, 0.02], [-0.07, 0.1], [0.9, 0.9], [-0.9, -0.3]]) {
        const [left, top, width, height] = pulled(before, side, x, y, form);
        assert.ok(Math.abs(width / height - form) < 1e-6, `${side} by ${x}, ${y}: ${width / height} is not ${form}`);
        assert.ok(left >= -1e-9 && top >= -1e-9 && left + width <= 1 + 1e-9 && top + height <= 1 + 1e-9, `${side} by ${x}, ${y} leaves the picture`);
      }
    }
  }
});

test("the largest rectangle of a shape touches two sides of the picture and is placed at its anchor", () => {
  close(largest(0.5), [0.25, 0, 0.5, 1], "centre");
  close(largest(2), [0, 0.25, 1, 0.5], "centre");
  close(largest(0.5, "left"), [0, 0, 0.5, 1], "left");
  close(largest(2, "bottomRight"), [0, 0.5, 1, 0.5], "bottom");
});
