#ifndef LOCAL_LIGHT_H
#define LOCAL_LIGHT_H

#include <stdint.h>

// Local light adjustments. Luma is y = (code - black) / range. Light is measured in EV relative to white. Samples have one
// byte at a depth of 8 and two bytes above.

/// The number of steps per 1.0 of y, and the number of entries in tables by y.
#define LIGHT_CODES 4096
#define LIGHT_CODE_COUNT 4800
/// Tables by EV: the number of steps per EV, the lowest EV, and the number of entries.
#define LIGHT_STEPS 64
#define LIGHT_LEAST (-14)
#define LIGHT_STEP_COUNT (20 * LIGHT_STEPS)

/// Computes means of a grid over 2 * radius + 1 cells, with repeated ends: first along rows into `between`, then along columns.
void grid_box(const float *cells, int64_t width, int64_t height, int radius, float *between, float *result);

/// Computes the guided filter's linear coefficients from box means: a = (gs - g * s) / (gg - g * g + epsilon), b = s - a * g.
void grid_coefficients(const float *g, const float *s, const float *gg, const float *gs, float epsilon, int64_t count,
                       float *a, float *b);

/// Computes the products of corresponding cells.
void grid_product(const float *one, const float *other, int64_t count, float *result);

/// Computes a * g + b.
void grid_line(const float *a, const float *g, const float *b, int64_t count, float *result);

/// Adds the table values for the luma of a row to column sums.
void light_add(const void *samples, int64_t count, int depth, float black, float range, const float *table, float *sums);

/// Interpolates between cells to obtain a number for each column.
void light_widen(const float *cells, const int32_t *first, const float *weight, int64_t count, float *result);

/// The parameters for changing a row.
typedef struct {
  /// The coefficients of the base and of the veil by columns, for the grid rows above and below the row.
  const float *a[2], *b[2], *veil_a[2], *veil_b[2];
  /// The weight of the lower grid row.
  float weight;
  /// Tables by y: light for the base, with a small offset at black, and light.
  const float *smoothed, *light;
  /// Tables by EV of the base: the change in EV, and the fraction of detail to add, or null to add none.
  const float *change, *detail;
  /// A table of y by EV.
  const float *encoded;
  /// The fraction of the veil to remove (negative to add a veil), and the brightest y of the veil.
  float dehaze, airlight;
  float black, range;
  /// The number of bits per sample, and the range to which results are clamped.
  int depth, least, greatest;
} LightRow;

/// Computes means of 2×2 samples from two rows, or single samples from one row, as y.
void light_means(const LightRow *row, const void *upper, const void *lower, int across, int64_t count, int64_t samples,
                 float *means);

/// Computes the factor and offset of luma y and the factor of chroma for each of `count` means. The coefficients of the row
/// also have one entry per mean.
void light_find(const LightRow *row, int64_t count, const float *means, float *scales, float *offsets, float *chroma);

/// Changes a row of luma. Each factor and offset applies to `across` columns.
void light_change_luma(const LightRow *row, const float *scales, const float *offsets, int across, int64_t count,
                       void *samples);

/// Multiplies a row of chroma, measured from its middle code, by the factors of the means that each sample covers. The means
/// of sample i begin at i * means / count.
void light_change_chroma(const LightRow *row, const float *factors, int64_t means, int64_t count, void *samples);

#endif
