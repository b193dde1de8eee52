#include "check.h"
#include "block_transform.h"

// Compares transforms of overlapping blocks with the textbook form of the cosine transform.

enum { COUNT = 48, WIDTH = 240, PHASE = 60, ROOM = 8 * WIDTH };

static double basis[8][8];

static double pi(void) { return acos(-1); }

/// The coefficients of the block whose first column is `x`.
static void transformed(const float *const *rows, int64_t x, double *coefficients) {
  for (int v = 0; v < 8; v++)
    for (int u = 0; u < 8; u++) {
      double sum = 0;
      for (int k = 0; k < 64; k++) sum += basis[v][k / 8] * basis[u][k % 8] * rows[k / 8][x + k % 8];
      coefficients[v * 8 + u] = sum;
    }
}

/// The distance between a coefficient and the mean, rounded, at most 9.
static int band(int k) { return (int)fmin(9, floor(hypot(k / 8, k % 8) + 0.5)); }

/// The fraction of a coefficient that is kept, computed from its square and its limit.
static double kept(double square, double limit) { return within((square / limit - 0.3) / 1.9, 0, 1); }

static void test_rows(void) {
  uint16_t samples[WIDTH];
  float numbers[WIDTH], phases[4 * PHASE], factors[PHASE], back[WIDTH];
  kernel("block_load");
  for (int depth = 8; depth <= 12; depth++) {
    fill_codes(samples, WIDTH, depth);
    block_load(samples, WIDTH, depth, numbers);
    for (int i = 0; i < WIDTH; i++) near(numbers[i], code_at(samples, i, depth) * pow(2, 8 - depth), 0);
  }
  kernel("block_store");
  for (int depth = 8; depth <= 12; depth++) {
    fill(numbers, WIDTH, -10, 265);
    block_store(numbers, WIDTH, depth, 3, (1 << depth) - 5, samples);
    for (int i = 0; i < WIDTH; i++) coded(code_at(samples, i, depth), numbers[i] * pow(2, depth - 8), 1e-3, 3, (1 << depth) - 5);
  }
  for (int is_join = 0; is_join < 2; is_join++)
    for (int step = 2; step <= 4; step += 2)
      for (int64_t first = -6; first <= 2; first++) {
        if (step == 2 && first == -6) kernel(is_join ? "block_join" : "block_split");
        const int64_t count = PHASE * step - 9, phase = PHASE;
        fill(numbers, WIDTH, 0, 255);
        fill(factors, PHASE, 0.5, 2);
        block_split(numbers, count, first, step, phase, phases);
        if (is_join && first <= 0) block_join(phases, factors, count, first, step, phase, back);
        for (int64_t k = 0; k < step * phase; k++) {
          const int64_t at = first + k / phase + k % phase * step;
          // Beyond an end, the row is mirrored, with the outermost number repeated.
          const int64_t mirrored = at < 0 ? -1 - at : at < count ? at : 2 * count - 1 - at;
          if (!is_join) near(phases[k], numbers[mirrored], 0);
          else if (first <= 0 && at >= 0 && at < count) near(back[at], numbers[at] * (double)factors[k % phase], 1e-4);
        }
      }
}

static float samples[3][8][WIDTH], sums[8][WIDTH], phased[2][8][4 * PHASE], room[3][ROOM], total[8][4 * PHASE];

