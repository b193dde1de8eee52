#pragma once

/// The options that hold unless ASAN_OPTIONS says otherwise. See the documentation of AddressSanitizer's flags.
const char *__asan_default_options(void);

/// The reports that are left out. See the documentation of ThreadSanitizer's suppressions.
const char *__tsan_default_suppressions(void);
