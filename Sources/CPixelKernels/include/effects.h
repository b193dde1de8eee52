#ifndef EFFECTS_H
#define EFFECTS_H

#include <stdint.h>

// Vignette and grain along a row. Samples have one byte at a depth of 8 and two bytes above.

/// Computes how far a vignette fades each column: amount * t² * (3 - 2 t) with t = (d - radius) / width + 1/2, clamped to the
/// range from 0 to 1.
///
/// - across: the squared distances of the columns from the centre
/// - down: the squared distance of the row from the centre
void vignette_shares(const float *across, float down, int64_t count, float amount, float radius, float width,
                     float *shares);

/// Moves samples towards a target by a fraction of the distance.
void vignette_apply(const float *shares, int64_t count, float target, int depth, int least, int greatest,
                    void *samples);

/// Adds amount * 4 v (1 - v) times the pattern, where v rises from 0 at black to 1 at white. The amount is reduced if the
/// greatest number of a pattern would lead beyond black or white.
void grain_apply(const int8_t *pattern, int64_t count, float amount, float black, float white, int depth, int least,
                 int greatest, void *samples);

#endif
