#pragma once

/// The options that hold unless ASAN_OPTIONS says otherwise. See the documentation of AddressSanitizer's flags.
const char *__asan_default_options(void);
