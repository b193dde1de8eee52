#ifndef BLOCK_TRANSFORM_H
#define BLOCK_TRANSFORM_H

#include <stdint.h>

// The orthonormal discrete cosine transform of overlapping 8x8 blocks, which begin at every `step`-th column and row (step
// is 2 or 4). A row is stored as `step` phases, one after another: phase p contains every step-th sample, beginning with
// sample p, so that several neighbouring blocks can be processed together. Numbers are 8-bit codes.

/// The number of blocks processed together. The number of blocks in a row is always a multiple of it.
#define BLOCK_LANES 16

/// Eight rows of samples, and eight rows of sums of the changed blocks.
typedef struct {
  const float *const *rows;
  float *const *sums;
  /// Buffers for eight times `step` phases each.
  float *frequencies, *changed;
  /// The same rows of a plane that is nearly free of noise, and a buffer for its coefficients; only for ``block_weigh``.
  const float *const *pilots;
  float *pilot_frequencies;
  /// The length of a phase: at least the number of blocks plus 8 / step.
  int64_t phase;
  int32_t step;
} BlockRows;

/// Converts samples to numbers. Samples have one byte at a depth of 8 and two bytes above.
void block_load(const void *samples, int64_t count, int depth, float *numbers);
/// Converts numbers to samples, rounded and clamped to the range from `least` to `greatest`.
void block_store(const float *numbers, int64_t count, int depth, int least, int greatest, void *samples);

/// Splits a row into phases of `phase` numbers each, beginning at the column `first`, which may be negative. Outside its
/// ends the row is mirrored.
void block_split(const float *numbers, int64_t count, int64_t first, int step, int64_t phase, float *phases);
/// Joins phases to a row. Each number is multiplied by the factor of its cell of `step` columns.
void block_join(const float *phases, const float *factors, int64_t count, int64_t first, int step, int64_t phase,
                float *numbers);

/// Computes the limits of coefficients for the functions below: the squares of multiples of the noise's standard deviations.
///
/// - deviations: the standard deviations by frequency band, beginning with that of the mean
/// - limits: one for each of the 64 coefficients
void block_limits(const float *deviations, float multiple, float *limits);

/// Drops coefficients that are well below their limits, except the mean, keeps those well above, and adds the blocks to the
/// sums. Each block has a weight, which is greater for blocks with few remaining coefficients.
///
/// - limits: the limits from ``block_limits``
/// - scales: the factor of the limits for each block, above 0
/// - weights: set to the weight of each block
void block_shrink(const BlockRows *blocks, int64_t count, const float *limits, const float *scales, float *weights);

/// Multiplies coefficients, except the mean, by the gain of a Wiener filter, p² / (p² + limit * scale), where p is the
/// pilot's coefficient, and adds the blocks to the sums with weights as in ``block_shrink``. The step is 2.
void block_weigh(const BlockRows *blocks, int64_t count, const float *limits, const float *scales, float *weights);

/// Multiplies coefficients that are well below their limits by a gain, keeps those well above, and adds the blocks to the
/// sums. Each block has the weight 1/4, because every sample belongs to four blocks. The step is 4.
///
/// - gains: the gain of each block, from 0 to 1
/// - shares: set to the mean factor of each block's coefficients
void block_merge(const BlockRows *blocks, int64_t count, const float *limits, const float *scales, const float *gains,
                 float *shares);

/// Computes the inverse of the sum of block weights in each cell, over 8 / step rows of blocks.
///
/// - weights: the rows, each preceded by 8 / step - 1 zeros
void block_inverse_weights(const float *const *weights, int step, int64_t count, float *inverse);

/// Computes mean squares of the coefficients of blocks at distances of `spacing` columns. The coefficients are divided into
/// two halves, like the squares of a chessboard, and each half into nine frequency bands.
///
/// - rows: eight rows of at least (count - 1) * spacing + 8 numbers
/// - energies: 18 rows with one number for each block: the bands of the first half, then those of the second half
void block_energies(const float *const *rows, int64_t count, int64_t spacing, float *energies);

#endif
