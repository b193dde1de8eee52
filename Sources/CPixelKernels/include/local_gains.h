#ifndef LOCAL_GAINS_H
#define LOCAL_GAINS_H

#include <stdint.h>

// Gains over place and lightness along a row. Samples have one byte for a depth of 8 and two bytes above.

/// The gains of a row's pixels, between the nodes around them: along the row, from one row of nodes to the next, and along
/// lightness.
///
/// Nodes stand at every 8th pixel from the first one's left edge on. Each has two numbers for each level, from black to white:
/// the logarithm (of base 2) of a factor, and another factor.
///
/// - upper, lower: nodes of the rows above and below the pixels
/// - share: the lower ones'
/// - levels: of each node
/// - luma: the row's samples, before anything is done to them
/// - black, white: the codes of the first level and the last
/// - factors: the first factor of each pixel
/// - others: the second one's product with the first
void local_gains_of_row(const float *upper, const float *lower, float share, int levels, const void *luma,
                        int64_t count, int depth, float black, float white, float *factors, float *others);

/// Multiplies samples, counted from a middle.
void local_gains_apply(const float *factors, int64_t count, float middle, int depth, int least, int greatest,
                       void *samples);

#endif
