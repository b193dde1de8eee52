#include "check.h"
#include "resample.h"

// Compares interpolation along arbitrary maps with sums in double precision over the same kernels.

enum { WIDTH = 83, HEIGHT = 61, COUNT = 150 };

static double cubic(double t) { // the Catmull–Rom cubic
  t = fabs(t);
  return t < 1 ? 1.5 * t * t * t - 2.5 * t * t + 1 : t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 : 0;
}

/// The weights of a kernel at a phase, with the sum 1 << 14.
static void make_weights(int16_t *weights, int taps, double stretch, double phase) {
  double sum = 0;
  int all = 0, middle = taps / 2 - 1;
  for (int k = 0; k < taps; k++) sum += cubic((k - middle - phase) / stretch);
  for (int k = 0; k < taps; k++) all += weights[k] = (int16_t)lround(cubic((k - middle - phase) / stretch) / sum * 16384);
  weights[phase < 0.5 ? middle : middle + 1] += (int16_t)(16384 - all);
}

static int taps_of(int level) { return level ? 2 * ((5 + level) / 2) : RESAMPLE_TAPS; }

static const int16_t *kernel_at(const resample_source *s, int level, int phase) {
  return level ? s->wide + ((level - 1) * RESAMPLE_PHASES + phase) * RESAMPLE_MOST_TAPS : s->weights + phase * RESAMPLE_TAPS;
}

static double wanted(const resample_source *s, int32_t x, int32_t y, int across, int down) {
  const int16_t *wx = kernel_at(s, across, x & 255), *wy = kernel_at(s, down, y & 255);
  double sum = 0;
  for (int j = 0; j < taps_of(down); j++)
    for (int k = 0; k < taps_of(across); k++) {
      const int64_t row = (int64_t)within((y >> 8) - (taps_of(down) / 2 - 1) + j, 0, s->height - 1);
      const int64_t column = (int64_t)within((x >> 8) - (taps_of(across) / 2 - 1) + k, 0, s->width - 1);
      sum += (double)wy[j] * wx[k] * code_at((const uint8_t *)s->samples + row * s->stride, column, s->depth);
    }
  return sum / (16384.0 * 16384.0);
}

/// A position in 1/256 of a sample; a value that is not a number counts as the lowest position before the plane.
static int32_t place(double at, int64_t size) {
  if (isnan(at)) at = -8;
  return (int32_t)floor(within(at + 8, 0, (double)size + 16) * 256 + 0.5) - 8 * 256;
}

/// The factor, in quarters, by which a kernel is stretched if samples are this far apart.
static int stretched(double apart) { return (int)within(floor((apart - 1) * 4 + 0.5), 0, RESAMPLE_LEVELS); }

static void test_map(resample_source *s, const double *map, int is_plain) {
  uint16_t result[COUNT];
  memcpy(s->x, map, sizeof s->x);
  memcpy(s->y, map + 3, sizeof s->y);
  memcpy(s->w, map + 6, sizeof s->w);
  for (int64_t row = 0; row < HEIGHT; row += 7) {
    (is_plain ? resample_row_plain : resample_row)(s, row, COUNT, result);
    for (int64_t i = 0; i < COUNT; i++) {
      const double w = map[6] * (double)i + map[7] * (double)row + map[8], is_wide = map[6] != 0 || map[7] != 0;
      const double x = (map[0] * (double)i + map[1] * (double)row + map[2]) / (is_wide ? w : 1);
      const double y = (map[3] * (double)i + map[4] * (double)row + map[5]) / (is_wide ? w : 1);
      // Kernels are chosen for 64 columns at a time, by the column in their middle.
      const int64_t first = i / 64 * 64, length = COUNT - first < 64 ? COUNT - first : 64;
      const double column = (double)(first + length / 2), part = 1 / (map[6] * column + map[7] * (double)row + map[8]);
      const double mx = (map[0] * column + map[1] * (double)row + map[2]) * part;
      const double my = (map[3] * column + map[4] * (double)row + map[5]) * part;
      const double apart_x = hypot(map[0] - mx * map[6], map[1] - mx * map[7]) * part;
      const double apart_y = hypot(map[3] - my * map[6], map[4] - my * map[7]) * part;
      coded(code_at(result, i, s->depth),
            wanted(s, place(x, s->width), place(y, s->height), is_wide ? stretched(apart_x) : 0, is_wide ? stretched(apart_y) : 0),
            s->depth == 8 ? 0.1 : 0.6, 0, (1 << s->depth) - 1);
    }
  }
}

void test_geometry(void) {
  static int16_t weights[RESAMPLE_PHASES * RESAMPLE_TAPS], wide[RESAMPLE_LEVELS * RESAMPLE_PHASES * RESAMPLE_MOST_TAPS];
  static uint16_t samples[WIDTH * HEIGHT];
  for (int phase = 0; phase < RESAMPLE_PHASES; phase++) {
    make_weights(weights + phase * RESAMPLE_TAPS, RESAMPLE_TAPS, 1, phase / 256.0);
    for (int level = 1; level <= RESAMPLE_LEVELS; level++)
      make_weights(wide + ((level - 1) * RESAMPLE_PHASES + phase) * RESAMPLE_MOST_TAPS, taps_of(level), 1 + level / 4.0, phase / 256.0);
  }
  const double maps[][9] = {
      {1, 0, 0, 0, 1, 0, 0, 0, 1},                                         // unchanged
      {0.98, 0.11, -9.3, -0.11, 0.98, 7.7, 0, 0, 1},                       // rotated, partly outside the plane
      {0.4, 0, 3.21, 0, 0.4, 1.23, 0, 0, 1},                               // enlarged
      {0.9, 0.05, -2, 0.02, 1.1, -3, 0.004, 0.001, 1},                     // with perspective
      {2.1, 0.05, -2, 0.02, 1.9, -3, 0.001, 0.002, 1},                     // with perspective, much smaller: stretched kernels
      {1, 0, NAN, 0, 1, 0, 0, 0, 1},                                       // not numbers
  };
  for (int is_plain = 0; is_plain < 2; is_plain++) {
    kernel(is_plain ? "resample_row_plain" : "resample_row");
    for (int depth = 8; depth <= 12; depth++) {
      fill_codes(samples, WIDTH * HEIGHT, depth);
      resample_source source = {samples, WIDTH * (depth == 8 ? 1 : 2), WIDTH, HEIGHT, depth, weights, wide, {0}, {0}, {0}};
      for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) test_map(&source, maps[k], is_plain);
    }
  }
}
