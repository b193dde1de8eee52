#include "motion.h"
#include "wide.h"

#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

WIDE void motion_halve(const uint8_t *upper, const uint8_t *lower, int64_t count, uint8_t *result) {
  for (int64_t i = 0; i < count; i++)
    result[i] = (uint8_t)((upper[2 * i] + upper[2 * i + 1] + lower[2 * i] + lower[2 * i + 1] + 2) >> 2);
}

INLINE int32_t difference(const uint8_t *one, int64_t one_stride, const uint8_t *other, int64_t other_stride,
                          int side) {
  int32_t sum = 0;
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      const int32_t d = one[y * one_stride + x] - other[y * other_stride + x];
      sum += d < 0 ? -d : d;
    }
  return sum;
}

WIDE int32_t motion_difference(const uint8_t *one, int64_t one_stride, const uint8_t *other, int64_t other_stride,
                               int side) {
  return side == 16 ? difference(one, one_stride, other, other_stride, 16)
                    : difference(one, one_stride, other, other_stride, 8);
}

WIDE void motion_search(const uint8_t *one, int64_t one_stride, const uint8_t *other, int64_t other_stride, int range,
                        int32_t *across, int32_t *down) {
  int32_t least = INT32_MAX;
  for (int y = -range; y <= range; y++)
    for (int x = -range; x <= range; x++) {
      const int32_t distance = (x < 0 ? -x : x) + (y < 0 ? -y : y);
      const int32_t sum = difference(one, one_stride, other + y * other_stride + x, other_stride, 8) +
                          distance + (distance > 0 ? 32 : 0);
      if (sum < least) {
        least = sum;
        *across = x;
        *down = y;
      }
    }
}

/// Whether the weights select the fourth of eight samples unchanged.
INLINE int is_whole(const float *weights) { return weights[3] == 1; }

INLINE void compensate(const float *const *rows, const float *across, const float *down, int side, float *result,
                       int64_t stride) {
  float between[23 * 16];
  for (int y = 0; y < side + 7; y++)
    if (is_whole(across))
      for (int x = 0; x < side; x++) between[y * side + x] = rows[y][x + 3];
    else
      for (int x = 0; x < side; x++) {
        float sum = 0;
        for (int k = 0; k < 8; k++) sum += across[k] * rows[y][x + k];
        between[y * side + x] = sum;
      }
  for (int y = 0; y < side; y++)
    if (is_whole(down))
      for (int x = 0; x < side; x++) result[y * stride + x] = between[(y + 3) * side + x];
    else
      for (int x = 0; x < side; x++) {
        float sum = 0;
        for (int k = 0; k < 8; k++) sum += down[k] * between[(y + k) * side + x];
        result[y * stride + x] = sum;
      }
}

WIDE void motion_compensate(const float *const *rows, const float *across, const float *down, int side, float *result,
                            int64_t stride) {
  if (side == 16)
    compensate(rows, across, down, 16, result, stride);
  else
    compensate(rows, across, down, 8, result, stride);
}

WIDE void motion_products(const float *other, const float *above, const float *row, const float *below, int64_t count,
                          float limit, float *sums) {
  enum { LANES = 8 };
  float lanes[5][LANES] = {{0}};
  int64_t i = 0;
  for (; i < count; i += LANES)
    for (int t = 0; t < LANES; t++) {
      const int64_t x = i + t;
      const float half = x < count ? 0.5f : 0;
      const float across = half * (row[x + 1] - row[x - 1]), down = half * (below[x] - above[x]);
      float d = other[x] - row[x];
      d = d > limit ? limit : d;
      d = d < -limit ? -limit : d;
      lanes[0][t] += across * across;
      lanes[1][t] += across * down;
      lanes[2][t] += down * down;
      lanes[3][t] += across * d;
      lanes[4][t] += down * d;
    }
  for (int k = 0; k < 5; k++)
    for (int t = 0; t < LANES; t++) sums[k] += lanes[k][t];
}
