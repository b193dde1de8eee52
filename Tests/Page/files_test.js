import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

const PAGE = "Sources/Studio/Page";
/** The other folders from which the files of a folder import. */
const IMPORTED = { core: [], grid: ["core"], viewer: ["core"], share: ["core"], editor: ["core", "viewer"] };

test("the page's folders import only the folders that they may", () => {
  const folders = readdirSync(PAGE, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(folders.map(({ name }) => name).sort(), Object.keys(IMPORTED).sort());
  for (const [folder, imported] of Object.entries(IMPORTED)) {
    for (const file of readdirSync(`${PAGE}/${folder}`).filter((name) => name.endsWith(".js"))) {
      const source = readFileSync(`${PAGE}/${folder}/${file}`, "utf8");
      const others = [...source.matchAll(/"\.\.\/(\w+)\//g)].map(([, name]) => name);
      assert.deepEqual(others.filter((name) => !imported.includes(name)), [], `${folder}/${file}`);
    }
  }
});

test("no line of the page exceeds 120 characters, and no folder contains more than 25 files", () => {
  for (const folder of ["", ...Object.keys(IMPORTED)]) {
    const files = readdirSync(`${PAGE}/${folder}`, { withFileTypes: true }).filter((entry) => entry.isFile());
    assert.ok(files.length <= 25, folder);
    for (const { name } of files) {
      const long = readFileSync(`${PAGE}/${folder}/${name}`, "utf8").split("\n").filter((line) => line.length > 120);
      assert.deepEqual(long, [], `${folder}/${name}`);
    }
  }
});
