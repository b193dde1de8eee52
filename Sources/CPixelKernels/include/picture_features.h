#ifndef PICTURE_FEATURES_H
#define PICTURE_FEATURES_H

#include <stdint.h>

/// The number of values in a descriptor.
enum { FEATURE_NUMBERS = 128 };

/// Replaces every sample by the mean of the surrounding square, which is cut off at the picture's edges.
///
/// - samples: width * height numbers
/// - room: a buffer for width * height numbers
/// - reach: the distance from the centre of a square to its side
void grey_box(float *samples, float *room, int64_t width, int64_t height, int64_t reach);

/// For each descriptor, finds the most similar one in another list, by scalar product.
///
/// - descriptors: `count` times FEATURE_NUMBERS numbers
/// - others: `other_count` times FEATURE_NUMBERS numbers
/// - best: for each descriptor, set to the index of the most similar descriptor in the other list, or to -1 if there is none
/// - likeness: for each descriptor, set to the scalar product with the most similar one
void feature_nearest(const float *descriptors, int64_t count, const float *others, int64_t other_count, int32_t *best,
                     float *likeness);

#endif
