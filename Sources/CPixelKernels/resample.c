#include "resample.h"
#include "wide.h"

#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

/// The number of columns whose positions are computed together.
#define BLOCK 64

static inline int64_t within(int64_t value, int64_t last) { return value < 0 ? 0 : value > last ? last : value; }

static inline int sample(const resample_source *s, int64_t x, int64_t y) {
  const uint8_t *row = (const uint8_t *)s->samples + within(y, s->height - 1) * s->stride;
  x = within(x, s->width - 1);
  return s->depth == 8 ? row[x] : ((const uint16_t *)(const void *)row)[x];
}

// Weights have 14 fractional bits. The sums of columns keep 14 minus depth fractional bits, so that they fit in 16 bits. The
// final shift converts the result back to codes.

static inline int finished(int sum, int depth) {
  const int most = (1 << depth) - 1;
  int code = (sum + (1 << (27 - depth))) >> (28 - depth);
  return code < 0 ? 0 : code > most ? most : code;
}

/// Interpolates one sample with a kernel of any size.
static int interpolated(const resample_source *s, int32_t x, int32_t y, const int16_t *wx, int across, const int16_t *wy,
                        int down) {
  const int64_t left = (x >> 8) - (across / 2 - 1), top = (y >> 8) - (down / 2 - 1);
  int sum = 0;
  for (int k = 0; k < across; k++) {
    int column = 1 << (s->depth - 1);
    for (int j = 0; j < down; j++) column += wy[j] * sample(s, left + k, top + j);
    sum += wx[k] * (column >> s->depth);
  }
  return finished(sum, s->depth);
}

static inline int narrow(const resample_source *s, int32_t x, int32_t y) {
  return interpolated(s, x, y, s->weights + (x & 255) * RESAMPLE_TAPS, RESAMPLE_TAPS,
                      s->weights + (y & 255) * RESAMPLE_TAPS, RESAMPLE_TAPS);
}

static inline void store(const resample_source *s, void *result, int64_t i, int code) {
  if (s->depth == 8) ((uint8_t *)result)[i] = (uint8_t)code;
  else ((uint16_t *)result)[i] = (uint16_t)code;
}

/// The distance outside the plane, in samples, up to which positions are distinguished.
#define MARGIN 8

/// Returns a position in 1/256 of a sample, clamped to a margin around the plane.
static inline int32_t fixed(double place, int64_t size) {
  // Shifted above zero, so that truncation rounds down.
  double lifted = (place + MARGIN) * RESAMPLE_PHASES + 0.5;
  const double most = (double)(size + 2 * MARGIN) * RESAMPLE_PHASES;
  lifted = lifted > 0 ? lifted : 0;  // also for NaN
  lifted = lifted < most ? lifted : most;
  return (int32_t)lifted - MARGIN * RESAMPLE_PHASES;
}

/// Computes the positions of consecutive columns and the stretching of the kernel there, in quarters beyond 1.
WIDE static void find_places(const resample_source *s, int64_t row, int64_t first, int64_t count, int32_t *xs, int32_t *ys,
                        int *across, int *down) {
  const double j = (double)row;
  *across = *down = 0;
  if (s->w[0] == 0 && s->w[1] == 0) {
    for (int64_t i = 0; i < count; i++) {
      const double column = (double)(first + i);
      xs[i] = fixed(s->x[0] * column + s->x[1] * j + s->x[2], s->width);
      ys[i] = fixed(s->y[0] * column + s->y[1] * j + s->y[2], s->height);
    }
    return;
  }
  for (int64_t i = 0; i < count; i++) {
    const double column = (double)(first + i);
    const double part = 1 / (s->w[0] * column + s->w[1] * j + s->w[2]);
    xs[i] = fixed((s->x[0] * column + s->x[1] * j + s->x[2]) * part, s->width);
    ys[i] = fixed((s->y[0] * column + s->y[1] * j + s->y[2]) * part, s->height);
  }
  // The distance between samples at the centre of the block.
  const double column = (double)(first + count / 2);
  const double part = 1 / (s->w[0] * column + s->w[1] * j + s->w[2]);
  const double x = (s->x[0] * column + s->x[1] * j + s->x[2]) * part;
  const double y = (s->y[0] * column + s->y[1] * j + s->y[2]) * part;
  const double xi = (s->x[0] - x * s->w[0]) * part, xj = (s->x[1] - x * s->w[1]) * part;
  const double yi = (s->y[0] - y * s->w[0]) * part, yj = (s->y[1] - y * s->w[1]) * part;
  const double apart[2] = {sqrt(xi * xi + xj * xj), sqrt(yi * yi + yj * yj)};
  int *levels[2] = {across, down};
  for (int k = 0; k < 2; k++) {
    const double level = floor((apart[k] - 1) * 4 + 0.5);
    *levels[k] = level > RESAMPLE_LEVELS ? RESAMPLE_LEVELS : level > 0 ? (int)level : 0;
  }
}

