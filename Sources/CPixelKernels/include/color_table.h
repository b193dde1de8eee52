#ifndef COLOR_TABLE_H
#define COLOR_TABLE_H

#include <stdint.h>

// Tables of one colour component over luma, Cb and Cr, with 65 nodes per axis. A value v, in units of 1/256 of the code range
// (like 8-bit codes), is stored as (v + 256) * 64 - 32768.

enum {
  /// The number of values in a table arranged by nodes.
  COLOR_TABLE_NODES = 65 * 65 * 65,
  /// The number of values in a table arranged by cells.
  COLOR_TABLE_CELLS = 64 * 64 * 64 * 8,
};

/// Copies the eight corners of each cell next to each other, so that a single load reads them all.
///
/// - nodes: [(cb * 65 + cr) * 65 + luma]
/// - cells: [((cb * 64 + cr) * 64 + luma) * 8], with the corners in this order: the cell's own, at cb + 1, at cr + 1, and
///   at both; each first at luma and then at luma + 1
void color_table_gather(const int16_t *nodes, int16_t *cells);

/// Looks up colours. Between nodes, values are interpolated linearly along luma, and linearly over the two triangles of a cell
/// in the plane of Cb and Cr, so six nodes determine a value.
///
/// - luma: the positions on the luma axis in 1/16 of a node, 0 to 1023
/// - cb, cr: the positions on the Cb and Cr axes in 1/64 of a node, 0 to 4095
/// - count: the number of colours
/// - depth: the number of bits per result, 8 to 10
/// - least, greatest: the range to which results are clamped
/// - result: `count` samples, of one byte for 8 bits and of two bytes otherwise
void color_table_lookup(const int16_t *cells, const uint16_t *luma, const uint16_t *cb, const uint16_t *cr,
                        int64_t count, int depth, int least, int greatest, void *result);

/// Does the same without the vector unit, for machines without one and for comparison.
void color_table_lookup_plain(const int16_t *cells, const uint16_t *luma, const uint16_t *cb, const uint16_t *cr,
                              int64_t count, int depth, int least, int greatest, void *result);

#endif
