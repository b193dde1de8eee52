#ifndef REGISTRATION_H
#define REGISTRATION_H

#include <stdint.h>

// The sums that a registration step calculates over the points of a reference. Points are stored in groups of eight. Unused
// points have NaN as their column.

/// The rows of numbers that describe the points.
typedef enum {
  REGISTRATION_X, ///< columns from the centre of the picture
  REGISTRATION_Y, ///< rows from the centre of the picture
  REGISTRATION_SLOPE_X, ///< slopes of brightness
  REGISTRATION_SLOPE_Y,
  REGISTRATION_VALUE, ///< brightness
  REGISTRATION_DISTANCE, ///< the apparent shift of a point if its brightness differs by one
  REGISTRATION_ROWS ///< the number of rows
} registration_row;

/// The number of bins in a histogram. Each bin is 1/128 of a sample wide.
#define REGISTRATION_BINS 512

/// A picture and the mapping from the reference to it.
typedef struct {
  const float *samples;
  int64_t width, height;
  /// The mapping of positions: 1 + a, b, x and y in q = (1 + a, -b; b, 1 + a) p + (x, y).
  float scale, turn, x, y;
  /// The mapping of brightness: that of the reference times `gain`, plus `offset`.
  float gain, offset;
} registration_picture;

/// Computes how much brighter the picture is than the reference at each point, or NaN for points outside the picture.
///
/// - points: rows of `count` numbers each; `count` is divisible by 8
/// - residuals: set to `count` numbers
/// - bins: set to a histogram of the apparent shifts of the points
void registration_residuals(const registration_picture *picture, const float *points, int64_t count, float *residuals,
                            int32_t *bins);

/// Computes the sums of a weighted least-squares problem with six unknowns: the products of six numbers of every point with
/// each other and, at the end of each row, with the residual.
///
/// - scale: the distance at which a point counts a quarter
/// - sums: 6 rows of 7 numbers
/// - seen: set to the number of points within the picture, and to the number of points that agree with the picture
void registration_equations(const float *points, const float *residuals, int64_t count, float scale, double *sums,
                            int64_t *seen);

#endif
