#include "check.h"
#include "cell_grid.h"
#include "effects.h"
#include "local_gains.h"
#include "sharpening.h"

// Tests sharpness, vignette, grain, regional gains and means over cells.

enum { COUNT = 173, RADIUS = 4 };

static int32_t blurred(const int16_t *numbers[], const int16_t *weights, int radius, int64_t i) {
  double sum = floor(numbers[radius][i] * weights[0] / 32768.0 + 0.5);
  // The two samples at the same distance share one product.
  for (int k = 1; k <= radius; k++)
    sum += floor((numbers[radius - k][i] + numbers[radius + k][i]) * weights[k] / 32768.0 + 0.5);
  return (int32_t)sum;
}

static void test_sharpening(void) {
  uint16_t samples[COUNT], before[COUNT];
  int16_t row[COUNT + 2 * RADIUS], mean[COUNT], difference[COUNT], size[COUNT], result[COUNT];
  kernel("sharpening_load");
  for (int depth = 8; depth <= 14; depth++) {
    fill_codes(samples, COUNT, depth);
    sharpening_load(samples, COUNT, depth, row);
    for (int i = 0; i < COUNT; i++) near(row[i], floor(code_at(samples, i, depth) * pow(2, 12 - depth)) - 2048, 0);
  }
  int16_t rows[2 * RADIUS + 1][COUNT + 2 * RADIUS], weights[RADIUS + 1];
  const int16_t *from[2 * RADIUS + 1], *shifted[2 * RADIUS + 1];
  for (int along = 0; along < 2; along++) {
    kernel(along ? "sharpening_blur_row" : "sharpening_blur_rows");
    for (int radius = 1; radius <= RADIUS; radius++) {
      int left = 32767;
      for (int k = radius; k > 0; left -= 2 * weights[k--]) weights[k] = (int16_t)pick(0, left / (2 * k + 1));
      weights[0] = (int16_t)left;
      for (int k = 0; k <= 2 * radius; k++) {
        for (int i = 0; i < COUNT + 2 * RADIUS; i++) rows[k][i] = (int16_t)pick(-8192, 8191);
        from[k] = rows[k];
        shifted[k] = rows[0] + RADIUS + k - radius;
      }
      if (along) sharpening_blur_row(rows[0] + RADIUS, weights, radius, COUNT, result);
      else sharpening_blur_rows(from, weights, radius, COUNT, result);
      for (int i = 0; i < COUNT; i++) near(result[i], blurred(along ? shifted : from, weights, radius, i), 0);
    }
  }
  kernel("sharpening_difference");
  for (int i = 0; i < COUNT; i++) row[i] = (int16_t)pick(-2048, 2047), mean[i] = (int16_t)pick(-2048, 2047);
  sharpening_difference(row, mean, COUNT, difference, size);
  for (int i = 0; i < COUNT; i++) {
    near(difference[i], row[i] - mean[i], 0);
    near(size[i], abs(row[i] - mean[i]), 0);
  }
  kernel("sharpening_addition");
  for (int depth = 8; depth <= 10; depth++) {
    fill_codes(samples, COUNT, depth);
    const int least = 16 << (depth - 8), greatest = 235 << (depth - 8);
    const double unit = 16 / pow(2, depth - 8);
    sharpening_addition(difference, size, COUNT, 1.5f, 3, 90, samples, depth, least, greatest, result);
    for (int i = 0; i < COUNT; i++) {
      const double v = size[i] / 16.0 * size[i] / 16.0, at = code_at(samples, i, depth) * unit;
      near(result[i], within(difference[i] * 1.5 * v * 90 / ((v + 3) * (v + 90)), least * unit - at, greatest * unit - at), 0.51);
    }
  }
  kernel("sharpening_apply");
  for (int depth = 8; depth <= 10; depth++) {
    fill_codes(samples, COUNT, depth);
    memcpy(before, samples, sizeof before);
    sharpening_apply(difference, mean, COUNT, depth, 3, 200 << (depth - 8), samples);
    for (int i = 0; i < COUNT; i++)
      coded(code_at(samples, i, depth), code_at(before, i, depth) + (difference[i] - mean[i]) / 16.0 * pow(2, depth - 8), 1e-3, 3, 200 << (depth - 8));
  }
}

