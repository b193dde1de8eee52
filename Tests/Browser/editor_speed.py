"""Measures how fast the editor shows the effect of a slider: editor_speed.py PHOTO prints medians in milliseconds as JSON, in Chromium with
software WebGL. scripts/bench --studio runs it."""
import json, os, sys

from editor_preview_test import Preview

MEASURE = """const [file, size, done] = arguments;
(async () => {
  const { get } = await import("./core/api.js");
  const { EditPreview } = await import("./editor/preview.js");
  const { EditTables } = await import("./editor/tables.js");
  const item = (await get("assets?limit=1000")).assets.find((one) => one.file === file);
  const route = `api/1/assets/${item.id}/`;
  const median = (all) => all.sort((a, b) => a - b)[all.length >> 1];
  const picture = async (query) => createImageBitmap(await (await fetch(route + "picture?" + query)).blob(), { colorSpaceConversion: "none" });
  const base = `version=base&colors=p3&size=${size}`;
  await picture(base);
  const drawn = (preview) => preview.gl.readPixels(0, 0, 1, 1, preview.gl.RGBA, preview.gl.UNSIGNED_BYTE, new Uint8Array(4));
  let preview, tables;
  const opened = [];
  for (let round = 0; round < 5; round++) {
    preview?.end();
    const began = performance.now();
    preview = new EditPreview(document.createElement("canvas"));
    tables = new EditTables(item, { half: "photo", size });
    const [bitmap, parts] = await Promise.all([picture(base), tables.ask({}, preview.colors)]);
    preview.resize(bitmap.width, bitmap.height);
    preview.show(bitmap);
    preview.edit(parts);
    drawn(preview);
    opened.push(performance.now() - began);
  }
  const slide = async (edit, isMoving) => {
    const times = [];
    for (let step = 1; step <= (isMoving ? 30 : 10); step++) {
      const began = performance.now();
      preview.edit(await tables.ask(edit(step / 50), preview.colors, isMoving), isMoving);
      drawn(preview);
      times.push(performance.now() - began);
    }
    return median(times.slice(isMoving ? 15 : 2));
  };
  const colour = (value) => ({ light: { exposure: value } }), areas = (value) => ({ light: { shadows: value, highlights: -value } });
  const result = { open: median(opened), colour: await slide(colour, true), areas: await slide(areas, true),
                   rest: await slide(colour, false), scale: preview.scale, canvas: [preview.canvas.width, preview.canvas.height] };
  // From a slider's movement to the engine's picture on the page.
  const kinds = { sharpness: (value) => ({ detail: { sharpness: value } }), definition: (value) => ({ detail: { definition: value } }),
                  noise: (value) => ({ detail: { noiseReduction: value } }), grain: (value) => ({ effects: { grain: value } }),
                  all: (value) => ({ detail: { sharpness: value, definition: value, noiseReduction: value }, effects: { grain: value }, light: { exposure: value } }) };
  const passes = {};
  for (const [name, edit] of Object.entries(kinds)) {
    const times = [];
    for (let step = 1; step <= 7; step++) {
      const began = performance.now();
      await picture(`size=1280&edit=${encodeURIComponent(JSON.stringify(edit(step / 20)))}`);
      times.push(performance.now() - began);
    }
    passes[name] = median(times.slice(1));
  }
  return { ...result, passes };
})().then(done, (error) => done({ error: String(error.stack) }));"""


def main(photo):
    preview = Preview([photo])
    try:
        print(json.dumps(preview.browser.driver.execute_async_script(MEASURE, os.path.basename(photo), 2048)))
    finally:
        preview.end()


main(*sys.argv[1:])
