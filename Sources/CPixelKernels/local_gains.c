#include "local_gains.h"
#include "codes.h"
#include "wide.h"

#pragma STDC FP_CONTRACT OFF

/// Returns 2^x for x from -8 to 8: a power of two times a sixth-degree Taylor polynomial of the rest, accurate to 2e-7.
static inline float power_of_two(float x) {
  const float whole = (float)(int)(x + 512.5f) - 512;
  const float t = (x - whole) * 0.69314718056f;
  const float p =
      1 + t * (1 + t * (0.5f + t * (1 / 6.0f + t * (1 / 24.0f + t * (1 / 120.0f + t * (1 / 720.0f))))));
  union {
    int32_t bits;
    float value;
  } scale = {((int32_t)whole + 127) << 23};
  return p * scale.value;
}

void local_gains_of_row(const float *upper, const float *lower, float share, int levels, const void *luma,
                        int64_t count, int depth, float black, float white, float *factors, float *others) {
  const float scale = (float)(levels - 1) / (white - black);
  const float last = (float)(levels - 1);
  for (int64_t i = 0; i < count; i++) {
    const float code = depth == 8 ? (float)((const uint8_t *)luma)[i] : (float)((const uint16_t *)luma)[i];
    float level = (code - black) * scale;
    level = level < 0 ? 0 : level;
    level = level > last ? last : level;
    int cell = (int)level;
    cell = cell > levels - 2 ? levels - 2 : cell;
    const float part = level - (float)cell;
    const int64_t node = (i / 8 * levels + cell) * 2;
    const int64_t next = node + 2 * levels;
    const float along = ((float)(i % 8) + 0.5f) / 8;
    float sums[2];
    for (int k = 0; k < 2; k++) {
      const float *a = upper + node + k, *b = upper + next + k, *c = lower + node + k, *d = lower + next + k;
      const float first = a[0] + (a[2] - a[0]) * part, second = b[0] + (b[2] - b[0]) * part;
      const float third = c[0] + (c[2] - c[0]) * part, fourth = d[0] + (d[2] - d[0]) * part;
      const float above = first + (second - first) * along, below = third + (fourth - third) * along;
      sums[k] = above + (below - above) * share;
    }
    factors[i] = power_of_two(sums[0]);
    others[i] = factors[i] * sums[1];
  }
}

WIDE void local_gains_apply(const float *factors, int64_t count, float middle, int depth, int least, int greatest,
                            void *samples) {
  const float low = (float)least, high = (float)greatest;
  if (depth == 8) {
    uint8_t *at = samples;
    for (int64_t i = 0; i < count; i++) at[i] = (uint8_t)nearest_code(middle + ((float)at[i] - middle) * factors[i], low, high);
  } else {
    uint16_t *at = samples;
    for (int64_t i = 0; i < count; i++) at[i] = (uint16_t)nearest_code(middle + ((float)at[i] - middle) * factors[i], low, high);
  }
}
