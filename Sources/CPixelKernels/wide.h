#ifndef WIDE_H
#define WIDE_H

// Before a function whose loops the compiler makes vectors of; with AVX2 wider ones. AVX2 alone brings no fused
// multiply-add, so both ways give the same numbers. What chooses between them runs before ThreadSanitizer is there, to which it
// would report.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ONE_WAY
#endif
#endif
#if defined(__x86_64__) && !defined(ONE_WAY)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

#endif
