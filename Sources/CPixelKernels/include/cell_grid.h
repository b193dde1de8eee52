#ifndef CELL_GRID_H
#define CELL_GRID_H

#include <stdint.h>

// Means of a plane over cells of a grid. Values are 8-bit codes less 128. Samples have one byte for a depth of 8 and
// two bytes above.

/// Adds a row of values to sums by columns.
void cell_grid_add(const void *samples, int64_t count, int depth, float *sums);

/// Means by cells of `across` columns, of which the last may have fewer, from sums of `down` rows.
void cell_grid_means(const float *sums, int64_t count, int across, int down, float *means);

#endif
