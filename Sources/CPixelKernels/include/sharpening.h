#ifndef SHARPENING_H
#define SHARPENING_H

#include <stdint.h>

// Rows of luma as 16-bit numbers, in 1/16 of an 8-bit code, minus 2048. Samples have one byte at a depth of 8 and two bytes
// above.

/// Converts luma to numbers.
void sharpening_load(const void *samples, int64_t count, int depth, int16_t *row);

/// Computes weighted sums of 2 * radius + 1 rows, of which the middle row has weights[0]. Weights are in units of 1/32768, and
/// each product is rounded to nearest. Numbers are between -8192 and 8191.
void sharpening_blur_rows(const int16_t *const *rows, const int16_t *weights, int radius, int64_t count,
                          int16_t *result);

/// Computes the same sums along a row, which must be readable from -radius to count + radius.
void sharpening_blur_row(const int16_t *row, const int16_t *weights, int radius, int64_t count, int16_t *result);

/// Computes the difference between luma and its mean, and the absolute value of the difference.
void sharpening_difference(const int16_t *row, const int16_t *mean, int64_t count, int16_t *difference, int16_t *size);

/// Computes the change of luma: the difference times amount * V * limit / ((V + noise) * (V + limit)), where V is the square of
/// the activity in 8-bit codes.
///
/// - samples: the samples from which the difference was computed
/// - least, greatest: the range to which the sum of sample and change is clamped
void sharpening_addition(const int16_t *difference, const int16_t *activity, int64_t count, float amount, float noise,
                         float limit, const void *samples, int depth, int least, int greatest, int16_t *addition);

/// Adds the changes minus their mean to the samples.
///
/// - least, greatest: the range to which results are clamped
/// - samples: the samples, changed in place
void sharpening_apply(const int16_t *addition, const int16_t *mean, int64_t count, int depth, int least, int greatest,
                      void *samples);

#endif