static inline int taps(int level) { return 2 * ((5 + level) / 2); }

/// Interpolates a block for which at least one kernel is stretched.
static void resample_wide(const resample_source *s, int64_t first, int64_t count, const int32_t *xs, const int32_t *ys,
                          int across, int down, void *result) {
  const int64_t size = (int64_t)RESAMPLE_PHASES * RESAMPLE_MOST_TAPS;
  for (int64_t i = 0; i < count; i++) {
    const int px = xs[i] & 255, py = ys[i] & 255;
    const int16_t *wx = across ? s->wide + (across - 1) * size + px * RESAMPLE_MOST_TAPS : s->weights + px * RESAMPLE_TAPS;
    const int16_t *wy = down ? s->wide + (down - 1) * size + py * RESAMPLE_MOST_TAPS : s->weights + py * RESAMPLE_TAPS;
    store(s, result, first + i,
          interpolated(s, xs[i], ys[i], wx, across ? taps(across) : RESAMPLE_TAPS, wy, down ? taps(down) : RESAMPLE_TAPS));
  }
}

#if defined(__x86_64__)
#include <emmintrin.h>

/// Interpolates the columns of 4×4 samples vertically.
static inline __m128i columns(const uint8_t *at, int64_t stride, const int16_t *weights, int depth) {
  const __m128i zero = _mm_setzero_si128();
  int32_t pairs[2];
  memcpy(pairs, weights, sizeof pairs);
  __m128i upper, lower;
  if (depth == 8) {
    int32_t r[4];
    for (int k = 0; k < 4; k++) memcpy(&r[k], at + k * stride, sizeof r[k]);
    upper = _mm_unpacklo_epi8(_mm_unpacklo_epi8(_mm_cvtsi32_si128(r[0]), _mm_cvtsi32_si128(r[1])), zero);
    lower = _mm_unpacklo_epi8(_mm_unpacklo_epi8(_mm_cvtsi32_si128(r[2]), _mm_cvtsi32_si128(r[3])), zero);
  } else {
    __m128i r[4];
    for (int k = 0; k < 4; k++) r[k] = _mm_loadl_epi64((const __m128i *)(const void *)(at + k * stride));
    upper = _mm_unpacklo_epi16(r[0], r[1]);
    lower = _mm_unpacklo_epi16(r[2], r[3]);
  }
  __m128i sum = _mm_add_epi32(_mm_madd_epi16(upper, _mm_set1_epi32(pairs[0])),
                              _mm_madd_epi16(lower, _mm_set1_epi32(pairs[1])));
  sum = _mm_add_epi32(sum, _mm_set1_epi32(1 << (depth - 1)));
  return _mm_sra_epi32(sum, _mm_cvtsi32_si128(depth));
}

/// Interpolates two samples from their columns. Each result is the sum of two adjacent numbers.
static inline __m128i rows(__m128i one, __m128i two, const int16_t *weights_one, const int16_t *weights_two) {
  __m128i weights = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)weights_one),
                                       _mm_loadl_epi64((const __m128i *)(const void *)weights_two));
  return _mm_madd_epi16(_mm_packs_epi32(one, two), weights);
}

