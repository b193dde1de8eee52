#include "block_transform.h"
#include "wide.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))
// A squared coefficient is dropped below 0.3 times its limit, which is also a square, and kept completely from 2.2 times.
static const float RAMP = 1 / 1.9f, START = 0.3f / 1.9f;
enum { LANES = BLOCK_LANES, SIDE = 8, ALL = 64, BANDS = 9 };

// The transform in the form of Arai, Agui and Nakajima (Transactions of the IEICE E71, 1988). Over both axes, coefficients
// are scaled by 8 times the product of the factors a(k) of each axis, with a(0) = 1 and a(k) = sqrt(2) cos(k pi / 16). The
// inverse transform returns 64 times the samples.
static const double FACTORS[SIDE] = {1,           1.3870398453, 1.3065629649, 1.1758756024,
                                     1,           0.7856949583, 0.5411961001, 0.2758993792};

// The rounded length of (column, row), at most 9.
static const int8_t BAND[ALL] = {
    0, 1, 2, 3, 4, 5, 6, 7, 1, 1, 2, 3, 4, 5, 6, 7, 2, 2, 3, 4, 4, 5, 6, 7, 3, 3, 4, 4, 5, 6, 7, 8,
    4, 4, 4, 5, 6, 6, 7, 8, 5, 5, 5, 6, 6, 7, 8, 9, 6, 6, 6, 7, 7, 8, 8, 9, 7, 7, 7, 8, 8, 9, 9, 9,
};

/// Transforms eight numbers to coefficients, in place.
INLINE void forward(float *a) {
  const float p0 = a[0] + a[7], p1 = a[1] + a[6], p2 = a[2] + a[5], p3 = a[3] + a[4];
  const float m0 = a[0] - a[7], m1 = a[1] - a[6], m2 = a[2] - a[5], m3 = a[3] - a[4];
  const float e0 = p0 + p3, e1 = p1 + p2, e2 = p1 - p2, e3 = p0 - p3;
  const float z1 = (e2 + e3) * 0.70710678f;
  const float o0 = m3 + m2, o1 = m2 + m1, o2 = m1 + m0;
  const float z5 = (o0 - o2) * 0.38268343f;
  const float z2 = 0.54119610f * o0 + z5, z4 = 1.30656296f * o2 + z5, z3 = o1 * 0.70710678f;
  const float z11 = m0 + z3, z13 = m0 - z3;
  a[0] = e0 + e1;
  a[1] = z11 + z4;
  a[2] = e3 + z1;
  a[3] = z13 - z2;
  a[4] = e0 - e1;
  a[5] = z13 + z2;
  a[6] = e3 - z1;
  a[7] = z11 - z4;
}

INLINE void inverse(float *a) {
  const float e0 = a[0] + a[4], e1 = a[0] - a[4], e3 = a[2] + a[6];
  const float e2 = (a[2] - a[6]) * 1.41421356f - e3;
  const float p0 = e0 + e3, p1 = e1 + e2, p2 = e1 - e2, p3 = e0 - e3;
  const float z13 = a[5] + a[3], z10 = a[5] - a[3], z11 = a[1] + a[7], z12 = a[1] - a[7];
  const float z5 = (z10 + z12) * 1.84775907f;
  const float m0 = z11 + z13;
  const float m1 = z5 - z10 * 2.61312593f - m0;
  const float m2 = (z11 - z13) * 1.41421356f - m1;
  const float m3 = z5 - z12 * 1.08239220f - m2;
  a[0] = p0 + m0;
  a[1] = p1 + m1;
  a[2] = p2 + m2;
  a[3] = p3 + m3;
  a[4] = p3 - m3;
  a[5] = p2 - m2;
  a[6] = p1 - m1;
  a[7] = p0 - m0;
}

/// Transforms the columns. Every column belongs to several blocks but is transformed only once.
INLINE void transform_columns(const float *const *rows, int64_t count, float *frequencies) {
  for (int64_t i = 0; i < count; i++) {
    float a[SIDE];
    for (int r = 0; r < SIDE; r++) a[r] = rows[r][i];
    forward(a);
    for (int r = 0; r < SIDE; r++) frequencies[r * count + i] = a[r];
  }
}

INLINE void begin(const BlockRows *blocks) {
  const int64_t count = blocks->phase * blocks->step;
  transform_columns(blocks->rows, count, blocks->frequencies);
  memset(blocks->changed, 0, sizeof(float) * (size_t)(SIDE * count));
}

