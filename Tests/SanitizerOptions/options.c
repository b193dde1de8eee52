// What AddressSanitizer asks a program for that was started without an environment, as the helper is. Leaks are looked for by
// another process, which confinement forbids.
#include "options.h"

__attribute__((no_sanitize("address"))) const char *__asan_default_options(void) {
  return "detect_leaks=0:abort_on_error=1";
}
