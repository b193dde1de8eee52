import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { next, requests, settled } from "./server.js";

const { AssetList } = await import("./core/assets.js");
const asset = (number, more = {}) => ({ id: `a${number}`, revision: "1", ...more });
const page = (first, count) => ({ assets: Array.from({ length: count }, (_, index) => asset(first + index)) });

/** A list of that many assets. */
async function loaded(count) {
  const list = new AssetList();
  const done = list.load();
  (await next("sections")).answer({ count, view: "v1", sections: [{ month: "2024-05", count: count - 1, shapes: [] }, { month: null, count: 1, shapes: [] }] });
  (await next("assets")).answer(page(0, Math.min(count, 200)));
  await done;
  return list;
}

beforeEach(() => { requests.length = 0; });

test("sections state where they begin, and the first page is loaded at once", async () => {
  const list = await loaded(500);
  assert.deepEqual(list.sections.map(({ first }) => first), [0, 499]);
  assert.equal(list.at(199).id, "a199");
  assert.equal(requests.length, 0);
});

test("a page is requested once, when one of its assets is viewed", async () => {
  const list = await loaded(500);
  assert.equal(list.at(450), null);
  assert.equal(list.at(470), null);
  const waiting = list.item(460);
  const request = await next("assets");
  assert.deepEqual([request.query.offset, request.query.limit, request.query.view], ["400", "200", "v1"]);
  assert.equal(requests.length, 0);
  request.answer(page(400, 100));
  assert.equal((await waiting).id, "a460");
  assert.equal(list.at(450).id, "a450");
  assert.equal(list.place("a450"), 450);
  assert.deepEqual([list.at(-1), list.at(500), list.place("a500")], [null, null, -1]);
});

test("a list that arrives late does not replace a newer one", async () => {
  const list = await loaded(3);
  const first = list.load({ filter: "edited" }), second = list.load({ filter: "favourite" });
  const [edited, favourite] = [await next("sections"), await next("sections")];
  assert.deepEqual([edited.query.filter, favourite.query.filter], ["edited", "favourite"]);
  favourite.answer({ count: 1, view: "v3", sections: [{ month: null, count: 1, shapes: [] }] });
  (await next("assets")).answer({ assets: [asset(2)] });
  await second;
  edited.answer({ count: 2, view: "v2", sections: [{ month: null, count: 2, shapes: [] }] });
  (await next("assets")).answer(page(0, 2));
  await first;
  assert.deepEqual([list.count, list.view, list.query.filter, list.at(0).id], [1, "v3", "favourite", "a2"]);
});

test("an asset of a list that was replaced meanwhile is ignored", async () => {
  const list = await loaded(500);
  const waiting = list.item(450);
  const late = await next("assets");
  list.looked = { first: 440, last: 460 };
  const second = list.load();
  (await next("sections")).answer({ count: 500, view: "v2", sections: [{ month: null, count: 500, shapes: [] }] });
  const now = await next("assets");
  assert.equal(now.query.offset, "300");
  now.answer(page(1300, 200));
  await second;
  late.answer(page(400, 100));
  assert.equal(await waiting, null);
  assert.equal(list.items[450].id, "a1450");
});

test("a refused filter does not change the list", async () => {
  const list = await loaded(3);
  const refused = assert.rejects(list.load({ filter: "kind =" }), /ends too soon/);
  (await next("sections")).answer({ message: "“kind =” ends too soon." }, 400);
  await refused;
  assert.deepEqual([list.count, list.query.filter, list.wanted.filter], [3, "", ""]);
});

test("the names of all assets come from the list that is being loaded", async () => {
  const list = await loaded(3);
  const second = list.load({ filter: "edited" }), ids = list.allIds();
  (await next("sections")).answer({ count: 1, view: "v2", sections: [{ month: null, count: 1, shapes: [] }] });
  (await next("assets")).answer({ assets: [asset(1)] });
  await second;
  assert.deepEqual(await ids, ["a1"]);
});

test("if the server forgot a list, the names come from a new one", async () => {
  const list = await loaded(500);
  const ids = list.allIds();
  (await next("names")).answer({ message: "gone" }, 409);
  (await next("sections")).answer({ count: 2, view: "v2", sections: [{ month: null, count: 2, shapes: [] }] });
  (await next("assets")).answer(page(0, 2));
  assert.deepEqual(await ids, ["a0", "a1"]);
});

test("changed assets are requested again if they were loaded", async () => {
  const list = await loaded(3);
  const told = [];
  list.addEventListener("items", ({ detail }) => told.push(detail));
  const done = list.refresh(["a1", "stranger"]);
  (await next("assets/a1")).answer({ asset: asset(1, { revision: "2" }) });
  await done;
  assert.equal(list.byId("a1").revision, "2");
  assert.deepEqual(told, [{ first: 1, count: 1 }]);
  await settled();
  assert.equal(requests.length, 0);
});
