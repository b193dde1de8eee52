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
  // `between` has one row more than the grid. Its last row contains the column sums.
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
  // The sums before the first row, which the loop adds.
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

/// Clamps a value. NaN becomes the lower bound.
static inline float kept(float value, float low, float high) {
  return value > low ? value < high ? value : high : low;
}

WIDE void light_widen(const float *cells, const int32_t *first, const float *weight, int64_t count,
                      float *restrict result) {
  for (int64_t i = 0; i < count; i++)
    result[i] = cells[first[i]] + (cells[first[i] + 1] - cells[first[i]]) * weight[i];
}

/// The number of columns processed together, step by step, so that all steps except table look-ups can be vectorised.
enum { CHUNK = 256 };

static inline void read_codes(const LightRow *row, const void *samples, int64_t start, int count, float *restrict y) {
  const float scale = 1 / row->range, black = row->black;
  if (row->depth == 8) {
    const uint8_t *restrict bytes = (const uint8_t *)samples + start;
    for (int i = 0; i < count; i++) y[i] = ((float)bytes[i] - black) * scale;
  } else {
    const uint16_t *restrict words = (const uint16_t *)samples + start;
    for (int i = 0; i < count; i++) y[i] = ((float)words[i] - black) * scale;
  }
}

/// a * light + b, interpolated between two rows of coefficients.
static inline void lines(const float *const a[2], const float *const b[2], float weight, const float *restrict light,
                         int64_t start, int count, float *restrict result) {
  const float *restrict a0 = a[0] + start, *restrict a1 = a[1] + start;
  const float *restrict b0 = b[0] + start, *restrict b1 = b[1] + start;
  for (int i = 0; i < count; i++)
    result[i] = (a0[i] + (a1[i] - a0[i]) * weight) * light[i] + (b0[i] + (b1[i] - b0[i]) * weight);
}

static inline void places_of(const float *restrict y, int count, int *restrict places) {
  for (int i = 0; i < count; i++)
    places[i] = (int)(kept(y[i] * LIGHT_CODES + 0.5f, 0, LIGHT_CODE_COUNT - 1));
}

static inline void look_up(const float *restrict table, const int *restrict places, int count, float *restrict result) {
  for (int i = 0; i < count; i++) result[i] = table[places[i]];
}

WIDE void light_means(const LightRow *row, const void *upper, const void *lower, int across, int64_t count,
                      int64_t samples, float *restrict means) {
  const float scale = 1 / row->range, black = row->black;
  const int64_t whole = samples / across;
  if (across == 1 && upper == lower) {
    read_codes(row, upper, 0, (int)count, means);
    return;
  }
  if (row->depth == 8) {
    const uint8_t *one = upper, *other = lower;
    for (int64_t i = 0; i < whole; i++)
      means[i] = ((float)(one[2 * i] + one[2 * i + 1] + other[2 * i] + other[2 * i + 1]) * 0.25f - black) * scale;
    if (whole < count) means[whole] = ((float)(one[samples - 1] + other[samples - 1]) * 0.5f - black) * scale;
  } else {
    const uint16_t *one = upper, *other = lower;
    for (int64_t i = 0; i < whole; i++)
      means[i] = ((float)(one[2 * i] + one[2 * i + 1] + other[2 * i] + other[2 * i + 1]) * 0.25f - black) * scale;
    if (whole < count) means[whole] = ((float)(one[samples - 1] + other[samples - 1]) * 0.5f - black) * scale;
  }
}

WIDE void light_find(const LightRow *given, int64_t length, const float *means, float *scales, float *offsets,
                     float *chroma) {
  const LightRow row = *given;
  float y[CHUNK], light[CHUNK], base[CHUNK], change[CHUNK], detail[CHUNK], stretch[CHUNK], taken[CHUNK], result[CHUNK];
  int places[CHUNK];
  const float top = LIGHT_LEAST + 19.9f;
  for (int64_t start = 0; start < length; start += CHUNK) {
    const int count = length - start < CHUNK ? (int)(length - start) : CHUNK;
    for (int i = 0; i < count; i++) y[i] = means[start + i];
    places_of(y, count, places);
    look_up(row.smoothed, places, count, light);
    lines(row.a, row.b, row.weight, light, start, count, base);
    for (int i = 0; i < count; i++) {
      base[i] = kept(base[i], LIGHT_LEAST, top);
      places[i] = (int)((base[i] - LIGHT_LEAST) * LIGHT_STEPS);
    }
    look_up(row.change, places, count, change);
    if (row.detail) {
      look_up(row.detail, places, count, detail);
      for (int i = 0; i < count; i++) {
        const float apart = light[i] - base[i];
        change[i] += detail[i] * apart / (1 + (apart < 0 ? -apart : apart) * 0.5f);
      }
    }
    if (row.dehaze != 0) {
      lines(row.veil_a, row.veil_b, row.weight, light, start, count, taken);
      const float dehaze = row.dehaze, airlight = row.airlight;
      for (int i = 0; i < count; i++) {
        taken[i] = dehaze * kept(taken[i], 0, kept(y[i], 0, airlight));
        stretch[i] = 1 / (1 - taken[i] / airlight);
        y[i] = (y[i] - taken[i]) * stretch[i];
      }
    } else {
      for (int i = 0; i < count; i++) taken[i] = 0;
      for (int i = 0; i < count; i++) stretch[i] = 1;
    }
    places_of(y, count, places);
    look_up(row.light, places, count, light);
    for (int i = 0; i < count; i++) {
      const float at = (kept(light[i] + change[i], LIGHT_LEAST, top) - LIGHT_LEAST) * LIGHT_STEPS;
      places[i] = (int)at;
      change[i] = at - (float)places[i];
    }
    look_up(row.encoded, places, count, light);
    look_up(row.encoded + 1, places, count, result);
    float *restrict to = scales + start, *restrict more = offsets + start, *restrict colour = chroma + start;
    // Chroma gets only half of the stretch that removes haze. More would make colours garish.
    for (int i = 0; i < count; i++) {
      const float made = light[i] + (result[i] - light[i]) * change[i];
      const float ratio = y[i] > 0.001f ? made / (y[i] > 0.001f ? y[i] : 1) : 1;
      to[i] = ratio * stretch[i];
      more[i] = -taken[i] * ratio * stretch[i];
      colour[i] = ratio * 0.5f * (1 + stretch[i]);
    }
  }
}

