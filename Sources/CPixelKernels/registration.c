#include "registration.h"
#include "wide.h"

#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

#define LANES 8
typedef float Lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t Flags __attribute__((vector_size(4 * LANES)));

typedef float Numbers __attribute__((vector_size(4 * LANES), aligned(4)));

// Macros, because functions with vector arguments have different calling conventions with and without AVX.
#define LOAD(from) ((Lanes)*(const Numbers *)(const void *)(from))
/// Selects one number where flags are set, and the other number elsewhere.
#define CHOOSE(flags, one, other) ((Lanes)(((flags) & (Flags)(one)) | (~(flags) & (Flags)(other))))
#define MAGNITUDE(lanes) ((Lanes)((Flags)(lanes) & 0x7fffffff))

WIDE void registration_residuals(const registration_picture *picture, const float *points, int64_t count,
                                 float *residuals, int32_t *bins) {
  const registration_picture p = *picture;
  const float last_x = (float)(p.width - 1), last_y = (float)(p.height - 1);
  const Lanes zero = {}, none = zero + NAN, most = zero + (REGISTRATION_BINS - 1);
  memset(bins, 0, REGISTRATION_BINS * sizeof *bins);
  for (int64_t i = 0; i < count; i += LANES) {
    const Lanes px = LOAD(points + REGISTRATION_X * count + i), py = LOAD(points + REGISTRATION_Y * count + i);
    Lanes x = p.scale * px - p.turn * py + p.x, y = p.turn * px + p.scale * py + p.y;
    const Flags is_inside = (x >= 0) & (y >= 0) & (x < last_x) & (y < last_y);
    x = CHOOSE(is_inside, x, zero);
    y = CHOOSE(is_inside, y, zero);
    const Flags column = __builtin_convertvector(x, Flags), row = __builtin_convertvector(y, Flags);
    const Lanes share_x = x - __builtin_convertvector(column, Lanes);
    const Lanes share_y = y - __builtin_convertvector(row, Lanes);
    float corners[4][LANES];
    for (int k = 0; k < LANES; k++) {
      const float *at = p.samples + row[k] * p.width + column[k];
      corners[0][k] = at[0];
      corners[1][k] = at[1];
      corners[2][k] = at[p.width];
      corners[3][k] = at[p.width + 1];
    }
    const Lanes upper = LOAD(corners[0]) + (LOAD(corners[1]) - LOAD(corners[0])) * share_x;
    const Lanes lower = LOAD(corners[2]) + (LOAD(corners[3]) - LOAD(corners[2])) * share_x;
    const Lanes value = LOAD(points + REGISTRATION_VALUE * count + i);
    const Lanes residual = CHOOSE(is_inside, upper + (lower - upper) * share_y - p.gain * value - p.offset, none);
    memcpy(residuals + i, &residual, sizeof residual);
    const Lanes moved = MAGNITUDE(residual) * LOAD(points + REGISTRATION_DISTANCE * count + i) * 128;
    const Flags is_counted = is_inside & (moved < most);
    const Lanes place = CHOOSE(is_counted, moved, most);
    const Flags bin = __builtin_convertvector(place, Flags);
    for (int k = 0; k < LANES; k++) bins[bin[k]] -= is_inside[k];
  }
}

WIDE void registration_equations(const float *points, const float *residuals, int64_t count, float scale, double *sums,
                                 int64_t *seen) {
  memset(sums, 0, 6 * 7 * sizeof *sums);
  seen[0] = seen[1] = 0;
  // Sums over some points use single precision. The total is added up in double precision.
  const int64_t many = 32 * LANES;
  const Lanes zero = {}, one = zero + 1;
  for (int64_t first = 0; first < count; first += many) {
    Lanes rows[6][7] = {};
    Flags inside = {}, agreeing = {};
    for (int64_t i = first; i < count && i < first + many; i += LANES) {
      Lanes residual = LOAD(residuals + i);
      const Flags is_inside = residual == residual;
      residual = CHOOSE(is_inside, residual, zero);
      const Lanes ratio = residual * LOAD(points + REGISTRATION_DISTANCE * count + i) / scale;
      const Lanes root = one / (one + ratio * ratio);
      const Lanes weight = CHOOSE(is_inside, root * root, zero);
      const Lanes slope_x = LOAD(points + REGISTRATION_SLOPE_X * count + i);
      const Lanes slope_y = LOAD(points + REGISTRATION_SLOPE_Y * count + i);
      const Lanes x = CHOOSE(is_inside, LOAD(points + REGISTRATION_X * count + i), zero);
      const Lanes y = LOAD(points + REGISTRATION_Y * count + i);
      inside -= is_inside;
      agreeing -= is_inside & (MAGNITUDE(residual) <= 4 + 0.5f * (MAGNITUDE(slope_x) + MAGNITUDE(slope_y)));
      const Lanes numbers[7] = {slope_x * x + slope_y * y, slope_y * x - slope_x * y, slope_x, slope_y,
                                LOAD(points + REGISTRATION_VALUE * count + i), one, residual};
      for (int row = 0; row < 6; row++) {
        const Lanes weighted = numbers[row] * weight;
        for (int column = row; column < 7; column++) rows[row][column] += weighted * numbers[column];
      }
    }
    for (int k = 0; k < LANES; k++) {
      for (int row = 0; row < 6; row++)
        for (int column = row; column < 7; column++) sums[row * 7 + column] += (double)rows[row][column][k];
      seen[0] += inside[k];
      seen[1] += agreeing[k];
    }
  }
  for (int row = 1; row < 6; row++)
    for (int column = 0; column < row; column++) sums[row * 7 + column] = sums[column * 7 + row];
}
