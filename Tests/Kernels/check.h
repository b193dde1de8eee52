#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the tests of the kernels share. Numbers are the same in every run and on every processor.

/// A whole number from `least` to `most`.
int64_t pick(int64_t least, int64_t most);
/// A number from `least` to `most`.
float number(double least, double most);
/// Fills an array with such numbers.
void fill(float *numbers, int64_t count, double least, double most);
/// Fills a row with codes of a depth: one byte each for 8 bits, two otherwise.
void fill_codes(void *samples, int64_t count, int depth);
/// A sample of such a row.
int code_at(const void *samples, int64_t i, int depth);

/// Begins the test of a kernel.
void kernel(const char *name);
/// A number of the kernel beside that of the slow reference.
void near(double found, double wanted, double tolerance);
/// A code of the kernel beside the reference's number before it is rounded and kept within two codes; a number that lies
/// within `slack` of a half may be rounded either way.
void coded(int found, double wanted, double slack, int least, int greatest);

static inline double within(double value, double least, double greatest) {
  return value < least ? least : value > greatest ? greatest : value;
}

void test_colors(void);
void test_light(void);
void test_detail(void);
void test_geometry(void);
void test_motion(void);
void test_blocks(void);

#endif
