import assert from "node:assert/strict";
import test from "node:test";
import { placed } from "./editor/motion.js";

const movie = { frames: Array.from({ length: 30 }, (_, index) => index / 15), seconds: 2 };
const whole = { start: 0, end: 2, key: 1 };
const rounded = (index) => Number((index / 15).toFixed(6));

test("a trim ends at a frame, and the adjacent kept frame is shown", () => {
  assert.deepEqual(placed("start", 0.48, movie, whole), { look: movie.frames[7], part: "trim", value: [rounded(7), 2] });
  assert.deepEqual(placed("end", 1.52, movie, whole), { look: movie.frames[22], part: "trim", value: [0, rounded(23)] });
});

test("the key photo stays within the kept part", () => {
  assert.deepEqual(placed("start", 1.9, movie, whole), { look: 1, part: "trim", value: [1, 2] });
  assert.deepEqual(placed("end", 0.1, movie, whole), { look: 1, part: "trim", value: [0, rounded(16)] });
  assert.deepEqual(placed("key", 1.9, movie, { start: 0, end: 1, key: 0.5 }), { look: movie.frames[14], part: "keyPhoto", value: rounded(14) });
  assert.deepEqual(placed("key", 0.1, movie, { start: 0.4, end: 1, key: 0.5 }), { look: movie.frames[6], part: "keyPhoto", value: 0.4 });
});

test("the kept part of a movie without a photo has at least one frame", () => {
  const alone = { start: 0, end: 2, key: null };
  assert.deepEqual(placed("start", 5, movie, alone).value, [rounded(29), 2]);
  assert.deepEqual(placed("end", -1, movie, alone).value, [0, rounded(1)]);
});

test("keeping the whole movie is not a trim", () => {
  assert.equal(placed("start", 0.01, movie, { ...whole, start: 0.4 }).value, undefined);
  assert.equal(placed("end", 1.99, movie, { ...whole, end: 1.5 }).value, undefined);
});
