/** The shaders that draw an edit. */

/** Draws one triangle that covers the canvas. */
export const VERTEX = `#version 300 es
out vec2 at;
void main() {
  at = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(at.x * 2. - 1., 1. - at.y * 2., 0., 1.);
}`;

/** Draws the picture with an edit, as `table` in Documentation/HTTP.md describes. */
export const FRAGMENT = `#version 300 es
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

// Cubic convolution (Keys 1981, a = -1/2), as in renders.
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
// Local light: light_find in the engine's local_light.c.
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

// Interpolates the table between its nodes along the edges of a cell, starting with the axis of the largest fraction.
vec3 colored(vec3 color) {
  // The second node is at 0, the second to last at 1. Codes outside this range use the nearest luma inside it, as in
  // renders.
  int last = textureSize(table, 0).x - 1;
  float margin = 1. / float(last - 2);
  color += max(-margin - min(color.r, min(color.g, color.b)), 0.);
  color -= max(max(color.r, max(color.g, color.b)) - 1. - margin, 0.);
  vec3 p = clamp((color + margin) / margin, 0., float(last));
  ivec3 cell = min(ivec3(p), last - 1);
  vec3 f = p - vec3(cell);
  // For equal fractions, every order gives the same result.
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
