/** Runs in the page: draws edits as the editor does, and compares the canvas with rendered files. */
window.editorTest = (() => {
  const sharp = { photo: null, movie: null };

  /** The CIE L*a*b* values (D65) of encoded sRGB or Display P3. */
  function lab(rgb, isP3) {
    const [r, g, b] = rgb.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    const xyz = isP3
      ? [0.4865709 * r + 0.2656677 * g + 0.1982173 * b, 0.2289746 * r + 0.6917385 * g + 0.0792869 * b, 0.0451134 * g + 1.0439444 * b]
      : [0.4123908 * r + 0.3575843 * g + 0.1804808 * b, 0.212639 * r + 0.7151687 * g + 0.0721923 * b, 0.0193308 * r + 0.1191948 * g + 0.9505322 * b];
    const f = xyz.map((v, i) => v / [0.9504559, 1, 1.0890578][i]).map((t) => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116));
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])];
  }

  function difference([l1, a1, b1], [l2, a2, b2]) {
    const rad = Math.PI / 180;
    const c1 = Math.hypot(a1, b1), c2 = Math.hypot(a2, b2);
    const seventh = ((c1 + c2) / 2) ** 7;
    const g = 0.5 * (1 - Math.sqrt(seventh / (seventh + 25 ** 7)));
    const polar = (a, b) => {
      const x = (1 + g) * a;
      const h = x || b ? Math.atan2(b, x) / rad : 0;
      return [Math.hypot(x, b), h < 0 ? h + 360 : h];
    };
    const [p1, h1] = polar(a1, b1), [p2, h2] = polar(a2, b2);
    let turn = p1 * p2 ? h2 - h1 : 0;
    if (turn > 180) turn -= 360; else if (turn < -180) turn += 360;
    const dh = 2 * Math.sqrt(p1 * p2) * Math.sin(rad * turn / 2);
    const l = (l1 + l2) / 2, c = (p1 + p2) / 2;
    let h = h1 + h2;
    if (p1 * p2) h = Math.abs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2;
    const t = 1 - 0.17 * Math.cos(rad * (h - 30)) + 0.24 * Math.cos(rad * 2 * h) + 0.32 * Math.cos(rad * (3 * h + 6)) - 0.2 * Math.cos(rad * (4 * h - 63));
    const x = (l2 - l1) / (1 + 0.015 * (l - 50) ** 2 / Math.sqrt(20 + (l - 50) ** 2));
    const y = (p2 - p1) / (1 + 0.045 * c), z = dh / (1 + 0.015 * c * t);
    const rt = -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * Math.sin(rad * 60 * Math.exp(-(((h - 275) / 25) ** 2)));
    return Math.sqrt(x * x + y * y + z * z + rt * y * z);
  }

  /** The mean and the 99th percentile of the differences over about 40,000 pixels. */
  function compare(one, other, isP3) {
    const all = [];
    const step = Math.max(1, Math.floor(one.length / 3 / 40000));
    for (let at = 0; at < one.length; at += 3 * step) {
      const color = (data) => [0, 1, 2].map((channel) => Math.min(Math.max(data[at + channel] / 255, 0), 1));
      all.push(difference(lab(color(one), isP3), lab(color(other), isP3)));
    }
    all.sort((a, b) => a - b);
    return { mean: all.reduce((sum, v) => sum + v, 0) / all.length, high: all[Math.floor(0.99 * all.length)], worst: all.at(-1) };
  }

  /** The encoded pixel values of a drawable, scaled down. */
  function pixels(source, size, [width, height], colorSpace) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = size;
    const context = canvas.getContext("2d", { colorSpace, willReadFrequently: true });
    context.drawImage(source, 0, 0);
    const { data } = context.getImageData(0, 0, ...size, { colorSpace });
    const across = axis(size[0], width), down = axis(size[1], height);
    const rows = new Float32Array(width * size[1] * 3), result = new Float32Array(width * height * 3);
    for (let y = 0; y < size[1]; y++) {
      for (let x = 0; x < width; x++) {
        for (const [from, weight] of across[x]) {
          for (let c = 0; c < 3; c++) rows[(y * width + x) * 3 + c] += weight * data[(y * size[0] + from) * 4 + c];
        }
      }
    }
    for (let y = 0; y < height; y++) {
      for (const [from, weight] of down[y]) {
        for (let i = 0; i < 3 * width; i++) result[y * 3 * width + i] += weight * rows[from * 3 * width + i];
      }
    }
    return result;
  }

  /** The source samples, with their weights, for each sample of a shortened axis: Lanczos's kernel with three lobes, stretched by the factor of the reduction. */
  function axis(count, fewer) {
    const step = count / fewer;
    if (step <= 1) return Array.from({ length: fewer }, (_, index) => [[Math.min(index, count - 1), 1]]);
    const sinc = (x) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
    return Array.from({ length: fewer }, (_, index) => {
      const middle = (index + 0.5) * step;
      const taps = [];
      for (let at = Math.max(0, Math.ceil(middle - 3 * step - 0.5)); at <= Math.min(count - 1, Math.floor(middle + 3 * step - 0.5)); at++) {
        const x = (at + 0.5 - middle) / step;
        taps.push([at, sinc(x) * sinc(x / 3)]);
      }
      const sum = taps.reduce((all, [, weight]) => all + weight, 0);
      return taps.map(([at, weight]) => [at, weight / sum]);
    });
  }

  async function loaded(video, url) {
    video.muted = true;
    video.src = url;
    await new Promise((resolve, reject) => { video.requestVideoFrameCallback(resolve); video.onerror = () => reject(new Error("movie: " + url)); });
  }

  const post = async (change) => {
    const { post, get } = await import("./core/api.js");
    let { job } = await post("edits", { assets: [sharp.item.id], change });
    while (!["done", "failed"].includes(job.state)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      ({ job } = await get("jobs/" + job.job));
    }
    if (job.state === "failed") throw new Error(JSON.stringify(job.results));
  };
  const fresh = async () => { const { get } = await import("./core/api.js"); sharp.item = (await get("assets/" + sharp.item.id)).asset; };

  const file = (text, type) => new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], { type });

  /**
   * Compares the page's display of an edit with its rendered file, which an independent filter scales down: `rest`, the picture that the
   * engine paints once nothing moves, pixel by pixel; `live`, the canvas, pixel by pixel; `half`, the canvas at half of its size, at which
   * 4:2:0 pictures have chroma for each pixel.
   */
  async function both(preview, parts, edit, render, query = "") {
    preview.edit(parts);
    const space = preview.gl.drawingBufferColorSpace;
    const full = [preview.canvas.width, preview.canvas.height], half = full.map((side) => Math.round(side / 2));
    const answer = await fetch(`api/1/assets/${sharp.item.id}/picture?exact=true&size=${Math.max(...full)}&edit=${encodeURIComponent(JSON.stringify(edit))}${query}`);
    if (!answer.ok) throw new Error(await answer.text());
    const painted = await createImageBitmap(await answer.blob());
    const compared = (one, size) => compare(pixels(one, [one.width, one.height], size, space), pixels(render, [render.width, render.height], size, space), space === "display-p3");
    return { rest: compared(painted, full), live: compared(preview.canvas, full), half: compared(preview.canvas, half), missing: parts.missing,
             sizes: [...full, painted.width, painted.height, render.width, render.height] };
  }

  return {
    /** Opens an asset by its name, with both halves. */
    async open(name, size) {
      const { get } = await import("./core/api.js");
      const { EditPreview } = await import("./editor/preview.js");
      const { EditTables } = await import("./editor/tables.js");
      const { assets } = await get("assets?limit=1000");
      sharp.item = assets.find((item) => item.name === name);
      sharp.size = size;
      const half = sharp.item.kind === "movie" ? "movie" : "photo";
      const { preview } = (sharp[half] = { preview: new EditPreview(document.createElement("canvas")), tables: new EditTables(sharp.item, { half, size }) });
      if (half === "movie") {
        sharp.video = document.createElement("video");
        await loaded(sharp.video, `api/1/assets/${sharp.item.id}/movie?version=base`);
        return { half, colors: preview.colors, width: sharp.video.videoWidth, height: sharp.video.videoHeight };
      }
      const picture = await fetch(`api/1/assets/${sharp.item.id}/picture?version=base&colors=p3&size=${size}`);
      const bitmap = await createImageBitmap(await picture.blob(), { colorSpaceConversion: "none" });
      preview.show(bitmap);
      return { half, colors: preview.colors, width: bitmap.width, height: bitmap.height };
    },

    /** The values of an edit that a shader receives. */
    async parts(edit) { return { missing: (await sharp.photo.tables.ask(edit, "srgb")).missing }; },

    /** Plays the movie with an edit: the number of different pictures among the drawn ones, and whether all of them were lit. */
    async play(edit, frames) {
      const { preview, tables } = sharp.movie;
      const parts = await tables.ask(edit, preview.colors);
      const seen = new Set(), indices = new Set();
      const draw = preview.draw.bind(preview);
      const done = new Promise((resolve) => {
        let count = 0;
        preview.draw = (isMoving) => {
          draw(isMoving);
          const pixels = new Uint8Array(64);
          preview.gl.readPixels(40, 40, 4, 4, preview.gl.RGBA, preview.gl.UNSIGNED_BYTE, pixels);
          seen.add(pixels.join());
          indices.add(preview.sent.index);
          if (++count === frames) resolve();
        };
      });
      preview.resize(parts.width, parts.height);
      preview.edit(parts);
      preview.show(sharp.video);
      sharp.video.loop = true;
      await sharp.video.play();
      await done;
      preview.stop();
      sharp.video.pause();
      return { pictures: seen.size, areas: indices.size, missing: parts.missing };
    },

    /** Draws an edit, loses the graphics processor, and gets it back: a few pixels before and after. */
    async lose(edit) {
      const { preview, tables } = sharp.photo;
      const parts = await tables.ask(edit, preview.colors);
      const read = () => {
        const pixels = new Uint8Array(16);
        preview.gl.readPixels(20, 20, 2, 2, preview.gl.RGBA, preview.gl.UNSIGNED_BYTE, pixels);
        return [...pixels];
      };
      preview.edit(parts);
      const before = read();
      const event = (name) => new Promise((resolve) => preview.canvas.addEventListener(name, resolve, { once: true }));
      const extension = preview.gl.getExtension("WEBGL_lose_context");
      const lost = event("webglcontextlost");
      extension.loseContext();
      await lost;
      // The graphics processor cannot be restored while its loss is being reported.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const restored = event("webglcontextrestored");
      extension.restoreContext();
      await restored;
      // Listeners run in order, so the picture has been drawn again.
      return [before, read()];
    },

    /** Renders an edit. */
    async render(edit) { await post({ type: "set", edit }); await fresh(); },

    /**
     * Compares an edit of the photo with its rendered file: a JPEG as base64, or the server's picture of it if none is given.
     * @returns the result of `both`
     */
    async photo(edit, jpeg) {
      const { preview, tables } = sharp.photo;
      const parts = await tables.ask(edit, preview.colors);
      const image = await createImageBitmap(jpeg ? file(jpeg, "image/jpeg")
        : await (await fetch(`api/1/assets/${sharp.item.id}/picture?version=current&colors=p3&size=4096`)).blob());
      const scale = Math.min(1, sharp.size / Math.max(parts.width, parts.height));
      preview.resize(scale * parts.width, scale * parts.height);
      return both(preview, parts, edit, image);
    },

    /** Compares an edit of the movie with the first frame of its rendered file: a PNG as base64, whose values are used unchanged. */
    async movie(edit, png) {
      const { preview, tables } = sharp.movie;
      const parts = await tables.ask(edit, preview.colors);
      const image = await createImageBitmap(file(png, "image/png"), { colorSpaceConversion: "none" });
      preview.resize(image.width, image.height);
      preview.show(sharp.video);
      return both(preview, parts, edit, image, "&time=0");
    },
  };
})();
