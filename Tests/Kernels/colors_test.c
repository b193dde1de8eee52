#include "check.h"
#include "color_table.h"
#include "sample_places.h"

// Tests colour tables, and positions in them.

/// The stored number of a node.
static double node(const int16_t *nodes, int b, int r, int i) { return nodes[(b * 65 + r) * 65 + i]; }

/// Linear along luma, and linear over the triangle in the plane of Cb and Cr: exact for sixteen times sixty-four parts.
static double looked_up(const int16_t *nodes, int luma, int cb, int cr, int depth) {
  const int i = luma / 16, b = cb / 64, r = cr / 64;
  const double l = luma % 16 / 16.0, fb = cb % 64 / 64.0, fr = cr % 64 / 64.0;
  double corner[2][2];
  for (int x = 0; x < 2; x++)
    for (int y = 0; y < 2; y++)
      corner[x][y] = node(nodes, b + x, r + y, i) * (1 - l) + node(nodes, b + x, r + y, i + 1) * l;
  const double far = fb > fr ? corner[1][0] : corner[0][1], most = fb > fr ? fb : fr, least = fb > fr ? fr : fb;
  const double stored = corner[0][0] * (1 - most) + far * (most - least) + corner[1][1] * least;
  return ((stored + 32768) / 64 - 256) * (1 << (depth - 8));
}

static void test_tables(void) {
  int16_t *nodes = malloc(COLOR_TABLE_NODES * sizeof *nodes);
  int16_t *cells = aligned_alloc(32, COLOR_TABLE_CELLS * sizeof *cells);
  for (int i = 0; i < COLOR_TABLE_NODES; i++) nodes[i] = (int16_t)pick(-32768, 32767);
  kernel("color_table_gather");
  color_table_gather(nodes, cells);
  for (int k = 0; k < 5000; k++) {
    const int b = (int)pick(0, 63), r = (int)pick(0, 63), i = (int)pick(0, 63), c = (int)pick(0, 7);
    near(cells[((b * 64 + r) * 64 + i) * 8 + c], node(nodes, b + (c >> 1 & 1), r + (c >> 2), i + (c & 1)), 0);
  }
  enum { COUNT = 1009 };
  uint16_t luma[COUNT], cb[COUNT], cr[COUNT], found[COUNT];
  for (int is_plain = 0; is_plain < 2; is_plain++) {
    kernel(is_plain ? "color_table_lookup_plain" : "color_table_lookup");
    for (int depth = 8; depth <= 10; depth++)
      for (int64_t count = 1; count <= COUNT; count += count < 40 ? 1 : 323) {
        for (int i = 0; i < count; i++) {
          luma[i] = (uint16_t)pick(0, 1023);
          cb[i] = (uint16_t)pick(0, 4095);
          cr[i] = i % 5 ? (uint16_t)pick(0, 4095) : cb[i];
        }
        const int least = 16 << (depth - 8), greatest = 235 << (depth - 8);
        (is_plain ? color_table_lookup_plain : color_table_lookup)(cells, luma, cb, cr, count, depth, least, greatest, found);
        for (int i = 0; i < count; i++)
          coded(code_at(found, i, depth), looked_up(nodes, luma[i], cb[i], cr[i], depth), 0, least, greatest);
      }
  }
  free(nodes);
  free(cells);
}

/// A chroma sample at a position between two rows, in quarters; the end rows are repeated.
static double mixed(const void *near_row, const void *far_row, int weight, int64_t i, int64_t count, int depth) {
  i = i < 0 ? 0 : i < count ? i : count - 1;
  return weight * code_at(near_row, i, depth) + (4 - weight) * code_at(far_row, i, depth);
}

static void test_places(void) {
  enum { MOST = 211 };
  uint16_t one[MOST], other[MOST], places[2 * MOST], blend[MOST + 2];
  kernel("places_of_luma");
  for (int depth = 8; depth <= 10; depth++) {
    fill_codes(one, MOST, depth);
    places_of_luma(one, MOST, depth, places);
    for (int i = 0; i < MOST; i++) near(places[i], code_at(one, i, depth) * pow(2, 10 - depth), 0);
  }
  kernel("places_of_chroma");
  for (int depth = 8; depth <= 10; depth++) {
    fill_codes(one, MOST, depth);
    places_of_chroma(one, MOST, depth, places);
    for (int i = 0; i < MOST; i++) near(places[i], code_at(one, i, depth) * pow(2, 12 - depth), 0);
  }
  kernel("places_of_means");
  for (int depth = 8; depth <= 10; depth++)
    for (int across = 1; across <= 4; across++)
      for (int64_t count = 1; count < MOST; count += 13) {
        const int64_t blocks = (count + across - 1) / across;
        fill_codes(one, count, depth);
        fill_codes(other, count, depth);
        places_of_means(one, other, count, across, depth, blocks, places);
        for (int64_t i = 0; i < blocks; i++) {
          double sum = 0;
          for (int64_t k = 0; k < across; k++) {
            const int64_t at = i * across + k < count ? i * across + k : count - 1;
            sum += code_at(one, at, depth) + code_at(other, at, depth);
          }
          near(places[i], floor(sum / (2 * across) * pow(2, 10 - depth)), 0);
        }
      }
  kernel("places_between_chroma");
  for (int depth = 8; depth <= 10; depth++)
    for (int layout = PLACES_EVERY; layout <= PLACES_LEFT; layout++)
      for (int weight = 1; weight <= 4; weight++)
        for (int64_t count = 1; count < MOST; count += 7) {
          const int64_t luma = layout == PLACES_EVERY ? count : 2 * count - count % 2;
          fill_codes(one, count, depth);
          fill_codes(other, count, depth);
          places_between_chroma(one, other, weight, count, luma, layout, depth, blend, places);
          for (int64_t i = 0; i < luma; i++) {
            double sum = 4 * mixed(one, other, weight, i, count, depth);
            if (layout == PLACES_CENTRED)
              sum = 3 * mixed(one, other, weight, i / 2, count, depth) +
                    mixed(one, other, weight, i % 2 ? i / 2 + 1 : i / 2 - 1, count, depth);
            if (layout == PLACES_LEFT)
              sum = 2 * mixed(one, other, weight, i / 2, count, depth) +
                    2 * mixed(one, other, weight, i / 2 + i % 2, count, depth);
            near(places[i], floor(sum * pow(2, 8 - depth)), 0);
          }
        }
}

void test_colors(void) {
  test_tables();
  test_places();
}
