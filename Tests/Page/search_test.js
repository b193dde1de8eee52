import assert from "node:assert/strict";
import test from "node:test";
import { toggled } from "./grid/search.js";

test("a filter is added and removed again, and only one kind is kept", () => {
  assert.equal(toggled("", "edited"), "edited");
  assert.equal(toggled("camera = \"X\" and edited", "favourite"), "camera = \"X\" and edited and favourite");
  assert.equal(toggled("kind = live and edited and favourite", "edited"), "kind = live and favourite");
  assert.equal(toggled("kind = live and edited", "kind = movie"), "edited and kind = movie");
  assert.equal(toggled("kind = live", "kind = live"), "");
});
