#include "check.h"
#include "local_light.h"

// Tests regional light. The tables are smooth, so that a position that falls into a neighbouring step makes little difference.

enum { WIDTH = 29, HEIGHT = 17, CELLS = WIDTH * HEIGHT, COUNT = 611 };

static double at(const float *cells, int64_t x, int64_t y) {
  return cells[(int64_t)within((double)y, 0, HEIGHT - 1) * WIDTH + (int64_t)within((double)x, 0, WIDTH - 1)];
}

static void test_grids(void) {
  float one[CELLS], two[CELLS], three[CELLS], four[CELLS], room[CELLS + WIDTH], a[CELLS], b[CELLS];
  fill(one, CELLS, 0, 10);
  fill(two, CELLS, 0, 10);
  kernel("grid_box");
  for (int radius = 1; radius <= 20; radius += 3) {
    grid_box(one, WIDTH, HEIGHT, radius, room, a);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        double sum = 0;
        for (int j = -radius; j <= radius; j++)
          for (int i = -radius; i <= radius; i++) sum += at(one, x + i, y + j);
        near(a[y * WIDTH + x], sum / ((2 * radius + 1) * (2 * radius + 1)), 1e-4);
      }
  }
  kernel("grid_product");
  grid_product(one, two, CELLS, three);
  for (int i = 0; i < CELLS; i++) near(three[i], (double)one[i] * two[i], 1e-5);
  kernel("grid_coefficients");
  fill(three, CELLS, 0, 150);
  fill(four, CELLS, 0, 100);
  grid_coefficients(one, two, three, four, 0.25f, CELLS, a, b);
  for (int i = 0; i < CELLS; i++) {
    const double slope = (four[i] - (double)one[i] * two[i]) / (fmax(three[i] - (double)one[i] * one[i], 0) + 0.25);
    near(a[i], slope, 1e-3 + 1e-3 * fabs(slope));
    near(b[i], two[i] - slope * one[i], 1e-2 + 1e-3 * fabs(slope * one[i]));
  }
  kernel("grid_line");
  grid_line(one, two, b, CELLS, four);
  for (int i = 0; i < CELLS; i++) near(four[i], (double)one[i] * two[i] + b[i], 1e-3 + 1e-6 * fabs(b[i]));
  kernel("light_widen");
  int32_t first[COUNT];
  float weight[COUNT], wide[COUNT];
  fill(weight, COUNT, 0, 1);
  for (int i = 0; i < COUNT; i++) first[i] = (int32_t)pick(0, CELLS - 2);
  light_widen(one, first, weight, COUNT, wide);
  for (int i = 0; i < COUNT; i++) near(wide[i], one[first[i]] * (1.0 - weight[i]) + one[first[i] + 1] * (double)weight[i], 1e-5);
}

static float smoothed[LIGHT_CODE_COUNT], light[LIGHT_CODE_COUNT];
static float change[LIGHT_STEP_COUNT], detail[LIGHT_STEP_COUNT], encoded[LIGHT_STEP_COUNT + 1];

static void make_tables(void) {
  for (int i = 0; i < LIGHT_CODE_COUNT; i++) {
    const double y = (double)i / LIGHT_CODES;
    smoothed[i] = (float)(2.4 * log2(y + 0.05));
    light[i] = (float)(2.4 * log2(y + 0.01));
  }
  for (int i = 0; i <= LIGHT_STEP_COUNT; i++) {
    const double ev = LIGHT_LEAST + (double)i / LIGHT_STEPS;
    if (i < LIGHT_STEP_COUNT) change[i] = (float)sin(ev / 3), detail[i] = (float)(0.5 * cos(ev / 4));
    encoded[i] = (float)(pow(2, ev / 2.4) - 0.01);
  }
}

static int code_place(double y) { return (int)within(y * LIGHT_CODES + 0.5, 0, LIGHT_CODE_COUNT - 1); }

