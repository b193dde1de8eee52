#include "color_table.h"

void color_table_gather(const int16_t *nodes, int16_t *cells) {
  const int plane = 65 * 65, row = 65;
  for (int b = 0; b < 64; b++)
    for (int r = 0; r < 64; r++) {
      const int16_t *from = nodes + b * plane + r * row;
      int16_t *to = cells + (b * 64 + r) * 64 * 8;
      for (int i = 0; i < 64; i++, from++, to += 8) {
        to[0] = from[0];
        to[1] = from[1];
        to[2] = from[plane];
        to[3] = from[plane + 1];
        to[4] = from[row];
        to[5] = from[row + 1];
        to[6] = from[plane + row];
        to[7] = from[plane + row + 1];
      }
    }
}

// Stored numbers begin at -256 codes, and 16384 units are 256 codes. The weights of all corners add up to 1024.
#define BIAS (16384 << 10)

static inline int lookup(const int16_t *cells, int luma, int cb, int cr, int shift) {
  int fl = luma & 15, fb = cb & 63, fr = cr & 63;
  const int16_t *c = cells + (((cb >> 6 << 6 | cr >> 6) << 6 | luma >> 4) << 3);
  int more = fb > fr ? fb : fr, less = fb > fr ? fr : fb;
  int sum = (64 - more) * ((16 - fl) * c[0] + fl * c[1]) + (more - fr) * ((16 - fl) * c[2] + fl * c[3])
          + (more - fb) * ((16 - fl) * c[4] + fl * c[5]) + less * ((16 - fl) * c[6] + fl * c[7]);
  return (sum + BIAS + (1 << (shift - 1))) >> shift;
}

static void lookup_from(const int16_t *cells, const uint16_t *luma, const uint16_t *cb, const uint16_t *cr,
                        int64_t start, int64_t count, int depth, int least, int greatest, void *result) {
  for (int64_t i = start; i < count; i++) {
    int code = lookup(cells, luma[i], cb[i], cr[i], 24 - depth);
    code = code < least ? least : code > greatest ? greatest : code;
    if (depth == 8) ((uint8_t *)result)[i] = (uint8_t)code;
    else ((uint16_t *)result)[i] = (uint16_t)code;
  }
}

void color_table_lookup_plain(const int16_t *cells, const uint16_t *luma, const uint16_t *cb, const uint16_t *cr,
                              int64_t count, int depth, int least, int greatest, void *result) {
  lookup_from(cells, luma, cb, cr, 0, count, depth, least, greatest, result);
}

#if defined(__x86_64__)
#include <immintrin.h>

/// Looks up eight colours whose positions are 32-bit numbers. The weights of a colour's eight corners are arranged in one
/// half of a vector, in the order of the corners in memory.
__attribute__((target("avx2"))) static inline __m256i
lookup8(const int16_t *cells, __m256i luma, __m256i cb, __m256i cr) {
  const __m256i fraction = _mm256_set1_epi32(63), whole = _mm256_set1_epi32(~63);
  __m256i index = _mm256_or_si256(
      _mm256_or_si256(_mm256_slli_epi32(_mm256_and_si256(cb, whole), 6), _mm256_and_si256(cr, whole)),
      _mm256_srli_epi32(luma, 4));
  _Alignas(32) uint32_t at[8];
  _mm256_store_si256((__m256i *)(void *)at, index);

  __m256i fl = _mm256_and_si256(luma, _mm256_set1_epi32(15));
  __m256i fb = _mm256_and_si256(cb, fraction), fr = _mm256_and_si256(cr, fraction);
  __m256i along = _mm256_or_si256(_mm256_sub_epi32(_mm256_set1_epi32(16), fl), _mm256_slli_epi32(fl, 16));
  fb = _mm256_or_si256(fb, _mm256_slli_epi32(fb, 16));
  fr = _mm256_or_si256(fr, _mm256_slli_epi32(fr, 16));
  __m256i a = _mm256_mullo_epi16(_mm256_sub_epi16(_mm256_set1_epi16(64), _mm256_max_epi16(fb, fr)), along);
  __m256i b = _mm256_mullo_epi16(_mm256_subs_epu16(fb, fr), along);
  __m256i c = _mm256_mullo_epi16(_mm256_subs_epu16(fr, fb), along);
  __m256i d = _mm256_mullo_epi16(_mm256_min_epi16(fb, fr), along);
  __m256i ab0 = _mm256_unpacklo_epi32(a, b), ab1 = _mm256_unpackhi_epi32(a, b);
  __m256i cd0 = _mm256_unpacklo_epi32(c, d), cd1 = _mm256_unpackhi_epi32(c, d);
  __m256i w0 = _mm256_unpacklo_epi64(ab0, cd0), w1 = _mm256_unpackhi_epi64(ab0, cd0);
  __m256i w2 = _mm256_unpacklo_epi64(ab1, cd1), w3 = _mm256_unpackhi_epi64(ab1, cd1);

#define CORNERS(k)                                                                                              \
  _mm256_inserti128_si256(                                                                                      \
      _mm256_castsi128_si256(_mm_load_si128((const __m128i *)(const void *)(cells + ((uint64_t)at[k] << 3)))), \
      _mm_load_si128((const __m128i *)(const void *)(cells + ((uint64_t)at[k + 4] << 3))), 1)
  __m256i m0 = _mm256_madd_epi16(CORNERS(0), w0), m1 = _mm256_madd_epi16(CORNERS(1), w1);
  __m256i m2 = _mm256_madd_epi16(CORNERS(2), w2), m3 = _mm256_madd_epi16(CORNERS(3), w3);
#undef CORNERS
  return _mm256_hadd_epi32(_mm256_hadd_epi32(m0, m1), _mm256_hadd_epi32(m2, m3));
}

__attribute__((target("avx2"))) static void
lookup_avx2(const int16_t *cells, const uint16_t *luma, const uint16_t *cb, const uint16_t *cr, int64_t count,
            int depth, int least, int greatest, void *result) {
  const __m128i shift = _mm_cvtsi32_si128(24 - depth);
  const __m256i bias = _mm256_set1_epi32(BIAS + (1 << (23 - depth)));
  const __m256i low = _mm256_set1_epi16((short)least), high = _mm256_set1_epi16((short)greatest);
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    __m256i half[2];
    for (int k = 0; k < 2; k++) {
      __m256i y = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(luma + i + 8 * k)));
      __m256i b = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(cb + i + 8 * k)));
      __m256i r = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(cr + i + 8 * k)));
      half[k] = _mm256_sra_epi32(_mm256_add_epi32(lookup8(cells, y, b, r), bias), shift);
    }
    __m256i codes = _mm256_permute4x64_epi64(_mm256_packs_epi32(half[0], half[1]), 0xD8);
    codes = _mm256_min_epi16(_mm256_max_epi16(codes, low), high);
    if (depth == 8) {
      __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(codes), _mm256_extracti128_si256(codes, 1));
      _mm_storeu_si128((__m128i *)(void *)((uint8_t *)result + i), bytes);
    } else {
      _mm256_storeu_si256((__m256i *)(void *)((uint16_t *)result + i), codes);
    }
  }
  lookup_from(cells, luma, cb, cr, i, count, depth, least, greatest, result);
}
#endif

void color_table_lookup(const int16_t *cells, const uint16_t *luma, const uint16_t *cb, const uint16_t *cr,
                        int64_t count, int depth, int least, int greatest, void *result) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    lookup_avx2(cells, luma, cb, cr, count, depth, least, greatest, result);
    return;
  }
#endif
  lookup_from(cells, luma, cb, cr, 0, count, depth, least, greatest, result);
}
