#ifndef PICTURE_FEATURES_H
#define PICTURE_FEATURES_H

#include <stdint.h>

/// Numbers of a descriptor.
enum { FEATURE_NUMBERS = 128 };

/// Replaces every sample by the mean of the square around it, which is cut off at the picture's edges.
///
/// - samples, room: width * height numbers each; the second ones are written over
/// - reach: how far a square reaches from its middle
void grey_box(float *samples, float *room, int64_t width, int64_t height, int64_t reach);

/// The most alike of some descriptors for each of others, by their scalar products.
///
/// - descriptors: `count` times FEATURE_NUMBERS numbers
/// - others: `other_count` times FEATURE_NUMBERS numbers
/// - best: for each descriptor the number of the other one that is most alike; -1 where there is none
/// - likeness: for each descriptor that product
void feature_nearest(const float *descriptors, int64_t count, const float *others, int64_t other_count, int32_t *best,
                     float *likeness);

#endif
