#ifndef COLOR_TABLE_H
#define COLOR_TABLE_H

#include <stdint.h>

// Tables of one component of colours over luma, Cb and Cr, which have 65 nodes an axis. A value v, in units of
// 1/256 of the code range as 8-bit codes are, is stored as (v + 256) * 64 - 32768.

enum {
  /// Numbers of a table by nodes.
  COLOR_TABLE_NODES = 65 * 65 * 65,
  /// Numbers of a table by cells.
  COLOR_TABLE_CELLS = 64 * 64 * 64 * 8,
};

/// Gathers the eight corners of each cell, so that one load has them all.
///
/// - nodes: [(cb * 65 + cr) * 65 + luma]
/// - cells: [((cb * 64 + cr) * 64 + luma) * 8]; the corners are the cell's own, with cb + 1, with cr + 1, with both;
///   of each the one at luma and the one at luma + 1
void color_table_gather(const int16_t *nodes, int16_t *cells);

/// Looks colours up. Between nodes a value is linear along luma, and in the plane of Cb and Cr linear over the two
/// triangles of a cell: six nodes make a value.
///
/// - luma: places on the luma axis in 1/16 of a node, 0 to 1023
/// - cb, cr: places on their axes in 1/64 of a node, 0 to 4095
/// - count: how many colours
/// - depth: bits of a result, 8 to 10
/// - least, greatest: results are kept within these
/// - result: `count` samples of one byte for 8 bits, of two bytes otherwise
void color_table_lookup(const int16_t *cells, const uint16_t *luma, const uint16_t *cb, const uint16_t *cr,
                        int64_t count, int depth, int least, int greatest, void *result);

/// The same without the vector unit, for machines that have none and for comparison.
void color_table_lookup_plain(const int16_t *cells, const uint16_t *luma, const uint16_t *cb, const uint16_t *cr,
                              int64_t count, int depth, int least, int greatest, void *result);

#endif