static inline __attribute__((always_inline)) void
resample_narrow(const resample_source *s, int64_t first, int64_t count, const int32_t *xs, const int32_t *ys, int depth,
                void *result) {
  const int64_t last_x = s->width - 4, last_y = s->height - 4, size = depth == 8 ? 1 : 2;
  const __m128i round = _mm_set1_epi32(1 << (27 - depth));
  const __m128i shift = _mm_cvtsi32_si128(28 - depth);
  const __m128i most = _mm_set1_epi16((short)((1 << depth) - 1));
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    int is_inside = 1;
    for (int k = 0; k < 4; k++) {
      const int64_t x = (xs[i + k] >> 8) - 1, y = (ys[i + k] >> 8) - 1;
      is_inside &= (x >= 0) & (x <= last_x) & (y >= 0) & (y <= last_y);
    }
    if (!is_inside) {
      for (int k = 0; k < 4; k++) store(s, result, first + i + k, narrow(s, xs[i + k], ys[i + k]));
      continue;
    }
    __m128i c[4];
    for (int k = 0; k < 4; k++) {
      const uint8_t *at = (const uint8_t *)s->samples + ((ys[i + k] >> 8) - 1) * s->stride + ((xs[i + k] >> 8) - 1) * size;
      c[k] = columns(at, s->stride, s->weights + (ys[i + k] & 255) * RESAMPLE_TAPS, depth);
    }
#define WX(k) (s->weights + (xs[i + (k)] & 255) * RESAMPLE_TAPS)
    __m128 a = _mm_castsi128_ps(rows(c[0], c[1], WX(0), WX(1)));
    __m128 b = _mm_castsi128_ps(rows(c[2], c[3], WX(2), WX(3)));
#undef WX
    __m128i sum = _mm_add_epi32(_mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0))),
                                _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1))));
    __m128i codes = _mm_sra_epi32(_mm_add_epi32(sum, round), shift);
    codes = _mm_packs_epi32(codes, codes);
    codes = _mm_min_epi16(_mm_max_epi16(codes, _mm_setzero_si128()), most);
    if (depth == 8) {
      const int32_t bytes = _mm_cvtsi128_si32(_mm_packus_epi16(codes, codes));
      memcpy((uint8_t *)result + first + i, &bytes, sizeof bytes);
    } else {
      _mm_storel_epi64((__m128i *)(void *)((uint16_t *)result + first + i), codes);
    }
  }
  for (; i < count; i++) store(s, result, first + i, narrow(s, xs[i], ys[i]));
}
#endif

static inline __attribute__((always_inline)) void resample_from(const resample_source *s, int64_t row, int64_t count,
                                                                int is_plain, void *result) {
  int32_t xs[BLOCK], ys[BLOCK];
  for (int64_t first = 0; first < count; first += BLOCK) {
    const int64_t length = count - first < BLOCK ? count - first : BLOCK;
    int across, down;
    find_places(s, row, first, length, xs, ys, &across, &down);
    if (across || down) {
      resample_wide(s, first, length, xs, ys, across, down, result);
      continue;
    }
#if defined(__x86_64__)
    if (!is_plain) {
      // The usual depth is handled separately so that its shifts are constants.
      if (s->depth == 8) resample_narrow(s, first, length, xs, ys, 8, result);
      else resample_narrow(s, first, length, xs, ys, s->depth, result);
      continue;
    }
#else
    (void)is_plain;
#endif
    for (int64_t i = 0; i < length; i++) store(s, result, first + i, narrow(s, xs[i], ys[i]));
  }
}

void resample_row(const resample_source *source, int64_t row, int64_t count, void *result) {
  resample_from(source, row, count, 0, result);
}

void resample_row_plain(const resample_source *source, int64_t row, int64_t count, void *result) {
  resample_from(source, row, count, 1, result);
}
