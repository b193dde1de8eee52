#include "local_light.h"
#include "wide.h"

#pragma STDC FP_CONTRACT OFF

static inline void add_row(float *restrict sums, const float *restrict row, float factor, int64_t count) {
  for (int64_t i = 0; i < count; i++) sums[i] += row[i] * factor;
}

static inline void move_rows(float *restrict sums, const float *restrict in, const float *restrict out, float share,
                           float *restrict result, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    sums[i] += in[i] - out[i];
    result[i] = sums[i] * share;
  }
}

WIDE void grid_box(const float *cells, int64_t width, int64_t height, int radius, float *between, float *result) {
  const float share = 1.0f / (float)(2 * radius + 1);
  // The last row of `between`, which is one longer than the grid, holds the sums by columns.
  for (int64_t y = 0; y < height; y++) {
    const float *row = cells + y * width;
    float *to = between + y * width;
    double sum = row[0] * (double)(radius + 1);
    for (int64_t x = 1; x <= radius; x++) sum += row[x < width ? x : width - 1];
    for (int64_t x = 0; x < width; x++) {
      to[x] = (float)sum * share;
      const int64_t in = x + radius + 1, out = x - radius;
      sum += row[in < width ? in : width - 1] - row[out > 0 ? out : 0];
    }
  }
  float *sums = between + height * width;
  for (int64_t x = 0; x < width; x++) sums[x] = 0;
  // The sums before the first row: it is moved in by the loop.
  add_row(sums, between, (float)(radius + 1), width);
  for (int64_t y = 0; y < radius; y++) add_row(sums, between + (y < height ? y : height - 1) * width, 1, width);
  for (int64_t y = 0; y < height; y++) {
    const int64_t in = y + radius, out = y - radius - 1;
    move_rows(sums, between + (in < height ? in : height - 1) * width, between + (out > 0 ? out : 0) * width, share,
              result + y * width, width);
  }
}

WIDE void grid_coefficients(const float *restrict g, const float *restrict s, const float *restrict gg,
                            const float *restrict gs, float epsilon, int64_t count, float *restrict a,
                            float *restrict b) {
  for (int64_t i = 0; i < count; i++) {
    const float variance = gg[i] - g[i] * g[i];
    a[i] = (gs[i] - g[i] * s[i]) / ((variance > 0 ? variance : 0) + epsilon);
    b[i] = s[i] - a[i] * g[i];
  }
}

WIDE void grid_product(const float *one, const float *other, int64_t count, float *restrict result) {
  for (int64_t i = 0; i < count; i++) result[i] = one[i] * other[i];
}

WIDE void grid_line(const float *restrict a, const float *g, const float *restrict b, int64_t count, float *result) {
  for (int64_t i = 0; i < count; i++) result[i] = a[i] * g[i] + b[i];
}

static inline int place_of(float y) {
  const int place = (int)(y * LIGHT_CODES + 0.5f);
  return place < 0 ? 0 : place < LIGHT_CODE_COUNT ? place : LIGHT_CODE_COUNT - 1;
}

WIDE void light_add(const void *samples, int64_t count, int depth, float black, float range, const float *table,
                    float *sums) {
  const float scale = 1 / range;
  const uint8_t *bytes = samples;
  const uint16_t *words = samples;
  if (depth == 8)
    for (int64_t i = 0; i < count; i++) sums[i] += table[place_of(((float)bytes[i] - black) * scale)];
  else
    for (int64_t i = 0; i < count; i++) sums[i] += table[place_of(((float)words[i] - black) * scale)];
}

static inline float between(const float *cells, int32_t first, float share) {
  return cells[first] + (cells[first + 1] - cells[first]) * share;
}

/// Not a number is the least.
static inline float kept(float value, float low, float high) { return value > low ? value < high ? value : high : low; }

/// The code after the change, not yet rounded.
static inline float changed(const LightRow *row, int64_t i, float code, float scale, float *factor) {
  const int32_t first = row->first[i];
  const float share = row->weight[i];
  float y = (code - row->black) * scale;
  const float before = y;
  float smoothed = row->smoothed[place_of(y)];
  const float base = between(row->a, first, share) * smoothed + between(row->b, first, share);
  float stretch = 1;
  if (row->dehaze != 0) {
    const float veil = between(row->veil_a, first, share) * smoothed + between(row->veil_b, first, share);
    const float taken = row->dehaze * kept(veil, 0, kept(y, 0, row->airlight));
    stretch = 1 / (1 - taken / row->airlight);
    y = (y - taken) * stretch;
  }
  const int place = (int)((kept(base, LIGHT_LEAST, LIGHT_LEAST + 19.9f) - LIGHT_LEAST) * LIGHT_STEPS);
  const float apart = smoothed - base;
  const float detail = row->detail[place] * apart / (1 + (apart < 0 ? -apart : apart) * 0.5f);
  const float light = row->light[place_of(y)] + row->change[place] + detail;
  const float at = (kept(light, LIGHT_LEAST, LIGHT_LEAST + 19.9f) - LIGHT_LEAST) * LIGHT_STEPS;
  const int step = (int)at;
  float result = row->encoded[step] + (row->encoded[step + 1] - row->encoded[step]) * (at - (float)step);
  if (y <= 0) result = y;
  // A code more on both sides, so that near black the ratio is one.
  const float unit = 1.0f / 256;
  // Colours get half of what haze leaves: more would be gaudy.
  *factor = before > -unit ? 0.5f * (1 + stretch) * (result + unit) / ((y > 0 ? y : 0) + unit) : 1;
  return row->black + result * row->range;
}

WIDE void light_apply(const LightRow *row, int64_t count, void *samples, float *factors) {
  const float scale = 1 / row->range, low = (float)row->least, high = (float)row->greatest;
  uint8_t *bytes = samples;
  uint16_t *words = samples;
  if (row->depth == 8)
    for (int64_t i = 0; i < count; i++)
      bytes[i] = (uint8_t)(kept(changed(row, i, (float)bytes[i], scale, factors + i), low, high) + 0.5f);
  else
    for (int64_t i = 0; i < count; i++)
      words[i] = (uint16_t)(kept(changed(row, i, (float)words[i], scale, factors + i), low, high) + 0.5f);
}

void light_apply_chroma(const float *const *factors, int across, int down, int64_t count, int64_t luma_count, int depth,
                        int least, int greatest, void *samples) {
  const float middle = (float)(128 << (depth - 8)), low = (float)least, high = (float)greatest;
  const float share = 1.0f / (float)(across * down);
  uint8_t *bytes = samples;
  uint16_t *words = samples;
  for (int64_t i = 0; i < count; i++) {
    float factor = 0;
    for (int row = 0; row < down; row++)
      for (int column = 0; column < across; column++) {
        const int64_t place = i * across + column;
        factor += factors[row][place < luma_count ? place : luma_count - 1];
      }
    const float code = depth == 8 ? (float)bytes[i] : (float)words[i];
    const float result = kept(middle + (code - middle) * factor * share, low, high) + 0.5f;
    if (depth == 8) bytes[i] = (uint8_t)result;
    else words[i] = (uint16_t)result;
  }
}