static void test_effects(void) {
  uint16_t samples[COUNT], before[COUNT];
  float across[COUNT], shares[COUNT];
  int8_t pattern[COUNT];
  kernel("vignette_shares");
  fill(across, COUNT, 0, 1);
  vignette_shares(across, 0.2f, COUNT, 0.8f, 0.7f, 0.5f, shares);
  for (int i = 0; i < COUNT; i++) {
    const double t = within((sqrt(across[i] + 0.2) - 0.7) / 0.5 + 0.5, 0, 1);
    near(shares[i], 0.8 * t * t * (3 - 2 * t), 1e-5);
  }
  for (int k = 0; k < 2; k++)
    for (int depth = 8; depth <= 12; depth += 2) {
      if (depth == 8) kernel(k ? "grain_apply" : "vignette_apply");
      const double scale = pow(2, depth - 8), black = 16 * scale, white = 235 * scale;
      for (int i = 0; i < COUNT; i++) pattern[i] = (int8_t)pick(-127, 127);
      fill_codes(samples, COUNT, depth);
      memcpy(before, samples, sizeof before);
      if (k) grain_apply(pattern, COUNT, 0.3f, (float)black, (float)white, depth, 2, (1 << depth) - 2, samples);
      else vignette_apply(shares, COUNT, (float)black, depth, 2, (1 << depth) - 2, samples);
      for (int i = 0; i < COUNT; i++) {
        const double code = code_at(before, i, depth), v = within((code - black) / (white - black), 0, 1);
        const double room = fmin(v, 1 - v) * (white - black) / 127;
        const double wanted = k ? code + fmin(0.3 * 4 * v * (1 - v), room) * pattern[i] : code + (black - code) * shares[i];
        coded(code_at(samples, i, depth), wanted, 2e-3, 2, (1 << depth) - 2);
      }
    }
}

static void test_gains(void) {
  enum { LEVELS = 5, NODES = COUNT / 8 + 3 };
  uint16_t samples[COUNT], before[COUNT];
  float upper[NODES * LEVELS * 2], lower[NODES * LEVELS * 2], factors[COUNT], others[COUNT];
  kernel("local_gains_of_row");
  for (int depth = 8; depth <= 10; depth++) {
    const double black = 16 << (depth - 8), white = 235 << (depth - 8);
    fill(upper, NODES * LEVELS * 2, -3, 3);
    fill(lower, NODES * LEVELS * 2, -3, 3);
    fill_codes(samples, COUNT, depth);
    local_gains_of_row(upper, lower, 0.3f, LEVELS, samples, COUNT, depth, (float)black, (float)white, factors, others);
    for (int i = 0; i < COUNT; i++) {
      const double level = within((code_at(samples, i, depth) - black) / (white - black) * (LEVELS - 1), 0, LEVELS - 1);
      const double place = (i % 8 + 0.5) / 8;
      const int cell = (int)fmin(level, LEVELS - 2);
      double sums[2] = {0};
      for (int part = 0; part < 16; part++) {
        const int k = part >> 3, down = part >> 2 & 1, along = part >> 1 & 1, up = part & 1;
        sums[k] += (down ? lower : upper)[((i / 8 + along) * LEVELS + cell + up) * 2 + k] * (down ? 0.3 : 0.7) *
                   (along ? place : 1 - place) * (up ? level - cell : 1 - level + cell);
      }
      near(factors[i], pow(2, sums[0]), 2e-5 * pow(2, sums[0]));
      near(others[i], pow(2, sums[0]) * sums[1], 1e-4 * pow(2, sums[0]));
    }
  }
  kernel("local_gains_apply");
  for (int depth = 8; depth <= 10; depth++) {
    const int middle = 128 << (depth - 8);
    fill_codes(samples, COUNT, depth);
    memcpy(before, samples, sizeof before);
    local_gains_apply(factors, COUNT, (float)middle, depth, 1, 240 << (depth - 8), samples);
    for (int i = 0; i < COUNT; i++)
      coded(code_at(samples, i, depth), middle + (code_at(before, i, depth) - middle) * (double)factors[i], 2e-3, 1, 240 << (depth - 8));
  }
}

static void test_cells(void) {
  uint16_t samples[COUNT];
  float sums[COUNT], means[COUNT], wanted[COUNT];
  kernel("cell_grid_add");
  fill(sums, COUNT, -100, 100);
  for (int depth = 8; depth <= 10; depth++) {
    memcpy(wanted, sums, sizeof sums);
    fill_codes(samples, COUNT, depth);
    cell_grid_add(samples, COUNT, depth, sums);
    for (int i = 0; i < COUNT; i++) near(sums[i], wanted[i] + code_at(samples, i, depth) * pow(2, 8 - depth) - 128, 1e-3);
  }
  kernel("cell_grid_means");
  for (int across = 1; across < 40; across += 6) {
    cell_grid_means(sums, COUNT, across, 5, means);
    for (int cell = 0; cell * across < COUNT; cell++) {
      double sum = 0, columns = 0;
      for (int i = cell * across; i < COUNT && i < (cell + 1) * across; i++, columns++) sum += sums[i];
      near(means[cell], sum / columns / 5, 1e-3);
    }
  }
}

void test_detail(void) {
  test_sharpening();
  test_effects();
  test_gains();
  test_cells();
}
