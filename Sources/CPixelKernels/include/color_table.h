#ifndef COLOR_TABLE_H
#define COLOR_TABLE_H

#include <stdint.h>

/// The distance of two nodes along the Cb axis, and the number of nodes of each axis.
#define COLOR_TABLE_NODES 65

/// Looks one component of colours up in a table of 65 nodes an axis.
///
/// The nodes lie at [(cb * 65 + cr) * 65 + luma], each (value + 256) * 64 - 32768 with the value in units of
/// 1/256 of the code range, as 8-bit codes are. Between nodes along luma the value is linear, in the plane
/// of Cb and Cr linear over the two triangles of a cell: six nodes a colour.
///
/// - luma: places on the luma axis in 1/16 of a node, 0 to 1023
/// - cb, cr: places on their axes in 1/64 of a node, 0 to 4095
/// - count: how many colours
/// - depth: bits of a result, 8 to 10
/// - least, greatest: results are kept within these
/// - result: `count` samples of one byte for 8 bits, of two bytes otherwise
void color_table_lookup(const int16_t *table, const uint16_t *luma, const uint16_t *cb, const uint16_t *cr,
                        int64_t count, int depth, int least, int greatest, void *result);

#endif
