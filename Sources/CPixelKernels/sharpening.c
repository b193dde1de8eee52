#include "sharpening.h"
#include "codes.h"
#include "wide.h"

#pragma STDC FP_CONTRACT OFF

WIDE void sharpening_load(const void *samples, int64_t count, int depth, int16_t *row) {
  if (depth == 8) {
    const uint8_t *from = samples;
    for (int64_t i = 0; i < count; i++) row[i] = (int16_t)((from[i] << 4) - 2048);
    return;
  }
  const uint16_t *from = samples;
  const int up = depth < 12 ? 12 - depth : 0, down = depth > 12 ? depth - 12 : 0, most = (1 << depth) - 1;
  for (int64_t i = 0; i < count; i++) row[i] = (int16_t)(((from[i] & most) << up >> down) - 2048);
}

/// A weighted sum of two rows or columns at each distance. `before` and `after` are the addresses of their numbers.
#define WEIGHTED_SUM(type, load, times, plus, middle, before, after)                                                 \
  type sum = times(load(middle), weights[0]);                                                                          \
  for (int k = 1; k <= radius; k++) sum = plus(sum, times(plus(load(before), load(after)), weights[k]))

#define NUMBER(at) (*(at))
#define PLUS(one, other) ((int16_t)((one) + (other)))
#define TIMES(number, weight) ((int16_t)(((number) * (weight) + 0x4000) >> 15))

static void blur_rows_from(const int16_t *const *rows, const int16_t *weights, int radius, int64_t i, int64_t count,
                           int16_t *result) {
  for (; i < count; i++) {
    WEIGHTED_SUM(int16_t, NUMBER, TIMES, PLUS, rows[radius] + i, rows[radius - k] + i, rows[radius + k] + i);
    result[i] = sum;
  }
}

static void blur_row_from(const int16_t *row, const int16_t *weights, int radius, int64_t i, int64_t count,
                          int16_t *result) {
  for (; i < count; i++) {
    WEIGHTED_SUM(int16_t, NUMBER, TIMES, PLUS, row + i, row + i - k, row + i + k);
    result[i] = sum;
  }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define LOAD_16(at) _mm256_loadu_si256((const __m256i *)(const void *)(at))
// Rounds in the same way as TIMES.
#define TIMES_16(numbers, weight) _mm256_mulhrs_epi16(numbers, _mm256_set1_epi16(weight))

__attribute__((target("avx2"))) static void
blur_rows_avx2(const int16_t *const *rows, const int16_t *weights, int radius, int64_t count, int16_t *result) {
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    WEIGHTED_SUM(__m256i, LOAD_16, TIMES_16, _mm256_add_epi16, rows[radius] + i, rows[radius - k] + i,
                 rows[radius + k] + i);
    _mm256_storeu_si256((__m256i *)(void *)(result + i), sum);
  }
  blur_rows_from(rows, weights, radius, i, count, result);
}

__attribute__((target("avx2"))) static void
blur_row_avx2(const int16_t *row, const int16_t *weights, int radius, int64_t count, int16_t *result) {
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    WEIGHTED_SUM(__m256i, LOAD_16, TIMES_16, _mm256_add_epi16, row + i, row + i - k, row + i + k);
    _mm256_storeu_si256((__m256i *)(void *)(result + i), sum);
  }
  blur_row_from(row, weights, radius, i, count, result);
}
#endif

void sharpening_blur_rows(const int16_t *const *rows, const int16_t *weights, int radius, int64_t count,
                          int16_t *result) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    blur_rows_avx2(rows, weights, radius, count, result);
    return;
  }
#endif
  blur_rows_from(rows, weights, radius, 0, count, result);
}

void sharpening_blur_row(const int16_t *row, const int16_t *weights, int radius, int64_t count, int16_t *result) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    blur_row_avx2(row, weights, radius, count, result);
    return;
  }
#endif
  blur_row_from(row, weights, radius, 0, count, result);
}

WIDE void sharpening_difference(const int16_t *row, const int16_t *mean, int64_t count, int16_t *difference,
                                int16_t *size) {
  for (int64_t i = 0; i < count; i++) {
    int16_t apart = (int16_t)(row[i] - mean[i]);
    difference[i] = apart;
    size[i] = (int16_t)(apart < 0 ? -apart : apart);
  }
}

/// Returns the addition in 1/16 of an 8-bit code, clamped to the range from `down` to `up`. The bias makes negative numbers
/// round correctly.
static inline int16_t addition(int difference, int activity, float scale, float noise, float limit, float down,
                               float up) {
  float a = (float)activity, v = a * a * (1.0f / 256);
  float sum = (float)difference * scale * v / ((v + noise) * (v + limit));
  sum = sum < down ? down : sum;
  sum = sum > up ? up : sum;
  return (int16_t)((int)(sum + 8192.5f) - 8192);
}

WIDE void sharpening_addition(const int16_t *difference, const int16_t *activity, int64_t count, float amount,
                              float noise, float limit, const void *samples, int depth, int least, int greatest,
                              int16_t *result) {
  const float scale = amount * limit, unit = 16 / (float)(1 << (depth - 8));
  const float low = (float)least * unit, high = (float)greatest * unit;
  const uint8_t *bytes = samples;
  const uint16_t *words = samples;
  if (depth == 8) {
    for (int64_t i = 0; i < count; i++) {
      float at = (float)bytes[i] * unit;
      result[i] = addition(difference[i], activity[i], scale, noise, limit, low - at, high - at);
    }
  } else {
    for (int64_t i = 0; i < count; i++) {
      float at = (float)words[i] * unit;
      result[i] = addition(difference[i], activity[i], scale, noise, limit, low - at, high - at);
    }
  }
}

WIDE void sharpening_apply(const int16_t *addition, const int16_t *mean, int64_t count, int depth, int least,
                           int greatest, void *samples) {
  const float unit = (float)(1 << (depth - 8)) / 16, low = (float)least, high = (float)greatest;
  if (depth == 8) {
    uint8_t *at = samples;
    for (int64_t i = 0; i < count; i++)
      at[i] = (uint8_t)nearest_code((float)at[i] + (float)(addition[i] - mean[i]) * unit, low, high);
  } else {
    uint16_t *at = samples;
    for (int64_t i = 0; i < count; i++)
      at[i] = (uint16_t)nearest_code((float)at[i] + (float)(addition[i] - mean[i]) * unit, low, high);
  }
}
