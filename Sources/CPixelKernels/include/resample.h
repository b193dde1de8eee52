#ifndef RESAMPLE_H
#define RESAMPLE_H

#include <stdint.h>

enum {
  /// The number of positions between two samples.
  RESAMPLE_PHASES = 256,
  /// The number of weights in a kernel.
  RESAMPLE_TAPS = 4,
  /// The number of weights stored for a stretched kernel.
  RESAMPLE_MOST_TAPS = 12,
  /// The number of stretched kernels.
  RESAMPLE_LEVELS = 8,
};

/// A plane to read samples from, and the parameters of the interpolation.
typedef struct {
  /// The first sample. Samples have one byte at a depth of 8 and two bytes otherwise.
  const void *samples;
  /// The distance between rows in bytes.
  int64_t stride;
  /// The numbers of columns and rows.
  int64_t width, height;
  /// The number of bits per sample, 8 to 12.
  int depth;
  /// The weights at [phase * RESAMPLE_TAPS], which add up to 1 << 14. The second weight belongs to the sample at or before
  /// the position.
  const int16_t *weights;
  /// The weights of kernels stretched by 1.25, 1.5, …, at [(level - 1) * RESAMPLE_PHASES * RESAMPLE_MOST_TAPS +
  /// phase * RESAMPLE_MOST_TAPS]. A level has n = 2 * ((5 + level) / 2) weights, of which number n / 2 - 1 belongs to the
  /// sample at or before the position.
  const int16_t *wide;
  /// The mapping from a sample's column and row in the result to those in the plane, which need not be whole numbers: the
  /// factors of column, row and 1 in the new column, in the new row, and in their common divisor, which is positive.
  double x[3], y[3], w[3];
} resample_source;

/// Interpolates one row. Positions outside the plane use its outermost samples.
///
/// - row: the index of the row
/// - count: the number of samples, from column 0
void resample_row(const resample_source *source, int64_t row, int64_t count, void *result);

/// Does the same without the vector unit, for machines without one and for comparison.
void resample_row_plain(const resample_source *source, int64_t row, int64_t count, void *result);

#endif
