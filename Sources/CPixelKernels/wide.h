#ifndef WIDE_H
#define WIDE_H

// Marks a function whose loops the compiler vectorises, with wider vectors if AVX2 is available. AVX2 alone has no fused
// multiply-add, so both versions produce the same numbers. With ThreadSanitizer only one version is built, because the code
// that selects a version would call ThreadSanitizer before its initialisation.
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
