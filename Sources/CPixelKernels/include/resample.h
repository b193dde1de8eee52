#ifndef RESAMPLE_H
#define RESAMPLE_H

#include <stdint.h>

enum {
  /// Places between two samples.
  RESAMPLE_PHASES = 256,
  /// Weights of a kernel.
  RESAMPLE_TAPS = 4,
  /// Room for the weights of a stretched kernel.
  RESAMPLE_MOST_TAPS = 12,
  /// Stretched kernels.
  RESAMPLE_LEVELS = 8,
};

/// A plane to take samples from, and how.
typedef struct {
  /// The first sample; one byte each for a depth of 8, two otherwise.
  const void *samples;
  /// Bytes from row to row.
  int64_t stride;
  /// Columns and rows.
  int64_t width, height;
  /// Bits of a sample, 8 to 12.
  int depth;
  /// Weights that add up to 1 << 14: [phase * RESAMPLE_TAPS], the second of which belongs to the sample at or before
  /// the place.
  const int16_t *weights;
  /// The same of kernels stretched by 1.25, 1.5, …: [(level - 1) * RESAMPLE_PHASES * RESAMPLE_MOST_TAPS +
  /// phase * RESAMPLE_MOST_TAPS]. A level has 2 * ((5 + level) / 2) weights; of n, number n / 2 - 1 belongs to the
  /// sample at or before the place.
  const int16_t *wide;
  /// From a sample's column and row in the result to those in the plane, where neither needs be whole: the factors of
  /// column, row and 1 in the new column, in the new row, and in what both are divided by, which is positive.
  double x[3], y[3], w[3];
} resample_source;

/// Interpolates one row. Places beyond the plane take its outermost samples.
///
/// - row: its number
/// - count: how many samples, from column 0
void resample_row(const resample_source *source, int64_t row, int64_t count, void *result);

/// The same without the vector unit, for machines that have none and for comparison.
void resample_row_plain(const resample_source *source, int64_t row, int64_t count, void *result);

#endif
