#ifndef LOCAL_GAINS_H
#define LOCAL_GAINS_H

#include <stdint.h>

// Gains that depend on position and lightness, along a row. Samples have one byte at a depth of 8 and two bytes above.

/// Computes the gains of a row's pixels, interpolated between the surrounding nodes: along the row, between rows of nodes, and
/// along lightness.
///
/// Nodes are located at every 8th pixel, beginning at the left edge of the first pixel. Each node has two numbers for each level
/// from black to white: the base-2 logarithm of the first factor, and the second factor.
///
/// - upper, lower: the nodes of the rows above and below the pixels
/// - share: the weight of the lower nodes
/// - levels: the number of levels of each node
/// - luma: the unchanged samples of the row
/// - black, white: the codes of the first and last level
/// - factors: set to the first factor of each pixel
/// - others: set to the product of both factors of each pixel
void local_gains_of_row(const float *upper, const float *lower, float share, int levels, const void *luma,
                        int64_t count, int depth, float black, float white, float *factors, float *others);

/// Multiplies the differences of samples from a middle code.
void local_gains_apply(const float *factors, int64_t count, float middle, int depth, int least, int greatest,
                       void *samples);

#endif
