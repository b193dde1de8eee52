#ifndef LOCAL_LIGHT_H
#define LOCAL_LIGHT_H

#include <stdint.h>

// Light that is raised or lowered by areas. Luma is y = (code - black) / range; light is counted in EV from white.
// Samples have one byte for a depth of 8 and two bytes above.

/// Steps of y in 1, and the entries of tables by y.
#define LIGHT_CODES 4096
#define LIGHT_CODE_COUNT 4800
/// Steps of tables by EV, the least EV of them, and their entries.
#define LIGHT_STEPS 64
#define LIGHT_LEAST (-14)
#define LIGHT_STEP_COUNT (20 * LIGHT_STEPS)

/// Means of the rows of a grid over 2 * radius + 1 cells, the ends repeated: along rows into `between`, then along columns.
void grid_box(const float *cells, int64_t width, int64_t height, int radius, float *between, float *result);

/// Linear coefficients of the guided filter from means over a box: a = (gs - g * s) / (gg - g * g + epsilon), b = s - a * g.
void grid_coefficients(const float *g, const float *s, const float *gg, const float *gs, float epsilon, int64_t count,
                       float *a, float *b);

/// Products of two grids.
void grid_product(const float *one, const float *other, int64_t count, float *result);

/// a * g + b.
void grid_line(const float *a, const float *g, const float *b, int64_t count, float *result);

/// Adds to sums by columns what a table has for the luma of a row.
void light_add(const void *samples, int64_t count, int depth, float black, float range, const float *table, float *sums);

/// Numbers by columns from numbers by cells, each between two of them.
void light_widen(const float *cells, const int32_t *first, const float *weight, int64_t count, float *result);

/// The numbers by which a row is changed.
typedef struct {
  /// Of the base: coefficients by columns, above and below the row; of the veil the same.
  const float *a[2], *b[2], *veil_a[2], *veil_b[2];
  /// The share of the lower one.
  float weight;
  /// By y: light for the base, which black has some of, and light.
  const float *smoothed, *light;
  /// By EV of the base: the change in EV, and the share of detail that is added; null for none.
  const float *change, *detail;
  /// By EV: y.
  const float *encoded;
  /// The share of the veil that is taken away, below 0 added, and its brightest y.
  float dehaze, airlight;
  float black, range;
  /// Bits of a sample, and what results are kept within.
  int depth, least, greatest;
} LightRow;

/// Means of squares of 2 samples, or single samples, of one or two rows, as y.
void light_means(const LightRow *row, const void *upper, const void *lower, int across, int64_t count, int64_t samples,
                 float *means);

/// What luma y is to be multiplied with and what is to be added, and what chroma is to be multiplied with, for each of
/// `count` means; the coefficients are by means too.
void light_find(const LightRow *row, int64_t count, const float *means, float *scales, float *offsets, float *chroma);

/// Changes a row of luma by `across` columns at a time.
void light_change_luma(const LightRow *row, const float *scales, const float *offsets, int across, int64_t count,
                       void *samples);

/// Multiplies a row of chroma, less its middle, by the factor of the means that each sample lies in: those of sample i
/// begin at i * means / count.
void light_change_chroma(const LightRow *row, const float *factors, int64_t means, int64_t count, void *samples);

#endif