INLINE void restore_columns(const BlockRows *blocks) {
  const int64_t count = blocks->phase * blocks->step;
  for (int64_t i = 0; i < count; i++) {
    float a[SIDE];
    for (int r = 0; r < SIDE; r++) a[r] = blocks->changed[r * count + i];
    inverse(a);
    for (int r = 0; r < SIDE; r++) blocks->sums[r][i] += a[r];
  }
}

/// Transforms the rows of the blocks, beginning with block i.
INLINE void transform_rows(const float *frequencies, int64_t phase, int step, int64_t i, float *b) {
  for (int r = 0; r < SIDE; r++) {
    const float *from = frequencies + r * phase * step + i;
    for (int t = 0; t < LANES; t++) {
      float a[SIDE];
      for (int c = 0; c < SIDE; c++) a[c] = from[(c % step) * phase + c / step + t];
      forward(a);
      for (int c = 0; c < SIDE; c++) b[(r * SIDE + c) * LANES + t] = a[c];
    }
  }
}

INLINE void restore_rows(const BlockRows *blocks, int step, int64_t i, const float *b, const float *weights) {
  for (int r = 0; r < SIDE; r++) {
    float *to = blocks->changed + r * blocks->phase * step + i;
    float d[SIDE * LANES];
    for (int t = 0; t < LANES; t++) {
      float a[SIDE];
      for (int c = 0; c < SIDE; c++) a[c] = b[(r * SIDE + c) * LANES + t];
      inverse(a);
      for (int c = 0; c < SIDE; c++) d[c * LANES + t] = a[c] * weights[t];
    }
    for (int c = 0; c < SIDE; c++) {
      float *at = to + (c % step) * blocks->phase + c / step;
      for (int t = 0; t < LANES; t++) at[t] += d[c * LANES + t];
    }
  }
}

/// Returns the fraction of a coefficient to keep, given its square as a multiple of the limit.
INLINE float kept(float square) {
  const float share = square * RAMP - START;
  const float least = share < 0 ? 0 : share;
  return least > 1 ? 1 : least;
}

INLINE void shrink(const BlockRows *blocks, int step, int64_t count, const float *limits, const float *scales,
                   float *weights) {
  float inverted[ALL];
  for (int k = 0; k < ALL; k++) inverted[k] = 1 / limits[k];
  begin(blocks);
  for (int64_t i = 0; i < count; i += LANES) {
    float b[ALL * LANES], scale[LANES], sum[LANES], weight[LANES];
    transform_rows(blocks->frequencies, blocks->phase, step, i, b);
    for (int t = 0; t < LANES; t++) scale[t] = 1 / scales[i + t];
    for (int t = 0; t < LANES; t++) sum[t] = 1;
    for (int k = 1; k < ALL; k++) {
      const float limit = inverted[k];
      float *c = b + k * LANES;
      for (int t = 0; t < LANES; t++) {
        const float share = kept(c[t] * c[t] * (limit * scale[t]));
        c[t] *= share;
        sum[t] += share * share;
      }
    }
    for (int t = 0; t < LANES; t++) weights[i + t] = 1 / sum[t];
    for (int t = 0; t < LANES; t++) weight[t] = weights[i + t] * (1.0f / ALL);
    restore_rows(blocks, step, i, b, weight);
  }
  restore_columns(blocks);
}

WIDE void block_shrink(const BlockRows *blocks, int64_t count, const float *limits, const float *scales,
                       float *weights) {
  if (blocks->step == 4)
    shrink(blocks, 4, count, limits, scales, weights);
  else
    shrink(blocks, 2, count, limits, scales, weights);
}

