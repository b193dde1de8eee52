/** A canvas that shows a picture, or a playing movie, with an edit: what the engine says of it, in a shader. */

const VERTEX = `#version 300 es
out vec2 at;
void main() {
  at = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(at.x * 2. - 1., 1. - at.y * 2., 0., 1.);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler3D;
in vec2 at;
out vec4 result;
uniform mat3 place;
uniform sampler2D picture, areas, byLuma, byLight;
uniform sampler3D table;
uniform bool isSharp, hasTable, hasLight, isWhite;
uniform vec2 areaScale, weights;
uniform float airlight, dehaze, greatestLuma, least, steps;
uniform vec3 vignette;

// Cubic convolution (Keys 1981, a = -1/2), as renders do it.
vec4 cubic(float t) {
  return vec4(((2. - t) * t - 1.) * t, (3. * t - 5.) * t * t + 2., ((4. - 3. * t) * t + 1.) * t, (t - 1.) * t * t) / 2.;
}
vec3 seen(vec2 p) {
  ivec2 last = textureSize(picture, 0) - 1;
  vec2 texels = p * vec2(last + 1) - .5, reach = fwidth(texels);
  if (!isSharp || max(reach.x, reach.y) > 1.3) return texture(picture, p).rgb;
  vec4 across = cubic(fract(texels.x)), down = cubic(fract(texels.y));
  ivec2 first = ivec2(floor(texels)) - 1;
  vec3 sum = vec3(0);
  for (int i = 0; i < 16; i++) {
    ivec2 tap = ivec2(i & 3, i >> 2);
    sum += across[tap.x] * down[tap.y] * texelFetch(picture, clamp(first + tap, ivec2(0), last), 0).rgb;
  }
  return clamp(sum, 0., 1.);
}

vec2 lumaEntry(float y) {
  float count = float(textureSize(byLuma, 0).x);
  return texture(byLuma, vec2((clamp(y / greatestLuma, 0., 1.) * (count - 1.) + .5) / count, .5)).rg;
}
vec3 lightEntry(float light) {
  float x = (clamp(light, least, least + 19.9) - least) * steps / float(textureSize(byLight, 0).x);
  return texture(byLight, vec2(x, .5)).rgb;
}
// Light by areas: light_find of the engine's local_light.c.
vec3 lit(vec3 color) {
  float y = dot(color, vec3(weights.x, 1. - weights.x - weights.y, weights.y));
  vec4 area = texture(areas, at * areaScale);
  float light = lumaEntry(y).x;
  float base = area.x * light + area.y;
  vec3 entry = lightEntry(base);
  float apart = light - clamp(base, least, least + 19.9);
  float change = entry.x + entry.y * apart / (1. + abs(apart) * .5);
  float taken = dehaze == 0. ? 0. : dehaze * clamp(area.z * light + area.w, 0., clamp(y, 0., airlight));
  float stretch = 1. / (1. - taken / airlight);
  float clear = (y - taken) * stretch;
  float made = lightEntry(lumaEntry(clear).y + change).z;
  float ratio = clear > .001 ? made / clear : 1.;
  float luma = clamp((y - taken) * ratio * stretch, 0., 1.);
  return luma + (color - y) * ratio * .5 * (1. + stretch);
}

// The table between its nodes: along the edges of a cell, the axis with the greatest part first.
vec3 colored(vec3 color) {
  // The first node but one is at 0, the last but one at 1. Codes beyond count as the nearest luma within, as in
  // renders.
  int last = textureSize(table, 0).x - 1;
  float margin = 1. / float(last - 2);
  color += max(-margin - min(color.r, min(color.g, color.b)), 0.);
  color -= max(max(color.r, max(color.g, color.b)) - 1. - margin, 0.);
  vec3 p = clamp((color + margin) / margin, 0., float(last));
  ivec3 cell = min(ivec3(p), last - 1);
  vec3 f = p - vec3(cell);
  // Of equal parts any order gives the same.
  ivec3 first = f.x >= f.y && f.x >= f.z ? ivec3(1, 0, 0) : f.y >= f.z ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
  ivec3 low = f.z <= f.x && f.z <= f.y && first.z == 0 ? ivec3(0, 0, 1)
    : f.y <= f.x && first.y == 0 ? ivec3(0, 1, 0) : ivec3(1, 0, 0);
  float a = max(f.x, max(f.y, f.z)), c = min(f.x, min(f.y, f.z)), b = f.x + f.y + f.z - a - c;
  return texelFetch(table, cell, 0).rgb * (1. - a) + texelFetch(table, cell + first, 0).rgb * (a - b)
    + texelFetch(table, cell + 1 - low, 0).rgb * (b - c) + texelFetch(table, cell + 1, 0).rgb * c;
}

void main() {
  vec3 from = vec3(at, 1.) * place;
  vec3 color = seen(from.xy / from.z);
  if (hasLight) color = lit(color);
  if (hasTable) color = colored(color);
  if (vignette.x > 0.) {
    vec2 d = 2. * at - 1.;
    float t = clamp((sqrt(dot(d, d) / 2.) - vignette.y) / vignette.z + .5, 0., 1.);
    color = mix(clamp(color, 0., 1.), vec3(isWhite), vignette.x * t * t * (3. - 2. * t));
  }
  result = vec4(color, 1.);
}`;

