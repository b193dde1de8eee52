#include "effects.h"
#include "codes.h"
#include "wide.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

// clang has an intrinsic that never sets errno and can therefore be vectorised.
#if defined(__clang__)
#define SQUARE_ROOT(number) __builtin_elementwise_sqrt(number)
#else
#define SQUARE_ROOT(number) sqrtf(number)
#endif

WIDE void vignette_shares(const float *across, float down, int64_t count, float amount, float radius, float width,
                          float *shares) {
  const float slope = 1 / width;
  for (int64_t i = 0; i < count; i++) {
    float t = (SQUARE_ROOT(across[i] + down) - radius) * slope + 0.5f;
    t = t < 0 ? 0 : t;
    t = t > 1 ? 1 : t;
    shares[i] = amount * (t * t * (3 - 2 * t));
  }
}

WIDE void vignette_apply(const float *shares, int64_t count, float target, int depth, int least, int greatest,
                         void *samples) {
  const float low = (float)least, high = (float)greatest;
  if (depth == 8) {
    uint8_t *at = samples;
    for (int64_t i = 0; i < count; i++) {
      float code = (float)at[i];
      at[i] = (uint8_t)nearest_code(code + (target - code) * shares[i], low, high);
    }
  } else {
    uint16_t *at = samples;
    for (int64_t i = 0; i < count; i++) {
      float code = (float)at[i];
      at[i] = (uint16_t)nearest_code(code + (target - code) * shares[i], low, high);
    }
  }
}

static inline float grained(float code, float grain, float amount, float black, float slope) {
  float v = (code - black) * slope;
  v = v < 0 ? 0 : v;
  v = v > 1 ? 1 : v;
  const float wanted = amount * (4 * v * (1 - v));
  // The greatest grain, 127, reaches at most black or white, so that the noise is not clipped on one side.
  const float room = (v < 1 - v ? v : 1 - v) / (127 * slope);
  return code + (wanted < room ? wanted : room) * grain;
}

WIDE void grain_apply(const int8_t *pattern, int64_t count, float amount, float black, float white, int depth,
                      int least, int greatest, void *samples) {
  const float low = (float)least, high = (float)greatest, slope = 1 / (white - black);
  if (depth == 8) {
    uint8_t *at = samples;
    for (int64_t i = 0; i < count; i++)
      at[i] = (uint8_t)nearest_code(grained((float)at[i], (float)pattern[i], amount, black, slope), low, high);
  } else {
    uint16_t *at = samples;
    for (int64_t i = 0; i < count; i++)
      at[i] = (uint16_t)nearest_code(grained((float)at[i], (float)pattern[i], amount, black, slope), low, high);
  }
}
