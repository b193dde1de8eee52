// What AddressSanitizer asks a program for that was started without an environment, as the helper is. Leaks are looked for by
// another process, which confinement forbids.
#include "options.h"

__attribute__((no_sanitize("address"))) const char *__asan_default_options(void) {
  return "detect_leaks=0:abort_on_error=1";
}

#if __has_feature(thread_sanitizer)
// Swift's library writes 0 into the count of the empty array that all share, which is 0, whenever an array without room is made.
const char *__tsan_default_suppressions(void) { return "race:_swiftEmptyArrayStorage\n"; }
#endif
