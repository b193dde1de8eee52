#include "cell_grid.h"
#include "wide.h"

#pragma STDC FP_CONTRACT OFF

WIDE void cell_grid_add(const void *samples, int64_t count, int depth, float *sums, float *squares) {
  if (depth == 8) {
    const uint8_t *from = samples;
    for (int64_t i = 0; i < count; i++) {
      float value = (float)((int)from[i] - 128);
      sums[i] += value;
      squares[i] += value * value;
    }
    return;
  }
  const uint16_t *from = samples;
  const int most = (1 << depth) - 1, middle = 128 << (depth - 8);
  const float unit = 1.0f / (float)(1 << (depth - 8));
  for (int64_t i = 0; i < count; i++) {
    float value = (float)((from[i] & most) - middle) * unit;
    sums[i] += value;
    squares[i] += value * value;
  }
}

void cell_grid_means(const float *sums, int64_t count, int across, int down, float *means) {
  for (int64_t start = 0; start < count; start += across) {
    const int64_t end = start + across < count ? start + across : count;
    float sum = 0;
    for (int64_t i = start; i < end; i++) sum += sums[i];
    *means++ = sum / (float)((end - start) * down);
  }
}

WIDE void cell_grid_blur_rows(const float *const *rows, const float *weights, int radius, int64_t count,
                              float *restrict result) {
  const float *middle = rows[radius];
  for (int64_t i = 0; i < count; i++) result[i] = middle[i] * weights[0];
  for (int k = 1; k <= radius; k++) {
    const float *restrict before = rows[radius - k], *restrict after = rows[radius + k];
    for (int64_t i = 0; i < count; i++) result[i] += (before[i] + after[i]) * weights[k];
  }
}

WIDE void cell_grid_blur_row(const float *restrict row, const float *weights, int radius, int64_t count,
                             float *restrict result) {
  for (int64_t i = 0; i < count; i++) result[i] = row[i] * weights[0];
  for (int k = 1; k <= radius; k++)
    for (int64_t i = 0; i < count; i++) result[i] += (row[i - k] + row[i + k]) * weights[k];
}

WIDE void cell_grid_between(const float *upper, const float *lower, float weight, int64_t count, float *result) {
  for (int64_t i = 0; i < count; i++) result[i] = upper[i] + (lower[i] - upper[i]) * weight;
}

/// The sample after the change, not yet rounded.
static inline float changed(const CellGridRow *row, int64_t i, int code, int middle, float unit, float low,
                            float high) {
  const int32_t first = row->first[i];
  const float share = row->weight[i];
  const float *g = row->gains + first, *m = row->means + first, *s = row->shifts + first;
  const float gain = g[0] + (g[1] - g[0]) * share, mean = m[0] + (m[1] - m[0]) * share;
  const float shift = s[0] + (s[1] - s[0]) * share;
  float e = row->amount * (gain * (float)(code - middle) - mean * unit);
  e = e / (1 + (e < 0 ? -e : e) / (row->limit * unit)) - shift * unit;
  const float result = (float)code + e;
  return result < low ? low : result > high ? high : result;
}

WIDE void cell_grid_apply(const CellGridRow *row, int64_t count, void *samples) {
  const float unit = (float)(1 << (row->depth - 8)), low = (float)row->least, high = (float)row->greatest;
  const int middle = 128 << (row->depth - 8);
  uint8_t *bytes = samples;
  uint16_t *words = samples;
  for (int64_t i = 0; i < count; i++) {
    if (row->depth == 8) bytes[i] = (uint8_t)(changed(row, i, bytes[i], middle, unit, low, high) + 0.5f);
    else words[i] = (uint16_t)(changed(row, i, words[i], middle, unit, low, high) + 0.5f);
  }
}

WIDE void cell_grid_add_changes(const CellGridRow *row, int64_t count, const void *samples, float *sums) {
  const float unit = (float)(1 << (row->depth - 8)), low = (float)row->least, high = (float)row->greatest;
  const int middle = 128 << (row->depth - 8);
  const uint8_t *bytes = samples;
  const uint16_t *words = samples;
  for (int64_t i = 0; i < count; i++) {
    const int code = row->depth == 8 ? bytes[i] : words[i];
    sums[i] += (changed(row, i, code, middle, unit, low, high) - (float)code) / unit;
  }
}
