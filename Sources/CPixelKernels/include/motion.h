#ifndef MOTION_H
#define MOTION_H

#include <stdint.h>

// Motion search between a picture and the previous one, and motion compensation.

/// Computes means of 2×2 samples.
///
/// - count: the number of columns in the result
void motion_halve(const uint8_t *upper, const uint8_t *lower, int64_t count, uint8_t *result);

/// Returns the sum of absolute differences between two squares of 8 or 16 columns and rows.
int32_t motion_difference(const uint8_t *one, int64_t one_stride, const uint8_t *other, int64_t other_stride, int side);

/// Finds the square of 8 columns and rows that is most similar to another square, among those up to `range` columns and rows
/// from a position. Nearer squares are preferred.
void motion_search(const uint8_t *one, int64_t one_stride, const uint8_t *other, int64_t other_stride, int range,
                   int32_t *across, int32_t *down);

/// Interpolates a square of `side` columns and rows (8 or 16). Each sample is a weighted sum of 8×8 samples.
///
/// - rows: side + 7 rows, each beginning at the first column that is needed
/// - across, down: eight weights each
void motion_compensate(const float *const *rows, const float *across, const float *down, int side, float *result,
                       int64_t stride);

/// Adds up, over a row, the terms that determine a small shift of a picture (Lucas and Kanade, IJCAI 1981): the products xx,
/// xy and yy of the slopes, and the products of the slopes and the difference from another picture, which is limited. Rows
/// have room for eight more columns.
void motion_products(const float *other, const float *above, const float *row, const float *below, int64_t count,
                     float limit, float *sums);

#endif
