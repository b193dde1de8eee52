import assert from "node:assert/strict";
import test from "node:test";
import { Latest } from "./core/latest.js";

test("a new request cancels the one before it, and no other", () => {
  const [latest, other] = [new Latest(), new Latest()];
  const unrelated = other.begin();
  const signals = [latest.begin(), latest.begin(), latest.begin()];
  assert.deepEqual(signals.map((signal) => signal.aborted), [true, true, false]);
  assert.ok(!unrelated.aborted);
});

test("the latest request can be cancelled without a new one", () => {
  const latest = new Latest();
  // No request has begun.
  latest.end();
  assert.ok(!latest.isRunning);
  const signal = latest.begin();
  assert.ok(latest.isRunning && !signal.aborted);
  latest.end();
  assert.ok(!latest.isRunning && signal.aborted);
});

test("the answer to an older request is ignored, even if it comes last", async () => {
  const latest = new Latest();
  const shown = [];
  const ask = async (name, answer) => {
    const signal = latest.begin();
    await answer;
    if (!signal.aborted) shown.push(name);
  };
  let answerFirst = () => {};
  const first = ask("first", new Promise((done) => { answerFirst = done; }));
  await ask("second", Promise.resolve());
  answerFirst();
  await first;
  assert.deepEqual(shown, ["second"]);
});

test("a cancelled request is notified", async () => {
  const latest = new Latest();
  const signal = latest.begin();
  const cancelled = new Promise((done) => signal.addEventListener("abort", done));
  latest.begin();
  await cancelled;
});
