#ifndef WIDE_H
#define WIDE_H

// Before a function whose loops the compiler makes vectors of; with AVX2 wider ones. AVX2 alone brings no fused
// multiply-add, so both ways give the same numbers.
#if defined(__x86_64__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

#endif
