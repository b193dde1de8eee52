#ifndef SHARPENING_H
#define SHARPENING_H

#include <stdint.h>

// Rows of luma as 16-bit numbers: 1/16 of an 8-bit code, less 2048. Samples have one byte for a depth of 8 and two
// bytes above.

/// Luma as numbers.
void sharpening_load(const void *samples, int64_t count, int depth, int16_t *row);

/// Weighted sums of 2 * radius + 1 rows, of which the middle one has weights[0]. Weights are in 1/32768, and each
/// product is rounded to nearest. Numbers lie between -8192 and 8191.
void sharpening_blur_rows(const int16_t *const *rows, const int16_t *weights, int radius, int64_t count,
                          int16_t *result);

/// The same along a row, which can be read from -radius to count + radius.
void sharpening_blur_row(const int16_t *row, const int16_t *weights, int radius, int64_t count, int16_t *result);

/// The difference of luma from its mean, and its absolute value.
void sharpening_difference(const int16_t *row, const int16_t *mean, int64_t count, int16_t *difference, int16_t *size);

/// The change of luma: the difference times amount * V * limit / ((V + noise) * (V + limit)), V being the square of the
/// activity in 8-bit codes.
///
/// - samples: what the difference was made of
/// - least, greatest: the sum with the sample is kept within these
void sharpening_addition(const int16_t *difference, const int16_t *activity, int64_t count, float amount, float noise,
                         float limit, const void *samples, int depth, int least, int greatest, int16_t *addition);

/// Adds additions less their mean.
///
/// - least, greatest: results are kept within these
/// - samples: changed in place
void sharpening_apply(const int16_t *addition, const int16_t *mean, int64_t count, int depth, int least, int greatest,
                      void *samples);

#endif
