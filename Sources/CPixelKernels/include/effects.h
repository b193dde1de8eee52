#ifndef EFFECTS_H
#define EFFECTS_H

#include <stdint.h>

// Vignette and grain along a row. Samples have one byte for a depth of 8 and two bytes above.

/// The share of the way that a vignette takes at each column: amount * t² * (3 - 2 t) with t = (d - radius) / width + 1/2,
/// kept from 0 to 1.
///
/// - across: squares of the columns' distances from the middle
/// - down: the square of the row's
void vignette_shares(const float *across, float down, int64_t count, float amount, float radius, float width,
                     float *shares);

/// Moves samples towards a target by a share of the way.
void vignette_apply(const float *shares, int64_t count, float target, int depth, int least, int greatest,
                    void *samples);

/// Adds amount * 4 v (1 - v) times the pattern, where v goes from 0 to 1 between two codes; less where the pattern's greatest
/// number would lead beyond one of them.
void grain_apply(const int8_t *pattern, int64_t count, float amount, float black, float white, int depth, int least,
                 int greatest, void *samples);

#endif