WIDE void block_merge(const BlockRows *blocks, int64_t count, const float *limits, const float *scales,
                      const float *gains, float *shares) {
  enum { STEP = 4 };
  float inverted[ALL], weight[LANES];
  for (int k = 0; k < ALL; k++) inverted[k] = 1 / limits[k];
  // Every sample belongs to four blocks.
  for (int t = 0; t < LANES; t++) weight[t] = 1.0f / (4 * ALL);
  begin(blocks);
  for (int64_t i = 0; i < count; i += LANES) {
    float b[ALL * LANES], scale[LANES], gain[LANES], sum[LANES];
    transform_rows(blocks->frequencies, blocks->phase, STEP, i, b);
    for (int t = 0; t < LANES; t++) {
      scale[t] = 1 / scales[i + t];
      gain[t] = gains[i + t];
      sum[t] = 0;
    }
    for (int k = 0; k < ALL; k++) {
      const float limit = inverted[k];
      float *c = b + k * LANES;
      for (int t = 0; t < LANES; t++) {
        const float share = gain[t] + (1 - gain[t]) * kept(c[t] * c[t] * (limit * scale[t]));
        c[t] *= share;
        sum[t] += share;
      }
    }
    for (int t = 0; t < LANES; t++) shares[i + t] = sum[t] * (1.0f / ALL);
    restore_rows(blocks, STEP, i, b, weight);
  }
  restore_columns(blocks);
}

WIDE void block_weigh(const BlockRows *blocks, int64_t count, const float *limits, const float *scales,
                      float *weights) {
  enum { STEP = 2 };
  begin(blocks);
  transform_columns(blocks->pilots, blocks->phase * STEP, blocks->pilot_frequencies);
  for (int64_t i = 0; i < count; i += LANES) {
    float b[ALL * LANES], pilot[ALL * LANES], scale[LANES], sum[LANES], weight[LANES];
    transform_rows(blocks->frequencies, blocks->phase, STEP, i, b);
    transform_rows(blocks->pilot_frequencies, blocks->phase, STEP, i, pilot);
    for (int t = 0; t < LANES; t++) {
      scale[t] = scales[i + t];
      sum[t] = 1;
    }
    for (int k = 1; k < ALL; k++) {
      const float limit = limits[k];
      const float *p = pilot + k * LANES;
      float *c = b + k * LANES;
      for (int t = 0; t < LANES; t++) {
        const float square = p[t] * p[t], share = square / (square + limit * scale[t]);
        c[t] *= share;
        sum[t] += share * share;
      }
    }
    for (int t = 0; t < LANES; t++) weights[i + t] = 1 / sum[t];
    for (int t = 0; t < LANES; t++) weight[t] = weights[i + t] * (1.0f / ALL);
    restore_rows(blocks, STEP, i, b, weight);
  }
  restore_columns(blocks);
}

void block_limits(const float *deviations, float multiple, float *limits) {
  for (int k = 0; k < ALL; k++) {
    const float deviation = deviations[BAND[k]] * multiple * (float)(8 * FACTORS[k / SIDE] * FACTORS[k % SIDE]);
    limits[k] = deviation * deviation + 0.01f;
  }
}

INLINE void inverse_weights(const float *const *weights, int side, int64_t count, float *inverse) {
  for (int64_t i = 0; i < count; i++) {
    float sum = 0;
    for (int r = 0; r < side; r++)
      for (int q = 0; q < side; q++) sum += weights[r][i - q];
    inverse[i] = 1 / sum;
  }
}

WIDE void block_inverse_weights(const float *const *weights, int step, int64_t count, float *inverse) {
  if (step == 4)
    inverse_weights(weights, 2, count, inverse);
  else
    inverse_weights(weights, 4, count, inverse);
}

WIDE void block_load(const void *samples, int64_t count, int depth, float *numbers) {
  if (depth == 8) {
    const uint8_t *at = samples;
    for (int64_t i = 0; i < count; i++) numbers[i] = (float)at[i];
  } else {
    const uint16_t *at = samples;
    const float unit = 1.0f / (float)(1 << (depth - 8));
    for (int64_t i = 0; i < count; i++) numbers[i] = (float)at[i] * unit;
  }
}

INLINE int rounded(float number, float unit, float least, float greatest) {
  float code = number * unit;
  code = code < least ? least : code;
  code = code > greatest ? greatest : code;
  return (int)(code + 0.5f);
}

WIDE void block_store(const float *numbers, int64_t count, int depth, int least, int greatest, void *samples) {
  const float unit = (float)(1 << (depth - 8)), low = (float)least, high = (float)greatest;
  if (depth == 8) {
    uint8_t *at = samples;
    for (int64_t i = 0; i < count; i++) at[i] = (uint8_t)rounded(numbers[i], unit, low, high);
  } else {
    uint16_t *at = samples;
    for (int64_t i = 0; i < count; i++) at[i] = (uint16_t)rounded(numbers[i], unit, low, high);
  }
}

