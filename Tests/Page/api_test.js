import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { next, requests } from "./server.js";

const { address, askWith, get, pictureSize, pictureURL, Refusal } = await import("./core/api.js");

beforeEach(() => { requests.length = 0; });

test("an address contains only the parameters that have a value", () => {
  assert.equal(address("assets", { filter: "name = \"a&b\"", offset: 0, sort: "", hidden: false, view: null, limit: undefined }), "assets?filter=name+%3D+%22a%26b%22&offset=0");
  assert.equal(address("assets", {}), "assets");
  assert.equal(pictureURL({ id: "a/b", revision: "7" }, { size: 640, preset: undefined }), "api/1/assets/a%2Fb/picture?size=640&colors=srgb&v=7");
});

test("a picture has the smallest size that fills the pixels of the screen", () => {
  assert.deepEqual([1, 320, 321, 2048, 2049].map(pictureSize), [320, 320, 640, 2048, 4096]);
  globalThis.devicePixelRatio = 2;
  assert.deepEqual([160, 161, 1024, 1025].map(pictureSize), [320, 640, 2048, 4096]);
});

test("a refusal carries the server's sentence, and a missing answer the page's own", async () => {
  const refused = assert.rejects(get("assets/one"), (error) => error instanceof Refusal && error.status === 404 && error.code === "missing" && error.message === "There is no such asset.");
  const request = await next("assets/one");
  assert.equal(request.options.headers["Liveedit-Key"], "a-key");
  request.answer({ message: "There is no such asset.", error: { code: "missing" } }, 404);
  await refused;
  const silent = assert.rejects(get("assets/one"), /^Error: liveedit is not responding/);
  (await next("assets/one")).fail(new TypeError("Failed to fetch"));
  await silent;
  const given = assert.rejects(get("assets/one"), { name: "AbortError" });
  (await next("assets/one")).fail(Object.assign(new Error("given up"), { name: "AbortError" }));
  await given;
});

test("the address contains a short edit; a long edit gets a name, which is sent again if the server forgot it", async () => {
  const short = askWith({ light: { exposure: 1 } }, "assets/one/table", { colors: "p3" });
  const request = await next("assets/one/table");
  assert.deepEqual(request.query, { edit: "{\"light\":{\"exposure\":1}}", colors: "p3" });
  request.answer({});
  await short;

  const edit = { look: { text: "x".repeat(6000) } };
  const long = askWith(edit, "assets/one/table");
  const kept = await next("kept-edits");
  assert.deepEqual(JSON.parse(kept.options.body), edit);
  kept.answer({ edit: "n1" });
  const first = await next("assets/one/table");
  assert.equal(first.query.edit, "n1");
  first.answer({}, 409);
  (await next("kept-edits")).answer({ edit: "n2" });
  const second = await next("assets/one/table");
  assert.equal(second.query.edit, "n2");
  second.answer({ done: true });
  assert.deepEqual(await (await long).json(), { done: true });
  // The name is sent to the server once, not with each request.
  const again = askWith(edit, "assets/one/table");
  (await next("assets/one/table")).answer({});
  await again;
});