static void test_find(LightRow row, int is_hazy) {
  float rows[8][COUNT], means[COUNT], scales[COUNT], offsets[COUNT], chroma[COUNT];
  for (int k = 0; k < 8; k++) fill(rows[k], COUNT, k % 4 < 2 ? 0.4 : -1, k % 4 < 2 ? 0.9 : 0.5);
  for (int k = 0; k < 2; k++) {
    row.a[k] = rows[k];
    row.b[k] = rows[2 + k];
    row.veil_a[k] = rows[4 + k];
    row.veil_b[k] = rows[6 + k];
  }
  row.detail = is_hazy ? detail : NULL;
  row.dehaze = is_hazy ? 0.4f : 0;
  fill(means, COUNT, -0.05, 1.1);
  light_find(&row, COUNT, means, scales, offsets, chroma);
  for (int i = 0; i < COUNT; i++) {
    double y = means[i], taken = 0, stretch = 1;
    const double s = smoothed[code_place(y)], w = row.weight, top = LIGHT_LEAST + 19.9;
    const double base = within((rows[0][i] * (1 - w) + rows[1][i] * w) * s + rows[2][i] * (1 - w) + rows[3][i] * w, LIGHT_LEAST, top);
    double sum = change[(int)((base - LIGHT_LEAST) * LIGHT_STEPS)];
    if (is_hazy) {
      sum += detail[(int)((base - LIGHT_LEAST) * LIGHT_STEPS)] * (s - base) / (1 + fabs(s - base) / 2);
      const double veil = (rows[4][i] * (1 - w) + rows[5][i] * w) * s + rows[6][i] * (1 - w) + rows[7][i] * w;
      taken = row.dehaze * within(veil, 0, within(y, 0, row.airlight));
      stretch = 1 / (1 - taken / row.airlight);
      y = (y - taken) * stretch;
    }
    const double place = (within(light[code_place(y)] + sum, LIGHT_LEAST, top) - LIGHT_LEAST) * LIGHT_STEPS;
    const double part = place - floor(place), made = encoded[(int)place] * (1 - part) + encoded[(int)place + 1] * part;
    const double ratio = y > 0.001 ? made / y : 1;
    // Near black, one step of the table is a large fraction of the light.
    const double tolerance = (0.02 + 0.002 / fmax(fabs(y), 0.002)) * (1 + fabs(ratio));
    near(scales[i], ratio * stretch, tolerance * stretch);
    near(offsets[i], -taken * ratio * stretch, tolerance * stretch);
    near(chroma[i], ratio * (1 + stretch) / 2, tolerance * stretch);
  }
}

static void test_rows(LightRow row) {
  uint16_t one[COUNT], two[COUNT];
  float numbers[COUNT], others[COUNT], sums[COUNT];
  kernel("light_add");
  for (int depth = 8; depth <= 10; depth++) {
    fill_codes(one, COUNT, depth);
    fill(sums, COUNT, -1, 1);
    memcpy(numbers, sums, sizeof sums);
    light_add(one, COUNT, depth, (float)(16 << (depth - 8)), (float)(219 << (depth - 8)), smoothed, sums);
    for (int i = 0; i < COUNT; i++)
      near(sums[i], numbers[i] + smoothed[code_place((code_at(one, i, depth) * pow(2, 8 - depth) - 16) / 219)], 0.02);
  }
  for (int kind = 0; kind < 3; kind++)
    for (row.depth = 8; row.depth <= 10; row.depth++)
      for (int across = 1; across <= 2; across++) {
        const char *names[] = {"light_means", "light_change_luma", "light_change_chroma"};
        if (row.depth == 8 && across == 1) kernel(names[kind]);
        const int64_t samples = COUNT - across, count = (samples + across - 1) / across;
        row.black = (float)(16 << (row.depth - 8));
        row.range = (float)(219 << (row.depth - 8));
        row.least = 4 << (row.depth - 8);
        row.greatest = 250 << (row.depth - 8);
        fill_codes(one, COUNT, row.depth);
        if (across == 1) memcpy(two, one, sizeof one);
        else fill_codes(two, COUNT, row.depth);
        if (kind == 0) {
          light_means(&row, one, across == 1 ? one : two, across, count, samples, numbers);
          for (int64_t i = 0; i < count; i++) {
            double sum = 0, parts = 0;
            for (int64_t k = i * across; k < samples && k < (i + 1) * across; k++, parts += 2)
              sum += code_at(one, k, row.depth) + code_at(two, k, row.depth);
            near(numbers[i], (sum / parts - row.black) / row.range, 1e-5);
          }
          continue;
        }
        memcpy(two, one, sizeof one);
        fill(numbers, COUNT, 0.3, 2);
        fill(others, COUNT, -0.3, 0.3);
        if (kind == 1) light_change_luma(&row, numbers, others, across, samples, one);
        else light_change_chroma(&row, numbers, count, samples, one);
        for (int64_t i = 0; i < samples; i++) {
          const double code = code_at(two, i, row.depth), middle = 128 << (row.depth - 8);
          const int64_t of_luma = i / across, of_chroma = i * count / samples;
          coded(code_at(one, i, row.depth),
                kind == 1 ? row.black + (code - row.black) * numbers[of_luma] + others[of_luma] * (double)row.range
                          : middle + (code - middle) * (double)numbers[of_chroma],
                2e-3, row.least, row.greatest);
        }
      }
}

void test_light(void) {
  make_tables();
  test_grids();
  const LightRow row = {.weight = 0.3f, .smoothed = smoothed, .light = light, .change = change, .encoded = encoded, .airlight = 0.95f};
  kernel("light_find");
  test_find(row, 0);
  test_find(row, 1);
  test_rows(row);
}
