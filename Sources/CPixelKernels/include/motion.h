#ifndef MOTION_H
#define MOTION_H

#include <stdint.h>

// Where the blocks of a picture come from in the one before, and what they are there.

/// Means of two by two samples.
///
/// - count: columns of the result
void motion_halve(const uint8_t *upper, const uint8_t *lower, int64_t count, uint8_t *result);

/// The sum of absolute differences of two squares of 8 or 16 columns and rows.
int32_t motion_difference(const uint8_t *one, int64_t one_stride, const uint8_t *other, int64_t other_stride, int side);

/// Finds the square of 8 columns and rows that is most like another one among those up to `range` columns and rows from a
/// place. Nearer ones are preferred.
void motion_search(const uint8_t *one, int64_t one_stride, const uint8_t *other, int64_t other_stride, int range,
                   int32_t *across, int32_t *down);

/// Samples between samples: a square of `side` columns and rows, 8 or 16, each sample a sum of 8 by 8 weighted ones.
///
/// - rows: side + 7, each from the first column that is needed on
/// - across, down: eight weights each
void motion_compensate(const float *const *rows, const float *across, const float *down, int side, float *result,
                       int64_t stride);

/// Adds up over a row what a small shift of a picture follows from (Lucas and Kanade, IJCAI 1981): products of the
/// slopes xx, xy and yy, and of the slopes and the difference of another picture, which is limited. Rows have room for
/// eight columns more.
void motion_products(const float *other, const float *above, const float *row, const float *below, int64_t count,
                     float limit, float *sums);

#endif
