#ifndef SAMPLE_PLACES_H
#define SAMPLE_PLACES_H

#include <stdint.h>

// From samples to places on the axes of a colour table, see color_table.h. Samples have one byte for a depth of 8 and
// two bytes for 9 and 10.

/// The places of chroma samples along a row.
enum {
  /// One for each luma sample.
  PLACES_EVERY = 0,
  /// One for two, in the middle between them.
  PLACES_CENTRED = 1,
  /// One for two, on the left one.
  PLACES_LEFT = 2,
};

/// Places of luma samples, in 1/16 of a node.
void places_of_luma(const void *samples, int64_t count, int depth, uint16_t *places);

/// Places of the means of luma blocks, in 1/16 of a node: `across` columns of two rows (one row twice where a block
/// has one row only). Columns beyond `count` repeat the last.
void places_of_means(const void *upper, const void *lower, int64_t count, int across, int depth, int64_t blocks,
                     uint16_t *places);

/// Places of chroma samples themselves, in 1/64 of a node.
void places_of_chroma(const void *samples, int64_t count, int depth, uint16_t *places);

/// Places of chroma at the luma samples of one row, in 1/64 of a node.
///
/// - near, far: chroma rows, mixed with weights of `weight` and 4 - `weight` quarters
/// - chroma_count, luma_count: samples in a row of either
/// - layout: PLACES_…
/// - blend: room for `chroma_count` + 2 numbers
void places_between_chroma(const void *near, const void *far, int weight, int64_t chroma_count, int64_t luma_count,
                           int layout, int depth, uint16_t *blend, uint16_t *places);

#endif
