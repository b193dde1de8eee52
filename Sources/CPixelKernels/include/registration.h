#ifndef REGISTRATION_H
#define REGISTRATION_H

#include <stdint.h>

// What a step of registration adds up over the places of a reference. Places come in eights: a place that is none has
// NaN for its column.

/// The rows of the numbers of places.
typedef enum {
  REGISTRATION_X, ///< columns from the middle of the picture
  REGISTRATION_Y, ///< rows from the middle
  REGISTRATION_SLOPE_X, ///< slopes of brightness
  REGISTRATION_SLOPE_Y,
  REGISTRATION_VALUE, ///< brightness
  REGISTRATION_DISTANCE, ///< how far a place seems to move where the brightness differs by one
  REGISTRATION_ROWS ///< how many there are
} registration_row;

/// Bins of a histogram, each 1/128 of a sample wide.
#define REGISTRATION_BINS 512

/// A picture, and how the reference lies over it.
typedef struct {
  const float *samples;
  int64_t width, height;
  /// Of the map of places: 1 + a, b, x and y of q = (1 + a, -b; b, 1 + a) p + (x, y).
  float scale, turn, x, y;
  /// Of the brightness: the reference's times `gain` and `offset` more.
  float gain, offset;
} registration_picture;

/// How much brighter the picture is than the reference at each place; NaN for places beyond the picture.
///
/// - points: rows of `count` numbers each; `count` is divisible by 8
/// - residuals: `count` numbers
/// - bins: of the histogram of how far places seem to have moved; zeroed first
void registration_residuals(const registration_picture *picture, const float *points, int64_t count, float *residuals,
                            int32_t *bins);

/// The sums of a weighted least squares problem with six unknowns: products of six numbers of every place with each other
/// and, last in each row, with the residual.
///
/// - scale: the distance at which a place counts a quarter
/// - sums: 6 rows of 7
/// - seen: how many places lie within the picture, and how many of them agree with it
void registration_equations(const float *points, const float *residuals, int64_t count, float scale, double *sums,
                            int64_t *seen);

#endif
