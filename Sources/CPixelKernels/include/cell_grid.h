#ifndef CELL_GRID_H
#define CELL_GRID_H

#include <stdint.h>

// Means of a plane over cells of a grid, and planes changed by what is interpolated between them. Values are 8-bit
// codes less 128. Samples have one byte for a depth of 8 and two bytes above.

/// Adds a row of values and of their squares to sums by columns.
void cell_grid_add(const void *samples, int64_t count, int depth, float *sums, float *squares);

/// Means by cells of `across` columns, of which the last may have fewer, from sums of `down` rows.
void cell_grid_means(const float *sums, int64_t count, int across, int down, float *means);

/// Weighted sums of 2 * radius + 1 rows, of which the middle one has weights[0].
void cell_grid_blur_rows(const float *const *rows, const float *weights, int radius, int64_t count, float *result);

/// The same along a row, which can be read from -radius to count + radius.
void cell_grid_blur_row(const float *row, const float *weights, int radius, int64_t count, float *result);

/// Row upper + (lower - upper) * weight.
void cell_grid_between(const float *upper, const float *lower, float weight, int64_t count, float *result);

/// A number to add to each sample of a row: amount * (g * value - m) = e, as e / (1 + |e| / limit), less a shift.
typedef struct {
  /// g, m and the shift by cells; each is interpolated between two of them.
  const float *gains, *means, *shifts;
  /// For each column the first of the two cells, and the share of the second.
  const int32_t *first;
  const float *weight;
  float amount, limit;
  /// Bits of a sample, and what results are kept within.
  int depth, least, greatest;
} CellGridRow;

/// Changes samples.
void cell_grid_apply(const CellGridRow *row, int64_t count, void *samples);

/// Adds up by columns how much samples would change.
void cell_grid_add_changes(const CellGridRow *row, int64_t count, const void *samples, float *sums);

#endif
