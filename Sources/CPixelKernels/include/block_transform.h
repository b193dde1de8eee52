#ifndef BLOCK_TRANSFORM_H
#define BLOCK_TRANSFORM_H

#include <stdint.h>

// The discrete cosine transform (orthonormal) of 8x8 blocks that overlap: they begin at every `step`-th column and row,
// where step is 2 or 4. A row is kept as `step` phases, one behind the other: phase p has every step-th sample from the
// p-th on, so that a number of neighbouring blocks is worked on at once. Numbers are 8-bit codes.

/// Blocks that are worked on at once. Counts of blocks are multiples of it.
#define BLOCK_LANES 16

/// Eight rows of samples, and of what the blocks make of them.
typedef struct {
  const float *const *rows;
  float *const *sums;
  /// Room for eight times `step` phases each.
  float *frequencies, *changed;
  /// The same rows of a plane that is nearly free of noise, and room for it; for ``block_weigh`` alone.
  const float *const *pilots;
  float *pilot_frequencies;
  /// Numbers of a phase: at least the count of blocks and 8 / step.
  int64_t phase;
  int32_t step;
} BlockRows;

/// Samples as numbers. Samples have one byte for a depth of 8 and two bytes above.
void block_load(const void *samples, int64_t count, int depth, float *numbers);
/// Numbers as samples, rounded and kept within two codes.
void block_store(const float *numbers, int64_t count, int depth, int least, int greatest, void *samples);

/// Parts a row into phases of `phase` numbers each, beginning at the column `first`, which may be negative. Beyond its
/// ends the row is mirrored.
void block_split(const float *numbers, int64_t count, int64_t first, int step, int64_t phase, float *phases);
/// Puts phases together to a row, each number multiplied by that of its cell of `step` columns.
void block_join(const float *phases, const float *factors, int64_t count, int64_t first, int step, int64_t phase,
                float *numbers);

/// Limits of coefficients, for the functions below: squares of multiples of deviations of noise.
///
/// - deviations: by bands of frequency, the first of them that of the mean
/// - limits: one for each of 64 coefficients
void block_limits(const float *deviations, float multiple, float *limits);

/// Drops the coefficients of blocks that are well below their limits, all but the mean, keeps those well above, and adds
/// the blocks to the sums, each with its weight, which is greater for blocks of few coefficients.
///
/// - limits: of ``block_limits``
/// - scales: factors of the limits for each block, above 0
/// - weights: one for each block
void block_shrink(const BlockRows *blocks, int64_t count, const float *limits, const float *scales, float *weights);

/// Multiplies the coefficients of blocks, all but the mean, by the gain of a Wiener filter, p² / (p² + limit * scale),
/// with p those of the pilots, and adds the blocks to the sums, each with its weight, likewise. The step is 2.
void block_weigh(const BlockRows *blocks, int64_t count, const float *limits, const float *scales, float *weights);

/// Multiplies the coefficients of blocks that are well below their limits by a gain, keeps those well above, and adds
/// the blocks to the sums, each by a quarter, as many as share a sample. The step is 4.
///
/// - gains: one for each block, from 0 to 1
/// - shares: the mean factor of each block's coefficients
void block_merge(const BlockRows *blocks, int64_t count, const float *limits, const float *scales, const float *gains,
                 float *shares);

/// Adds up weights of blocks by cells, those of 8 / step rows of blocks, and takes the inverse.
///
/// - weights: the rows; before each there is room for 8 / step - 1 zeros
void block_inverse_weights(const float *const *weights, int step, int64_t count, float *inverse);

/// Mean squares of the coefficients of blocks that lie side by side `spacing` columns apart: by two halves of the
/// coefficients, like the fields of a chess board, and in each by nine bands of frequency.
///
/// - rows: eight, of at least (count - 1) * spacing + 8 numbers
/// - energies: for each of 18 one for each block: the bands of the first half, then those of the second
void block_energies(const float *const *rows, int64_t count, int64_t spacing, float *energies);

#endif
