#ifndef SAMPLE_PLACES_H
#define SAMPLE_PLACES_H

#include <stdint.h>

// Conversion of samples to positions on the axes of a colour table; see color_table.h. Samples have one byte at a depth of 8
// and two bytes at depths of 9 and 10.

/// The positions of chroma samples along a row.
enum {
  /// One chroma sample for each luma sample.
  PLACES_EVERY = 0,
  /// One chroma sample for two luma samples, centred between them.
  PLACES_CENTRED = 1,
  /// One chroma sample for two luma samples, on the left sample.
  PLACES_LEFT = 2,
};

/// Computes the positions of luma samples, in 1/16 of a node.
void places_of_luma(const void *samples, int64_t count, int depth, uint16_t *places);

/// Computes the positions of the means of luma blocks, in 1/16 of a node. A block has `across` columns and two rows. For
/// blocks with one row, pass that row twice. Columns beyond `count` repeat the last column.
void places_of_means(const void *upper, const void *lower, int64_t count, int across, int depth, int64_t blocks,
                     uint16_t *places);

/// Computes the positions of chroma samples, in 1/64 of a node.
void places_of_chroma(const void *samples, int64_t count, int depth, uint16_t *places);

/// Computes the positions of chroma interpolated at the luma samples of one row, in 1/64 of a node.
///
/// - near, far: the chroma rows, mixed with weights of `weight` and 4 - `weight` quarters
/// - chroma_count, luma_count: the numbers of chroma and luma samples in a row
/// - layout: PLACES_…
/// - blend: a buffer for `chroma_count` + 2 numbers
void places_between_chroma(const void *near, const void *far, int weight, int64_t chroma_count, int64_t luma_count,
                           int layout, int depth, uint16_t *blend, uint16_t *places);

#endif
