import assert from "node:assert/strict";
import test from "node:test";
import { snapped, stepped } from "./editor/dial.js";

test("a drag snaps to a mark less than half a degree away", () => {
  assert.equal(snapped(2.8, [0, 3.2]), 3.2);
  assert.equal(snapped(2.6, [0, 3.2]), 2.6);
  assert.equal(snapped(-0.49, [0]), 0);
  assert.equal(snapped(-0.5, [0]), -0.5);
});

test("a step stops at a mark on its way, and the next step leaves the mark", () => {
  assert.equal(stepped(1, 5, [0, 3.2]), 3.2);
  assert.equal(stepped(3.2, 5, [0, 3.2]), 8.2);
  assert.equal(stepped(-0.1, 1, [0, 3.2]), 0);
  assert.equal(stepped(0, -0.1, [0, 3.2]), -0.1);
  assert.equal(stepped(1, 0.5, [0, 3.2]), 1.5);
});
