#include "sample_places.h"
#include "wide.h"

#include <string.h>

WIDE void places_of_luma(const void *samples, int64_t count, int depth, uint16_t *places) {
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

WIDE void places_of_means(const void *upper, const void *lower, int64_t count, int across, int depth, int64_t blocks,
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

WIDE void places_of_chroma(const void *samples, int64_t count, int depth, uint16_t *places) {
  if (depth == 8) {
    const uint8_t *from = samples;
    for (int64_t i = 0; i < count; i++) places[i] = (uint16_t)(from[i] << 4);
  } else {
    const uint16_t *from = samples;
    const int shift = 12 - depth, most = (1 << depth) - 1;
    for (int64_t i = 0; i < count; i++) places[i] = (uint16_t)((from[i] & most) << shift);
  }
}

typedef uint16_t Eight __attribute__((vector_size(16)));

static inline Eight load(const uint16_t *from) {
  Eight numbers;
  memcpy(&numbers, from, sizeof numbers);
  return numbers;
}

/// Writes eight positions of even columns and eight of odd columns, alternating.
static inline void store_in_turn(Eight even, Eight odd, uint16_t *places) {
  Eight first = __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
  Eight second = __builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
  memcpy(places, &first, sizeof first);
  memcpy(places + 8, &second, sizeof second);
}

/// Interpolates a row of chroma at the luma samples. The ends of the row are repeated at -1 and after the last sample.
static inline void spread(const uint16_t *row, int64_t luma_count, int layout, int shift, uint16_t *places) {
  const int64_t pairs = luma_count / 2;
  int64_t i = 0;
  switch (layout) {
  case PLACES_CENTRED:
    for (; i + 8 <= pairs; i += 8) {
      Eight three = load(row + i) * 3;
      store_in_turn((three + load(row + i - 1)) >> shift, (three + load(row + i + 1)) >> shift, places + 2 * i);
    }
    for (i *= 2; i < luma_count; i++)
      places[i] = (uint16_t)((3 * row[i / 2] + row[i / 2 + (i & 1 ? 1 : -1)]) >> shift);
    break;
  case PLACES_LEFT:
    for (; i + 8 <= pairs; i += 8) {
      Eight here = load(row + i);
      store_in_turn((here * 4) >> shift, (here * 2 + load(row + i + 1) * 2) >> shift, places + 2 * i);
    }
    for (i *= 2; i < luma_count; i++)
      places[i] = (uint16_t)((2 * row[i / 2] + 2 * row[i / 2 + (i & 1)]) >> shift);
    break;
  default:
    for (; i < luma_count; i++) places[i] = (uint16_t)((4 * row[i]) >> shift);
  }
}

WIDE void places_between_chroma(const void *near, const void *far, int weight, int64_t chroma_count,
                                int64_t luma_count, int layout, int depth, uint16_t *blend, uint16_t *places) {
  const uint16_t one = (uint16_t)weight, other = (uint16_t)(4 - weight);
  uint16_t *row = blend + 1;
  if (depth == 8) {
    const uint8_t *a = near, *b = far;
    for (int64_t i = 0; i < chroma_count; i++) row[i] = (uint16_t)(one * a[i] + other * b[i]);
  } else {
    const uint16_t *a = near, *b = far;
    const uint16_t most = (uint16_t)((1 << depth) - 1);
    for (int64_t i = 0; i < chroma_count; i++) row[i] = (uint16_t)(one * (a[i] & most) + other * (b[i] & most));
  }
  row[-1] = row[0];
  row[chroma_count] = row[chroma_count - 1];
  // In sixteenths of an 8-bit code (for a 10-bit code, its two lowest bits are dropped). The usual depth is handled
  // separately so that its shift is a constant.
  if (depth == 8) spread(row, luma_count, layout, 0, places);
  else spread(row, luma_count, layout, depth - 8, places);
}
