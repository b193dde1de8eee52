#include "color_table.h"

#include <string.h>

#define PLANE (COLOR_TABLE_NODES * COLOR_TABLE_NODES)

static inline int lookup(const int16_t *table, int luma, int cb, int cr, int depth, int least, int greatest) {
  int fl = luma & 15, fb = cb & 63, fr = cr & 63;
  const int16_t *at = table + (cb >> 6) * PLANE + (cr >> 6) * COLOR_TABLE_NODES + (luma >> 4);
  int more = fb > fr ? fb : fr, less = fb > fr ? fr : fb;
  const int16_t *middle = at + (fb > fr ? PLANE : COLOR_TABLE_NODES);
  const int16_t *far = at + PLANE + COLOR_TABLE_NODES;
  int sum = (64 - more) * ((16 - fl) * at[0] + fl * at[1])
          + (more - less) * ((16 - fl) * middle[0] + fl * middle[1])
          + less * ((16 - fl) * far[0] + fl * far[1]);
  int shift = 24 - depth;
  // Stored numbers begin at -256 codes; 16384 of them are 256 codes.
  int code = (sum + (16384 << 10) + (1 << (shift - 1))) >> shift;
  return code < least ? least : code > greatest ? greatest : code;
}

static void lookup_default(const int16_t *table, const uint16_t *luma, const uint16_t *cb, const uint16_t *cr,
                           int64_t start, int64_t count, int depth, int least, int greatest, void *result) {
  for (int64_t i = start; i < count; i++) {
    int code = lookup(table, luma[i], cb[i], cr[i], depth, least, greatest);
    if (depth == 8) ((uint8_t *)result)[i] = (uint8_t)code;
    else ((uint16_t *)result)[i] = (uint16_t)code;
  }
}

#if defined(__x86_64__)
#include <immintrin.h>

/// Eight colours: three gathers, each of two neighbours along luma at once.
__attribute__((target("avx2"))) static inline __m256i
lookup8(const int16_t *table, __m256i luma, __m256i cb, __m256i cr, __m256i bias, __m128i shift) {
  __m256i fl = _mm256_and_si256(luma, _mm256_set1_epi32(15));
  __m256i fb = _mm256_and_si256(cb, _mm256_set1_epi32(63));
  __m256i fr = _mm256_and_si256(cr, _mm256_set1_epi32(63));
  // Weights of the two neighbours, in the lower and the upper half of each lane.
  __m256i along = _mm256_or_si256(_mm256_sub_epi32(_mm256_set1_epi32(16), fl), _mm256_slli_epi32(fl, 16));
  __m256i at = _mm256_add_epi32(
      _mm256_add_epi32(_mm256_mullo_epi16(_mm256_srli_epi32(cr, 6), _mm256_set1_epi32(COLOR_TABLE_NODES)),
                       _mm256_srli_epi32(luma, 4)),
      _mm256_madd_epi16(_mm256_srli_epi32(cb, 6), _mm256_set1_epi32(PLANE)));
  __m256i isBlue = _mm256_cmpgt_epi32(fb, fr);
  __m256i middle = _mm256_add_epi32(
      at, _mm256_blendv_epi8(_mm256_set1_epi32(COLOR_TABLE_NODES), _mm256_set1_epi32(PLANE), isBlue));
  __m256i far = _mm256_add_epi32(at, _mm256_set1_epi32(PLANE + COLOR_TABLE_NODES));
  __m256i more = _mm256_max_epi16(fb, fr), less = _mm256_min_epi16(fb, fr);
  __m256i w0 = _mm256_sub_epi32(_mm256_set1_epi32(64), more);
  __m256i w1 = _mm256_sub_epi32(more, less);
  w0 = _mm256_or_si256(w0, _mm256_slli_epi32(w0, 16));
  w1 = _mm256_or_si256(w1, _mm256_slli_epi32(w1, 16));
  __m256i w2 = _mm256_or_si256(less, _mm256_slli_epi32(less, 16));
  const int *base = (const int *)(const void *)table;
  __m256i v0 = _mm256_i32gather_epi32(base, at, 2);
  __m256i v1 = _mm256_i32gather_epi32(base, middle, 2);
  __m256i v2 = _mm256_i32gather_epi32(base, far, 2);
  __m256i sum = _mm256_madd_epi16(v0, _mm256_mullo_epi16(w0, along));
  sum = _mm256_add_epi32(sum, _mm256_madd_epi16(v1, _mm256_mullo_epi16(w1, along)));
  sum = _mm256_add_epi32(sum, _mm256_madd_epi16(v2, _mm256_mullo_epi16(w2, along)));
  return _mm256_sra_epi32(_mm256_add_epi32(sum, bias), shift);
}

__attribute__((target("avx2"))) static void
lookup_avx2(const int16_t *table, const uint16_t *luma, const uint16_t *cb, const uint16_t *cr, int64_t count,
            int depth, int least, int greatest, void *result) {
  int bits = 24 - depth;
  __m128i shift = _mm_cvtsi32_si128(bits);
  __m256i bias = _mm256_set1_epi32((16384 << 10) + (1 << (bits - 1)));
  __m256i low = _mm256_set1_epi16((short)least), high = _mm256_set1_epi16((short)greatest);
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    __m256i half[2];
    for (int k = 0; k < 2; k++) {
      __m256i y = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(luma + i + 8 * k)));
      __m256i b = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(cb + i + 8 * k)));
      __m256i r = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(cr + i + 8 * k)));
      half[k] = lookup8(table, y, b, r, bias, shift);
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
  lookup_default(table, luma, cb, cr, i, count, depth, least, greatest, result);
}
#endif

void color_table_lookup(const int16_t *table, const uint16_t *luma, const uint16_t *cb, const uint16_t *cr,
                        int64_t count, int depth, int least, int greatest, void *result) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    lookup_avx2(table, luma, cb, cr, count, depth, least, greatest, result);
    return;
  }
#endif
  lookup_default(table, luma, cb, cr, 0, count, depth, least, greatest, result);
}
