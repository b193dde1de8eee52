#ifndef LIVEEDIT_LANGUAGES_H
#define LIVEEDIT_LANGUAGES_H

#include <stddef.h>

/// Returns the message catalogue of a language, as compiled by msgfmt, or null if there is none.
///
/// @param language The two-letter code of the language (ISO 639-1).
/// @param count Set to the number of bytes.
const unsigned char *_Nullable liveedit_catalogue(const char *_Nonnull language, long *_Nonnull count);

#endif
