#include "check.h"
#include "motion.h"
#include "picture_features.h"
#include "registration.h"

// Tests the search for the origin of picture parts, and the features by which pictures are recognised.

enum { SIDE = 64 };

static int32_t apart(const uint8_t *one, const uint8_t *other, int side) {
  int32_t sum = 0;
  for (int i = 0; i < side * side; i++) sum += abs(one[i / side * SIDE + i % side] - other[i / side * SIDE + i % side]);
  return sum;
}

static void test_blocks_of_motion(void) {
  uint8_t one[SIDE * SIDE], other[SIDE * SIDE], half[SIDE / 2];
  fill_codes(one, SIDE * SIDE, 8);
  fill_codes(other, SIDE * SIDE, 8);
  kernel("motion_halve");
  motion_halve(one, one + SIDE, SIDE / 2, half);
  for (int i = 0; i < SIDE / 2; i++)
    near(half[i], floor((one[2 * i] + one[2 * i + 1] + one[SIDE + 2 * i] + one[SIDE + 2 * i + 1]) / 4.0 + 0.5), 0);
  kernel("motion_difference");
  for (int side = 8; side <= 16; side += 8)
    for (int k = 0; k < 40; k++) near(motion_difference(one + k, SIDE, other + 3 * k, SIDE, side), apart(one + k, other + 3 * k, side), 0);
  kernel("motion_search");
  for (int k = 0; k < 25; k++) {
    // Half of the time a copy exists.
    const int x = (int)pick(-5, 5), y = (int)pick(-5, 5), place = 20 * SIDE + 20;
    for (int i = 0; i < 64 && k % 2; i++) other[place + (y + i / 8) * SIDE + x + i % 8] = one[i / 8 * SIDE + i % 8];
    int32_t across = 99, down = 99, best_x = 0, best_y = 0;
    motion_search(one, SIDE, other + place, SIDE, 6, &across, &down);
    double least = INFINITY;
    for (int j = -6; j <= 6; j++)
      for (int i = -6; i <= 6; i++) {
        const double cost = apart(one, other + place + j * SIDE + i, 8) + abs(i) + abs(j) + (i || j ? 32 : 0);
        if (cost < least) least = cost, best_x = i, best_y = j;
      }
    near(across, best_x, 0);
    near(down, best_y, 0);
  }
  kernel("motion_compensate");
  float samples[23][24], weights[2][8], result[16 * 16];
  const float *rows[23];
  for (int k = 0; k < 23; k++) rows[k] = samples[k], fill(samples[k], 24, 0, 255);
  for (int kind = 0; kind < 8; kind++) {
    const int side = kind & 4 ? 16 : 8;
    for (int k = 0; k < 2; k++) {
      fill(weights[k], 8, -0.2, 0.5);
      if (kind >> k & 1)
        for (int i = 0; i < 8; i++) weights[k][i] = i == 3;
    }
    motion_compensate(rows, weights[0], weights[1], side, result, 16);
    for (int i = 0; i < side * side; i++) {
      double sum = 0;
      for (int tap = 0; tap < 64; tap++) sum += (double)weights[0][tap % 8] * weights[1][tap / 8] * samples[i / side + tap / 8][i % side + tap % 8];
      near(result[i / side * 16 + i % side], sum, 1e-3);
    }
  }
  kernel("motion_products");
  for (int count = 1; count < 60; count += 4) {
    float r[4][80], sums[5] = {1, 2, 3, 4, 5};
    for (int k = 0; k < 4; k++) fill(r[k], 80, 0, 20);
    double wanted[5] = {1, 2, 3, 4, 5};
    for (int x = 1; x <= count; x++) {
      const double across = (r[2][x + 1] - (double)r[2][x - 1]) / 2, down = (r[3][x] - (double)r[1][x]) / 2;
      const double d = within(r[0][x] - (double)r[2][x], -6, 6), products[5] = {across * across, across * down, down * down, across * d, down * d};
      for (int k = 0; k < 5; k++) wanted[k] += products[k];
    }
    motion_products(r[0] + 1, r[1] + 1, r[2] + 1, r[3] + 1, count, 6, sums);
    for (int k = 0; k < 5; k++) near(sums[k], wanted[k], 0.02);
  }
}

