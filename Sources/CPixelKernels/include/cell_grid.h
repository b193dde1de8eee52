#ifndef CELL_GRID_H
#define CELL_GRID_H

#include <stdint.h>

// Means of a plane over the cells of a grid. Values are 8-bit codes minus 128. Samples have one byte at a depth of 8 and two
// bytes above.

/// Adds a row of values to column sums.
void cell_grid_add(const void *samples, int64_t count, int depth, float *sums);

/// Computes the means of cells from column sums over `down` rows. Cells have `across` columns; the last cell may have fewer.
void cell_grid_means(const float *sums, int64_t count, int across, int down, float *means);

#endif
