#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Shared code of the kernel tests. The pseudorandom numbers are the same in every run and on every processor.

/// An integer from `least` to `most`.
int64_t pick(int64_t least, int64_t most);
/// A number from `least` to `most`.
float number(double least, double most);
/// Fills an array with numbers from `least` to `most`.
void fill(float *numbers, int64_t count, double least, double most);
/// Fills a row with codes of a bit depth: one byte each for 8 bits, two bytes otherwise.
void fill_codes(void *samples, int64_t count, int depth);
/// A sample of a row of codes.
int code_at(const void *samples, int64_t i, int depth);

/// Begins the test of a kernel.
void kernel(const char *name);
/// Compares a number from the kernel with that of the slow reference.
void near(double found, double wanted, double tolerance);
/// Compares a code from the kernel with the reference's number before rounding, limited to the range between two codes; a number within
/// `slack` of a half may be rounded either way.
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