/// Rows of samples in phases, and the sums that a function computes from them, combined again.
static void test_shrinking(int kind) {
  const char *names[] = {"block_shrink", "block_merge", "block_weigh"};
  kernel(names[kind]);
  for (int step = 2; step <= 4; step += 2) {
    if ((kind == 1 && step == 2) || (kind == 2 && step == 4)) continue;
    const float *rows[8], *pilots[8], *plain[8], *plain_pilots[8];
    float *to[8], deviations[10], limits[64], scales[COUNT], gains[COUNT], weights[COUNT];
    for (int r = 0; r < 8; r++) {
      fill(samples[0][r], WIDTH, 0, 12);
      fill(samples[1][r], WIDTH, 0, 12);
      for (int k = 0; k < 2; k++) block_split(samples[k][r], WIDTH, 0, step, PHASE, phased[k][r]);
      rows[r] = phased[0][r], pilots[r] = phased[1][r], plain[r] = samples[0][r], plain_pilots[r] = samples[1][r];
      to[r] = memset(total[r], 0, sizeof total[r]);
      memset(sums[r], 0, sizeof sums[r]);
    }
    fill(deviations, 10, 2, 6);
    fill(scales, COUNT, 0.5, 2);
    fill(gains, COUNT, 0, 1);
    block_limits(deviations, 1.5f, limits);
    const BlockRows blocks = {rows, to, room[0], room[1], pilots, room[2], PHASE, step};
    if (kind == 0) block_shrink(&blocks, COUNT, limits, scales, weights);
    if (kind == 1) block_merge(&blocks, COUNT, limits, scales, gains, weights);
    if (kind == 2) block_weigh(&blocks, COUNT, limits, scales, weights);
    static double wanted[8][WIDTH];
    memset(wanted, 0, sizeof wanted);
    for (int i = 0; i < COUNT; i++) {
      double c[64], p[64], squares = kind == 1 ? 0 : 1, share[64] = {1};
      transformed(plain, (int64_t)i * step, c);
      transformed(plain_pilots, (int64_t)i * step, p);
      for (int k = kind == 1 ? 0 : 1; k < 64; k++) {
        const double limit = pow(deviations[band(k)] * 1.5, 2) * scales[i];
        share[k] = kept(c[k] * c[k], limit);
        if (kind == 1) share[k] = gains[i] + (1 - gains[i]) * share[k];
        if (kind == 2) share[k] = p[k] * p[k] / (p[k] * p[k] + limit);
        squares += kind == 1 ? share[k] / 64 : share[k] * share[k];
      }
      near(weights[i], kind == 1 ? squares : 1 / squares, 2e-3);
      for (int at = 0; at < 64; at++) {
        double sum = 0;
        for (int k = 0; k < 64; k++) sum += c[k] * share[k] * basis[k / 8][at / 8] * basis[k % 8][at % 8];
        wanted[at / 8][i * step + at % 8] += sum * (kind == 1 ? 0.25 : 1 / squares);
      }
    }
    for (int r = 0; r < 8; r++)
      for (int x = 0; x < (COUNT - 1) * step + 8; x++) near(total[r][x % step * PHASE + x / step], wanted[r][x], 0.02);
  }
}

static void test_others(void) {
  float deviations[10], limits[64], inverse[COUNT], energies[18 * COUNT], weights[4][COUNT + 3];
  fill(deviations, 10, 1, 9);
  kernel("block_limits");
  block_limits(deviations, 2, limits);
  for (int k = 0; k < 64; k++) {
    // The transform's own scale, 8 a(row) a(column) with a(0) = 1 and a(n) = sqrt(2) cos(n pi / 16), relative to orthonormal coefficients.
    const double a = k / 8 ? sqrt(2) * cos(k / 8 * pi() / 16) : 1, b = k % 8 ? sqrt(2) * cos(k % 8 * pi() / 16) : 1;
    near(limits[k], pow(deviations[band(k)] * 2 * 8 * a * b, 2) + 0.01, 1e-3 * limits[k]);
  }
  kernel("block_inverse_weights");
  for (int step = 2; step <= 4; step += 2) {
    const float *rows[4];
    for (int k = 0; k < 4; k++) {
      fill(weights[k], COUNT + 3, 0.1, 1);
      memset(weights[k], 0, 3 * sizeof(float));
      rows[k] = weights[k] + 3;
    }
    block_inverse_weights(rows, step, COUNT, inverse);
    for (int i = 0; i < COUNT; i++) {
      double sum = 0;
      for (int r = 0; r < 8 / step; r++)
        for (int q = 0; q < 8 / step; q++) sum += rows[r][i - q];
      near(inverse[i], 1 / sum, 1e-4 / sum);
    }
  }
  kernel("block_energies");
  const float *rows[8];
  for (int r = 0; r < 8; r++) rows[r] = samples[0][r];
  for (int64_t count = 1; count <= 37; count += 12) {
    block_energies(rows, count, 6, energies);
    for (int64_t i = 0; i < count; i++) {
      double c[64], wanted[18] = {0}, seen[18] = {0};
      transformed(rows, i * 6, c);
      for (int k = 1; k < 64; k++) {
        const int e = (k / 8 + k % 8) % 2 * 9 + band(k) - 1;
        wanted[e] += c[k] * c[k];
        seen[e]++;
      }
      for (int e = 0; e < 18; e++) near(energies[e * count + i], seen[e] > 0 ? wanted[e] / seen[e] : 0, 1e-3 * (1 + wanted[e]));
    }
  }
}

void test_blocks(void) {
  for (int k = 0; k < 8; k++)
    for (int n = 0; n < 8; n++) basis[k][n] = (k ? 0.5 : sqrt(0.125)) * cos((2 * n + 1) * k * pi() / 16);
  test_rows();
  for (int kind = 0; kind < 3; kind++) test_shrinking(kind);
  test_others();
}
