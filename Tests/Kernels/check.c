#include "check.h"

// Prints each kernel with the number of compared values and their hash (FNV-1a, 64 bits), so that the results of two
// processors can be compared line by line.

static uint64_t state = 88172645463325252u;
static const char *name;
static uint64_t hash;
static int64_t compared, wrong, failures;

// Marsaglia's xorshift (Journal of Statistical Software 8, 14).
static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

int64_t pick(int64_t least, int64_t most) { return least + (int64_t)((next() >> 11) % (uint64_t)(most - least + 1)); }

float number(double least, double most) { return (float)(least + (most - least) * (double)(next() >> 11) / 9007199254740992.0); }

void fill(float *numbers, int64_t count, double least, double most) {
  for (int64_t i = 0; i < count; i++) numbers[i] = number(least, most);
}

void fill_codes(void *samples, int64_t count, int depth) {
  for (int64_t i = 0; i < count; i++) {
    const int64_t code = pick(0, (1 << depth) - 1);
    if (depth == 8) ((uint8_t *)samples)[i] = (uint8_t)code;
    else ((uint16_t *)samples)[i] = (uint16_t)code;
  }
}

int code_at(const void *samples, int64_t i, int depth) {
  return depth == 8 ? ((const uint8_t *)samples)[i] : ((const uint16_t *)samples)[i];
}

static void finish(void) {
  if (!name) return;
  if (!compared) wrong = 1; // a test without comparisons
  printf("%-28s %8lld %016llx%s\n", name, (long long)compared, (unsigned long long)hash, wrong ? " WRONG" : "");
  failures += wrong;
}

void kernel(const char *next_name) {
  finish();
  name = next_name;
  hash = 14695981039346656037u;
  compared = wrong = 0;
}

static void count(const void *bytes, size_t size, int is_right, double found, double wanted) {
  for (size_t i = 0; i < size; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
  compared++;
  if (is_right) return;
  if (!wrong++) fprintf(stderr, "%s: %.9g instead of %.9g\n", name, found, wanted);
}

void near(double found, double wanted, double tolerance) {
  const float bits = isnan(found) ? 0 : (float)found;
  count(&bits, sizeof bits, isnan(wanted) ? isnan(found) : fabs(found - wanted) <= tolerance, found, wanted);
}

void coded(int found, double wanted, double slack, int least, int greatest) {
  wanted = within(wanted, least, greatest);
  const int is_right = found >= least && found <= greatest && fabs(found - wanted) <= 0.5 + slack;
  count(&found, sizeof found, is_right, found, wanted);
}

int main(void) {
  test_colors();
  test_light();
  test_detail();
  test_geometry();
  test_motion();
  test_blocks();
  finish();
  if (failures) fprintf(stderr, "%lld numbers are wrong\n", (long long)failures);
  return failures ? 1 : 0;
}