const UNITS = ["picture", "areas", "byLuma", "byLight", "table"];

/** @typedef {import("../core/types").EditParts} EditParts */

/** A canvas on which a shader draws a picture, or a movie, with an edit. */
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
    /** The size at which the picture is drawn when nothing moves, in pixels. @type {number[]|null} */
    this.size = null;
    /** How much smaller the picture is drawn while something moves. */
    this.scale = 1;
    /** The time of the movie's frame, in seconds. */
    this.time = 0;
    /** Ends to follow the movie. @type {(() => void)|null} */
    this.unfollow = null;
    /** The places of the shader's uniforms. @type {Record<string, WebGLUniformLocation|null>} */
    this.places = {};
    /** The parts that the textures hold. @type {Record<string, any>} */
    this.sent = {};
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => { this.prepare(); this.draw(); });
    this.prepare();
  }

  /**
   * The colours of the canvas.
   * @returns {"p3"|"srgb"}
   */
  get colors() { return this.gl.drawingBufferColorSpace === "display-p3" ? "p3" : "srgb"; }

  /** Makes the program and the textures, at first and when the graphics processor was lost. */
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
   * The place of a uniform of the shader.
   * @param {string} name
   */
  at(name) { return (this.places[name] ??= this.program ? this.gl.getUniformLocation(this.program, name) : null); }

  /** Follows the movie no more. */
  stop() {
    this.unfollow?.();
    this.unfollow = null;
  }

  /**
   * Sets what is drawn: the bitmap of a picture in its own colours, or a movie.
   * @param {ImageBitmap|HTMLVideoElement} source
   */
  show(source) {
    this.stop();
    this.source = source;
    this.sent.picture = null;
    if (!(source instanceof HTMLVideoElement)) { this.draw(); return; }
    const next = (now, { mediaTime }) => {
      this.sent.picture = null;
      this.time = mediaTime;
      this.draw(!source.paused);
      handle = source.requestVideoFrameCallback(next);
    };
    let handle = source.requestVideoFrameCallback(next);
    this.unfollow = () => source.cancelVideoFrameCallback(handle);
  }

  /**
   * Takes another edit.
   * @param {EditParts} parts
   * @param {boolean} [isMoving] whether it is to be drawn quickly
   */
  edit(parts, isMoving = false) {
    this.parts = parts;
    this.draw(isMoving);
  }

  /**
   * Sets the size at which the picture is drawn when nothing moves, in pixels of the screen.
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) { this.size = [Math.max(1, Math.round(width)), Math.max(1, Math.round(height))]; }

  /** @param {boolean} [isMoving] draws it smaller, where that is quicker */
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
    // Where pixels lie between those of the picture; else the nearest ones are those that are wanted.
    const [a, b, , c, d, , e, f] = parts.place;
    gl.uniform1i(this.at("isSharp"), !isMoving && (a * b || c * d || e || f) ? 1 : 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    if (!isMoving) return;
    // What is read waits for what is drawn.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    const time = performance.now() - began;
    if (time > 16) this.scale = Math.max(0.25, this.scale * 0.75);
    else if (time < 6) this.scale = Math.min(1, this.scale * 1.25);
  }

  /**
   * Sends the textures and numbers that changed.
   * @param {ImageBitmap|HTMLVideoElement} source
   * @param {EditParts} parts
   */
  send(source, { table, light, areas, vignette }) {
    const { gl, sent } = this;
    const bind = (name) => gl.activeTexture(gl.TEXTURE0 + UNITS.indexOf(name));
    if (sent.picture !== source) {
      bind("picture");
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, source);
      const isMovie = source instanceof HTMLVideoElement;
      if (!isMovie) gl.generateMipmap(gl.TEXTURE_2D);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, isMovie ? gl.LINEAR : gl.LINEAR_MIPMAP_LINEAR);
      sent.picture = source;
    }
    const flat = (name, part, format, layout, width, height, data) => {
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
      // Of a movie, the areas of the frame before that have been found.
      const index = Math.max(0, areas.times.filter((time) => time <= this.time + 1e-3).length - 1);
      if (sent.index !== index) sent.areas = null;
      sent.index = index;
      const count = 4 * areas.columns * areas.rows;
      const cells = areas.data.subarray(index * count, (index + 1) * count);
      flat("areas", areas, gl.RGBA16F, gl.RGBA, areas.columns, areas.rows, cells);
      flat("byLight", light, gl.RGB16F, gl.RGB, light.lightCount, 1, light.byLight);
      flat("byLuma", light, gl.RG16F, gl.RG, light.lumaCount, 1, light.byLuma);
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

  /** Lets go of everything. */
  end() {
    this.stop();
    this.source = this.parts = null;
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}
