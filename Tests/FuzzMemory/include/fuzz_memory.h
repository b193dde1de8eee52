/// The memory that a fuzzed input takes, counted by the allocator of AddressSanitizer.

#ifndef FUZZ_MEMORY_H
#define FUZZ_MEMORY_H

#include <stdint.h>

/// Begins to count allocations; once.
void liveedit_memory_watch(void);
/// Begins with an input.
void liveedit_memory_begin(void);
/// The most bytes that were allocated at a time since then, beyond what was there before; up to 64 kB of each thread may be
/// missing.
int64_t liveedit_memory_peak(void);

#endif
