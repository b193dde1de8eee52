#include "picture_features.h"
#include "wide.h"

#pragma STDC FP_CONTRACT OFF

#define LANES 8
typedef float Lanes __attribute__((vector_size(4 * LANES)));
typedef float Numbers __attribute__((vector_size(4 * LANES), aligned(4)));
#define LOAD(from) ((Lanes)*(const Numbers *)(const void *)(from))

static void add_row(float *sums, const float *row, int64_t width, float factor) {
  for (int64_t x = 0; x < width; x++) sums[x] += factor * row[x];
}

static void scale_row(float *to, const float *sums, int64_t width, float factor) {
  for (int64_t x = 0; x < width; x++) to[x] = factor * sums[x];
}

void grey_box(float *samples, float *room, int64_t width, int64_t height, int64_t reach) {
  for (int64_t y = 0; y < height; y++) {
    const float *from = samples + y * width;
    float *to = room + y * width;
    // In double precision, so that subtracting a number exactly reverses adding it.
    double sum = 0;
    int64_t first = 0, end = 0;
    for (int64_t x = 0; x < width; x++) {
      while (end < width && end <= x + reach) sum += from[end++];
      while (first < x - reach) sum -= from[first++];
      to[x] = (float)(sum / (double)(end - first));
    }
  }
  // Column sums move down the picture. The rows of `samples` above are already finished.
  float sums[width > 0 ? width : 1];
  for (int64_t x = 0; x < width; x++) sums[x] = 0;
  int64_t first = 0, end = 0;
  for (int64_t y = 0; y < height; y++) {
    while (end < height && end <= y + reach) add_row(sums, room + end++ * width, width, 1);
    while (first < y - reach) add_row(sums, room + first++ * width, width, -1);
    scale_row(samples + y * width, sums, width, 1 / (float)(end - first));
  }
}

WIDE void feature_nearest(const float *descriptors, int64_t count, const float *others, int64_t other_count,
                          int32_t *best, float *likeness) {
  for (int64_t i = 0; i < count; i++) {
    const float *one = descriptors + i * FEATURE_NUMBERS;
    float most = -2;
    int32_t place = -1;
    for (int64_t j = 0; j < other_count; j++) {
      const float *other = others + j * FEATURE_NUMBERS;
      Lanes sums[4] = {};
      for (int k = 0; k < FEATURE_NUMBERS; k += 4 * LANES)
        for (int part = 0; part < 4; part++)
          sums[part] += LOAD(one + k + part * LANES) * LOAD(other + k + part * LANES);
      const Lanes all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
      float product = 0;
      for (int lane = 0; lane < LANES; lane++) product += all[lane];
      if (product > most) {
        most = product;
        place = (int32_t)j;
      }
    }
    best[i] = place;
    likeness[i] = most;
  }
}
