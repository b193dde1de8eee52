#include "cell_grid.h"
#include "wide.h"

#pragma STDC FP_CONTRACT OFF

WIDE void cell_grid_add(const void *samples, int64_t count, int depth, float *sums) {
  if (depth == 8) {
    const uint8_t *from = samples;
    for (int64_t i = 0; i < count; i++) sums[i] += (float)((int)from[i] - 128);
    return;
  }
  const uint16_t *from = samples;
  const int most = (1 << depth) - 1, middle = 128 << (depth - 8);
  const float unit = 1.0f / (float)(1 << (depth - 8));
  for (int64_t i = 0; i < count; i++) sums[i] += (float)((from[i] & most) - middle) * unit;
}

void cell_grid_means(const float *sums, int64_t count, int across, int down, float *means) {
  for (int64_t start = 0; start < count; start += across) {
    const int64_t end = start + across < count ? start + across : count;
    float sum = 0;
    for (int64_t i = start; i < end; i++) sum += sums[i];
    *means++ = sum / (float)((end - start) * down);
  }
}