static inline __attribute__((always_inline)) void change_luma(const LightRow *row, const float *restrict scales,
                                                              const float *restrict offsets, int across, int64_t count,
                                                              void *samples, int depth) {
  const float range = row->range, black = row->black, low = (float)row->least, high = (float)row->greatest;
  uint8_t *restrict bytes = samples;
  uint16_t *restrict words = samples;
  for (int64_t i = 0; i < count; i++) {
    const float shift = black - black * scales[i] + offsets[i] * range + 0.5f;
    for (int column = 0; column < across; column++) {
      const int64_t place = i * across + column;
      const float code = depth == 8 ? (float)bytes[place] : (float)words[place];
      const int result = (int)kept(code * scales[i] + shift, low, high + 0.5f);
      if (depth == 8) bytes[place] = (uint8_t)result;
      else words[place] = (uint16_t)result;
    }
  }
}

WIDE void light_change_luma(const LightRow *given, const float *scales, const float *offsets, int across, int64_t count,
                            void *samples) {
  const LightRow row = *given;
  const int64_t whole = count / across;
  if (row.depth == 8 && across == 2) change_luma(&row, scales, offsets, 2, whole, samples, 8);
  else if (row.depth == 8) change_luma(&row, scales, offsets, 1, whole, samples, 8);
  else if (across == 2) change_luma(&row, scales, offsets, 2, whole, samples, 16);
  else change_luma(&row, scales, offsets, 1, whole, samples, 16);
  if (whole * across < count) {
    uint8_t *last = (uint8_t *)samples + (count - 1) * (row.depth == 8 ? 1 : 2);
    change_luma(&row, scales + whole, offsets + whole, 1, 1, last, row.depth);
  }
}

static inline __attribute__((always_inline)) void change_chroma(const LightRow *row, const float *restrict factors,
                                                                int64_t count, void *samples, int depth) {
  const float middle = (float)(128 << (row->depth - 8)), low = (float)row->least, high = (float)row->greatest;
  uint8_t *restrict bytes = samples;
  uint16_t *restrict words = samples;
  for (int64_t i = 0; i < count; i++) {
    const float code = depth == 8 ? (float)bytes[i] : (float)words[i];
    const int result = (int)(kept(middle + (code - middle) * factors[i], low, high) + 0.5f);
    if (depth == 8) bytes[i] = (uint8_t)result;
    else words[i] = (uint16_t)result;
  }
}

WIDE void light_change_chroma(const LightRow *given, const float *factors, int64_t means, int64_t count, void *samples) {
  const LightRow row = *given;
  if (means == count) {
    if (row.depth == 8) change_chroma(&row, factors, count, samples, 8);
    else change_chroma(&row, factors, count, samples, 16);
    return;
  }
  float chosen[CHUNK];
  const int64_t size = row.depth == 8 ? 1 : 2;
  for (int64_t start = 0; start < count; start += CHUNK) {
    const int part = count - start < CHUNK ? (int)(count - start) : CHUNK;
    for (int i = 0; i < part; i++) chosen[i] = factors[(start + i) * means / count];
    if (size == 1) change_chroma(&row, chosen, part, (uint8_t *)samples + start, 8);
    else change_chroma(&row, chosen, part, (uint8_t *)samples + start * 2, 16);
  }
}

WIDE void light_add(const void *samples, int64_t length, int depth, float black, float range, const float *table,
                    float *restrict sums) {
  const LightRow row = {.black = black, .range = range, .depth = depth};
  float y[CHUNK], light[CHUNK];
  int places[CHUNK];
  for (int64_t start = 0; start < length; start += CHUNK) {
    const int count = length - start < CHUNK ? (int)(length - start) : CHUNK;
    read_codes(&row, samples, start, count, y);
    places_of(y, count, places);
    look_up(table, places, count, light);
    for (int i = 0; i < count; i++) sums[start + i] += light[i];
  }
}
