import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { next, requests, settled } from "./server.js";

globalThis.sessionStorage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
const { Draft } = await import("./editor/draft.js");
const { Proposals } = await import("./editor/proposals.js");

beforeEach(() => { requests.length = 0; });

/** Proposals for an asset, and the edits that they showed. */
function opened() {
  const shown = [];
  const closing = new AbortController();
  const proposals = new Proposals({
    showTrial: (edit) => shown.push(edit), markLevel: (degrees) => shown.push(degrees), tell: (text) => shown.push(text),
  });
  proposals.session = { item: { id: "a" }, draft: new Draft("a", "1", {}), signal: closing.signal };
  return { proposals, shown, draft: proposals.session.draft, close: () => { proposals.close(); closing.abort(); } };
}
const answer = async (edit) => (await next("assets/a/proposal")).answer({ edit });

test("of the presets under the pointer, the latest one is shown", async () => {
  const { proposals, shown } = opened();
  const tried = ["vivid", "mono"].map((preset) => proposals.tryPreset(preset));
  const [vivid, mono] = [await next("assets/a/proposal"), await next("assets/a/proposal")];
  assert.deepEqual([vivid.query.preset, mono.query.preset], ["vivid", "mono"]);
  mono.answer({ edit: { blackAndWhite: { monochrome: 1 } } });
  vivid.answer({ edit: { color: { vibrance: 1 } } });
  await Promise.all(tried);
  assert.deepEqual(shown, [{ blackAndWhite: { monochrome: 1 } }]);
  // When the pointer has left, the page shows the draft again, whatever arrives later.
  const late = proposals.tryPreset("warm");
  proposals.tryPreset(null);
  await answer({ color: { warmth: 1 } });
  await late;
  assert.deepEqual(shown.slice(1), [null]);
});

test("another strength of a preset replaces it, and changes made by hand meanwhile are kept", async () => {
  const { proposals, draft } = opened();
  const first = proposals.applyPreset("vivid", 1);
  draft.change("contrast", (edit) => { edit.light = { contrast: 0.2 }; });
  await answer({ color: { vibrance: 1 } });
  await first;
  assert.deepEqual(draft.value, { light: { contrast: 0.2 }, color: { vibrance: 1 } });
  const second = proposals.applyPreset("vivid", 0.5);
  const request = await next("assets/a/proposal");
  assert.deepEqual([request.query.edit, request.query.intensity], ["{}", "0.5"]);
  request.answer({ edit: { color: { vibrance: 0.5 } } });
  await second;
  assert.equal(draft.value.color.vibrance, 0.5);
});

test("a proposal for a closed asset is ignored, and a refusal is reported", async () => {
  const { proposals, shown, draft, close } = opened();
  const refused = proposals.propose({ auto: "light" });
  (await next("assets/a/proposal")).answer({ message: "too dark" }, 400);
  await refused;
  assert.deepEqual(shown, ["too dark"]);
  const late = proposals.propose({ auto: "light" });
  const request = await next("assets/a/proposal");
  close();
  request.answer({ edit: { light: { exposure: 1 } } });
  await late;
  assert.deepEqual(draft.value, {});
});

test("the level is requested once for each orientation, and the latest one is marked", async () => {
  const { proposals, shown, draft } = opened();
  const upright = proposals.findLevel();
  await proposals.findLevel();
  draft.change("turn", (edit) => { edit.orientation = 6; });
  const turned = proposals.findLevel();
  const [first, second] = [await next("assets/a/proposal"), await next("assets/a/proposal")];
  assert.deepEqual([first.query.edit, second.query.edit], ["{}", "{\"orientation\":6}"]);
  second.answer({ edit: { geometry: { straighten: 2 } } });
  first.answer({ edit: { geometry: { straighten: -1 } } });
  await Promise.all([upright, turned]);
  assert.deepEqual(shown, [null, null, 2]);
  await settled();
  assert.equal(requests.length, 0);
});