static int64_t mirrored(int64_t place, int64_t count) {
  const int64_t period = 2 * count;
  place = ((place % period) + period) % period;
  return place < count ? place : period - 1 - place;
}

INLINE void split(const float *numbers, int64_t from, int64_t end, int64_t first, int step, int64_t phase,
                  float *phases) {
  const float *at = numbers + first;
  for (int p = 0; p < step; p++)
    for (int64_t i = from; i < end; i++) phases[p * phase + i] = at[i * step + p];
}

WIDE void block_split(const float *numbers, int64_t count, int64_t first, int step, int64_t phase, float *phases) {
  // The range of i whose columns all lie within the row.
  int64_t from = first < 0 ? (-first + step - 1) / step : 0, end = (count - first) / step;
  if (end > phase) end = phase;
  if (end < from) end = from = 0;
  for (int p = 0; p < step; p++) {
    for (int64_t i = 0; i < from; i++) phases[p * phase + i] = numbers[mirrored(first + i * step + p, count)];
    for (int64_t i = end; i < phase; i++) phases[p * phase + i] = numbers[mirrored(first + i * step + p, count)];
  }
  if (step == 4)
    split(numbers, from, end, first, 4, phase, phases);
  else
    split(numbers, from, end, first, 2, phase, phases);
}

INLINE void join(const float *phases, const float *factors, int64_t count, int64_t first, int step, int64_t phase,
                 float *numbers) {
  for (int p = 0; p < step; p++) {
    const int64_t skipped = first + p < 0 ? (step - 1 - first - p) / step : 0;
    const int64_t column = first + p + skipped * step, places = (count - column + step - 1) / step;
    const float *from = phases + p * phase + skipped;
    for (int64_t i = 0; i < places; i++) numbers[column + i * step] = from[i] * factors[skipped + i];
  }
}

WIDE void block_join(const float *phases, const float *factors, int64_t count, int64_t first, int step, int64_t phase,
                     float *numbers) {
  if (step == 4)
    join(phases, factors, count, first, 4, phase, numbers);
  else
    join(phases, factors, count, first, 2, phase, numbers);
}

/// Transforms numbers at distances of `apart`, in every lane.
INLINE void transform_lanes(float *b, int apart) {
  for (int t = 0; t < LANES; t++) {
    float a[SIDE];
    for (int k = 0; k < SIDE; k++) a[k] = b[k * apart + t];
    forward(a);
    for (int k = 0; k < SIDE; k++) b[k * apart + t] = a[k];
  }
}

WIDE void block_energies(const float *const *rows, int64_t count, int64_t spacing, float *energies) {
  float shares[2 * BANDS] = {0};
  for (int k = 1; k < ALL; k++) shares[(k / SIDE + k % SIDE) % 2 * BANDS + BAND[k] - 1]++;
  for (int e = 0; e < 2 * BANDS; e++) shares[e] = shares[e] > 0 ? 1 / shares[e] : 0;
  for (int64_t i = 0; i < count; i += LANES) {
    float b[ALL * LANES], sums[2 * BANDS * LANES] = {0};
    const int64_t lanes = count - i < LANES ? count - i : LANES;
    for (int r = 0; r < SIDE; r++)
      for (int c = 0; c < SIDE; c++)
        for (int t = 0; t < LANES; t++)
          b[(r * SIDE + c) * LANES + t] = rows[r][(i + (t < lanes ? t : 0)) * spacing + c];
    for (int c = 0; c < SIDE; c++) transform_lanes(b + c * LANES, SIDE * LANES);
    for (int r = 0; r < SIDE; r++) transform_lanes(b + r * SIDE * LANES, LANES);
    for (int k = 1; k < ALL; k++) {
      float *sum = sums + ((k / SIDE + k % SIDE) % 2 * BANDS + BAND[k] - 1) * LANES;
      const float *c = b + k * LANES;
      const float factor = (float)(1 / (8 * FACTORS[k / SIDE] * FACTORS[k % SIDE]));
      for (int t = 0; t < LANES; t++) sum[t] += (c[t] * factor) * (c[t] * factor);
    }
    for (int e = 0; e < 2 * BANDS; e++)
      for (int64_t t = 0; t < lanes; t++) energies[e * count + i + t] = sums[e * LANES + t] * shares[e];
  }
}