static void test_features(void) {
  enum { WIDTH = 37, HEIGHT = 23, ONES = 9, OTHERS = 31 };
  static float samples[WIDTH * HEIGHT], room[WIDTH * HEIGHT], before[WIDTH * HEIGHT];
  kernel("grey_box");
  for (int reach = 0; reach < 50; reach += 7) {
    fill(samples, WIDTH * HEIGHT, 0, 255);
    memcpy(before, samples, sizeof before);
    grey_box(samples, room, WIDTH, HEIGHT, reach);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
      double sum = 0, seen = 0;
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          if (abs(x - i % WIDTH) <= reach && abs(y - i / WIDTH) <= reach) sum += before[y * WIDTH + x], seen++;
      near(samples[i], sum / seen, 5e-3);
    }
  }
  kernel("feature_nearest");
  static float ones[ONES * FEATURE_NUMBERS], others[OTHERS * FEATURE_NUMBERS];
  float likeness[ONES];
  int32_t best[ONES];
  fill(ones, ONES * FEATURE_NUMBERS, 0, 0.1);
  fill(others, OTHERS * FEATURE_NUMBERS, 0, 0.1);
  feature_nearest(ones, ONES, others, OTHERS, best, likeness);
  for (int i = 0; i < ONES; i++) {
    double most = -2, product = 0;
    int place = -1;
    for (int j = 0; j < OTHERS; j++, product = 0) {
      for (int k = 0; k < FEATURE_NUMBERS; k++) product += (double)ones[i * FEATURE_NUMBERS + k] * others[j * FEATURE_NUMBERS + k];
      if (product > most) most = product, place = j;
    }
    near(best[i], place, 0);
    near(likeness[i], most, 1e-5);
  }
}

static void test_registration(void) {
  enum { WIDTH = 61, HEIGHT = 47, COUNT = 1208 };
  static float samples[WIDTH * HEIGHT], points[REGISTRATION_ROWS * COUNT], residuals[COUNT];
  int32_t bins[REGISTRATION_BINS], wanted_bins[REGISTRATION_BINS] = {0};
  fill(samples, WIDTH * HEIGHT, 0, 255);
  const double reaches[] = {32, 25, 60, 60, 255};
  for (int row = 0; row < REGISTRATION_DISTANCE; row++) fill(points + row * COUNT, COUNT, -reaches[row], reaches[row]);
  fill(points + REGISTRATION_DISTANCE * COUNT, COUNT, 0.01, 0.2);
  for (int i = COUNT - 5; i < COUNT; i++) points[i] = NAN;
  const registration_picture p = {samples, WIDTH, HEIGHT, 1.02f, 0.03f, 30.7f, 22.9f, 0.9f, 4};
  kernel("registration_residuals");
  registration_residuals(&p, points, COUNT, residuals, bins);
  int off = 0;
  for (int i = 0; i < COUNT; i++) {
    const double px = points[i], py = points[COUNT + i], x = p.scale * px - p.turn * py + p.x, y = p.turn * px + p.scale * py + p.y;
    double wanted = NAN;
    if (x >= 0 && y >= 0 && x < WIDTH - 1 && y < HEIGHT - 1) {
      const float *corner = samples + (int)y * WIDTH + (int)x;
      const double a = x - floor(x), b = y - floor(y);
      wanted = (corner[0] * (1 - a) + corner[1] * a) * (1 - b) + (corner[WIDTH] * (1 - a) + corner[WIDTH + 1] * a) * b -
               p.gain * (double)points[REGISTRATION_VALUE * COUNT + i] - p.offset;
      wanted_bins[(int)within(fabs(wanted) * points[REGISTRATION_DISTANCE * COUNT + i] * 128, 0, REGISTRATION_BINS - 1)]++;
    }
    near(residuals[i], wanted, 0.02);
  }
  for (int k = 0; k < REGISTRATION_BINS; k++) off += abs(bins[k] - wanted_bins[k]);
  near(off, 0, 8); // positions between two bins
  kernel("registration_equations");
  double sums[42], wanted[42] = {0};
  int64_t seen[2], wanted_seen[2] = {0};
  registration_equations(points, residuals, COUNT, 2, sums, seen);
  for (int i = 0; i < COUNT; i++) {
    if (isnan(residuals[i])) continue;
    const double x = points[i], y = points[COUNT + i], sx = points[2 * COUNT + i], sy = points[3 * COUNT + i], r = residuals[i];
    const double ratio = r * points[REGISTRATION_DISTANCE * COUNT + i] / 2, weight = 1 / ((1 + ratio * ratio) * (1 + ratio * ratio));
    const double n[7] = {sx * x + sy * y, sy * x - sx * y, sx, sy, points[REGISTRATION_VALUE * COUNT + i], 1, r};
    for (int k = 0; k < 42; k++) wanted[k] += n[k / 7] * n[k % 7] * weight;
    wanted_seen[0]++;
    wanted_seen[1] += fabs(r) <= 4 + (fabs(sx) + fabs(sy)) / 2;
  }
  for (int k = 0; k < 42; k++) near(sums[k], wanted[k], 1e-4 * sqrt(fabs(wanted[k / 7 * 7 + k / 7] * COUNT * 1e4)) + 1e-3 * fabs(wanted[k]));
  near((double)seen[0], (double)wanted_seen[0], 0);
  near((double)seen[1], (double)wanted_seen[1], 0);
}

void test_motion(void) {
  test_blocks_of_motion();
  test_features();
  test_registration();
}
