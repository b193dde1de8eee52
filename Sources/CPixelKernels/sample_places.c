#include "sample_places.h"

void places_of_luma(const void *samples, int64_t count, int depth, uint16_t *places) {
  if (depth == 8) {
    const uint8_t *from = samples;
    for (int64_t i = 0; i < count; i++) places[i] = (uint16_t)(from[i] << 2);
  } else {
    const uint16_t *from = samples;
    const int shift = 10 - depth, most = (1 << depth) - 1;
    for (int64_t i = 0; i < count; i++) places[i] = (uint16_t)((from[i] & most) << shift);
  }
}

static inline int sample(const void *samples, int64_t i, int depth) {
  return depth == 8 ? ((const uint8_t *)samples)[i] : ((const uint16_t *)samples)[i] & ((1 << depth) - 1);
}

void places_of_means(const void *upper, const void *lower, int64_t count, int across, int depth, int64_t blocks,
                     uint16_t *places) {
  int64_t i = 0;
  if (depth == 8 && across == 2) {
    const uint8_t *a = upper, *b = lower;
    for (; i < count / 2 && i < blocks; i++)
      places[i] = (uint16_t)(a[2 * i] + a[2 * i + 1] + b[2 * i] + b[2 * i + 1]);
  }
  for (; i < blocks; i++) {
    int sum = 0;
    for (int k = 0; k < across; k++) {
      int64_t at = i * across + k < count ? i * across + k : count - 1;
      sum += sample(upper, at, depth) + sample(lower, at, depth);
    }
    places[i] = (uint16_t)((sum << (10 - depth)) / (2 * across));
  }
}

void places_of_chroma(const void *samples, int64_t count, int depth, uint16_t *places) {
  if (depth == 8) {
    const uint8_t *from = samples;
    for (int64_t i = 0; i < count; i++) places[i] = (uint16_t)(from[i] << 4);
  } else {
    const uint16_t *from = samples;
    const int shift = 12 - depth, most = (1 << depth) - 1;
    for (int64_t i = 0; i < count; i++) places[i] = (uint16_t)((from[i] & most) << shift);
  }
}

void places_between_chroma(const void *near, const void *far, int weight, int64_t chroma_count, int64_t luma_count,
                           int layout, int depth, uint16_t *blend, uint16_t *places) {
  // Sixteenths of an 8-bit code; of a 10-bit code less its two lowest bits.
  const int shift = depth - 8, other = 4 - weight;
  uint16_t *row = blend + 1;
  if (depth == 8) {
    const uint8_t *a = near, *b = far;
    for (int64_t i = 0; i < chroma_count; i++) row[i] = (uint16_t)(weight * a[i] + other * b[i]);
  } else {
    const uint16_t *a = near, *b = far;
    const int most = (1 << depth) - 1;
    for (int64_t i = 0; i < chroma_count; i++)
      row[i] = (uint16_t)(weight * (a[i] & most) + other * (b[i] & most));
  }
  row[-1] = row[0];
  row[chroma_count] = row[chroma_count - 1];
  const int64_t pairs = luma_count / 2;
  switch (layout) {
  case PLACES_CENTRED:
    for (int64_t i = 0; i < pairs; i++) {
      places[2 * i] = (uint16_t)((3 * row[i] + row[i - 1]) >> shift);
      places[2 * i + 1] = (uint16_t)((3 * row[i] + row[i + 1]) >> shift);
    }
    if (luma_count & 1) places[luma_count - 1] = (uint16_t)((3 * row[pairs] + row[pairs - 1]) >> shift);
    break;
  case PLACES_LEFT:
    for (int64_t i = 0; i < pairs; i++) {
      places[2 * i] = (uint16_t)((4 * row[i]) >> shift);
      places[2 * i + 1] = (uint16_t)((2 * row[i] + 2 * row[i + 1]) >> shift);
    }
    if (luma_count & 1) places[luma_count - 1] = (uint16_t)((4 * row[pairs]) >> shift);
    break;
  default:
    for (int64_t i = 0; i < luma_count; i++) places[i] = (uint16_t)((4 * row[i]) >> shift);
  }
}
