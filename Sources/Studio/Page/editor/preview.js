import { FRAGMENT, VERTEX } from "./shaders.js";

const UNITS = ["picture", "areas", "byLuma", "byLight", "table"];

/** @typedef {import("../core/types").EditParts} EditParts */

/** A canvas on which a shader draws a picture or movie with an edit. */
export class EditPreview {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, depth: false });
    if (!gl) throw new Error("WebGL 2 is missing");
    this.gl = gl;
    /** @type {EditParts|null} */
    this.parts = null;
    /** @type {ImageBitmap|HTMLVideoElement|null} */
    this.source = null;
    /**
     * The size in pixels at which the picture is drawn, except during a drag.
     * @type {number[]|null}
     */
    this.size = null;
    /** The factor by which the picture is reduced during a drag. */
    this.scale = 1;
    /** The time of the movie's frame, in seconds. */
    this.time = 0;
    /**
     * Stops following the movie.
     * @type {(() => void)|null}
     */
    this.unfollow = null;
    /**
     * The locations of the shader's uniforms.
     * @type {Record<string, WebGLUniformLocation|null>}
     */
    this.places = {};
    /**
     * The parts that are stored in the textures.
     * @type {Record<string, any>}
     */
    this.sent = {};
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => { this.prepare(); this.draw(); });
    this.prepare();
  }

  /**
   * The colour space of the canvas.
   * @returns {"p3"|"srgb"}
   */
  get colors() { return this.gl.drawingBufferColorSpace === "display-p3" ? "p3" : "srgb"; }

  /** Creates the program and the textures, initially and after the graphics processor was lost. */
  prepare() {
    const gl = this.gl;
    if ("drawingBufferColorSpace" in gl && matchMedia("(color-gamut: p3)").matches) {
      gl.drawingBufferColorSpace = "display-p3";
    }
    const program = gl.createProgram();
    if (!program) return;
    for (const [index, text] of [VERTEX, FRAGMENT].entries()) {
      const shader = gl.createShader(index ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
      if (!shader) return;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(gl.getProgramInfoLog(program) ?? "");
    }
    gl.useProgram(program);
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
    this.program = program;
    this.places = {};
    UNITS.forEach((name, unit) => {
      const target = name === "table" ? gl.TEXTURE_3D : gl.TEXTURE_2D;
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(target, gl.createTexture());
      for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R]) {
        gl.texParameteri(target, side, gl.CLAMP_TO_EDGE);
      }
      gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
      gl.uniform1i(this.at(name), unit);
    });
    this.sent = {};
  }

  /**
   * Returns the location of a uniform of the shader.
   * @param {string} name
   */
  at(name) { return (this.places[name] ??= this.program ? this.gl.getUniformLocation(this.program, name) : null); }

  /** Stops following the movie. */
  stop() {
    this.unfollow?.();
    this.unfollow = null;
  }

  /**
   * Sets the picture to draw: a bitmap in its own colours, or a movie.
   * @param {ImageBitmap|HTMLVideoElement} source
   */
  show(source) {
    this.stop();
    this.source = source;
    this.sent.picture = null;
    if (!(source instanceof HTMLVideoElement)) { this.draw(); return; }
    /** @type {VideoFrameRequestCallback} */
    const next = (_, { mediaTime }) => {
      this.sent.picture = null;
      this.time = mediaTime;
      this.draw(!source.paused);
      handle = source.requestVideoFrameCallback(next);
    };
    let handle = source.requestVideoFrameCallback(next);
    this.unfollow = () => source.cancelVideoFrameCallback(handle);
  }

  /**
   * Sets another edit.
   * @param {EditParts} parts
   * @param {boolean} [isMoving] whether to draw quickly
   */
  edit(parts, isMoving = false) {
    this.parts = parts;
    this.draw(isMoving);
  }

  /**
   * Sets the size in screen pixels at which the picture is drawn, except during a drag.
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) { this.size = [Math.max(1, Math.round(width)), Math.max(1, Math.round(height))]; }

  /** @param {boolean} [isMoving] whether to draw at a reduced size if that is faster */
  draw(isMoving = false) {
    const { gl, parts, source } = this;
    if (!parts || !source || gl.isContextLost()) return;
    if (source instanceof HTMLVideoElement && source.readyState < 2) return;
    const began = performance.now();
    const size = this.size ?? [parts.width, parts.height];
    const [width, height] = size.map((side) => Math.max(1, Math.round(side * (isMoving ? this.scale : 1))));
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    gl.viewport(0, 0, width, height);
    this.send(source, parts);
    gl.uniformMatrix3fv(this.at("place"), false, parts.place);
    // Interpolate if the pixels lie between those of the picture; otherwise the nearest pixels are exact.
    const [a, b, , c, d, , e, f] = parts.place;
    gl.uniform1i(this.at("isSharp"), !isMoving && (a * b || c * d || e || f) ? 1 : 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    if (!isMoving) return;
    // Reading a pixel waits for the drawing to finish.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    const time = performance.now() - began;
    if (time > 16) this.scale = Math.max(0.25, this.scale * 0.75);
    else if (time < 6) this.scale = Math.min(1, this.scale * 1.25);
  }

  /**
   * Uploads the textures and numbers that changed.
   * @param {ImageBitmap|HTMLVideoElement} source
   * @param {EditParts} parts
   */
  send(source, { table, light, areas, vignette }) {
    const { gl, sent } = this;
    const bind = (/** @type {string} */ name) => gl.activeTexture(gl.TEXTURE0 + UNITS.indexOf(name));
    if (sent.picture !== source) {
      bind("picture");
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, source);
      const isMovie = source instanceof HTMLVideoElement;
      if (!isMovie) gl.generateMipmap(gl.TEXTURE_2D);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, isMovie ? gl.LINEAR : gl.LINEAR_MIPMAP_LINEAR);
      sent.picture = source;
    }
    /**
     * @param {string} name the name of the texture
     * @param {object} part the part that is stored in the texture
     * @param {number[]} formats the formats of the texture and of the data
     * @param {number[]} size
     * @param {Uint16Array} data
     */
    const flat = (name, part, [format, layout], [width, height], data) => {
      if (sent[name] === part) return;
      bind(name);
      gl.texImage2D(gl.TEXTURE_2D, 0, format, width, height, 0, layout, gl.HALF_FLOAT, data);
      sent[name] = part;
    };
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 2);
    if (table.data && sent.table !== table) {
      bind("table");
      const { data, nodes } = table;
      gl.texImage3D(gl.TEXTURE_3D, 0, gl.RGB16F, nodes, nodes, nodes, 0, gl.RGB, gl.HALF_FLOAT, data);
      sent.table = table;
    }
    const hasLight = Boolean(light && areas?.data);
    if (light && areas?.data) {
      // For a movie, the latest areas before the current frame are used.
      const index = Math.max(0, areas.times.filter((time) => time <= this.time + 1e-3).length - 1);
      if (sent.index !== index) sent.areas = null;
      sent.index = index;
      const count = 4 * areas.columns * areas.rows;
      const cells = areas.data.subarray(index * count, (index + 1) * count);
      flat("areas", areas, [gl.RGBA16F, gl.RGBA], [areas.columns, areas.rows], cells);
      flat("byLight", light, [gl.RGB16F, gl.RGB], [light.lightCount, 1], light.byLight);
      flat("byLuma", light, [gl.RG16F, gl.RG], [light.lumaCount, 1], light.byLuma);
      gl.uniform2f(this.at("areaScale"), areas.across / areas.columns, areas.down / areas.rows);
      gl.uniform2fv(this.at("weights"), light.weights);
      gl.uniform1f(this.at("airlight"), areas.airlights[index]);
      gl.uniform1f(this.at("dehaze"), light.dehaze);
      gl.uniform1f(this.at("greatestLuma"), light.greatestLuma);
      gl.uniform1f(this.at("least"), light.least);
      gl.uniform1f(this.at("steps"), light.steps);
    }
    gl.uniform1i(this.at("hasTable"), table.data ? 1 : 0);
    gl.uniform1i(this.at("hasLight"), hasLight ? 1 : 0);
    gl.uniform3f(this.at("vignette"), vignette?.share ?? 0, vignette?.radius ?? 0, vignette?.width ?? 1);
    gl.uniform1i(this.at("isWhite"), vignette?.isWhite ? 1 : 0);
  }

  /** Releases all resources. */
  end() {
    this.stop();
    this.source = this.parts = null;
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}
