#ifndef LIVEEDIT_LANGUAGES_H
#define LIVEEDIT_LANGUAGES_H

#include <stddef.h>

/// The catalogue of messages of a language, as msgfmt makes it; null where there is none.
///
/// @param language its code of two letters (ISO 639-1).
/// @param count gets the number of bytes.
const unsigned char *_Nullable liveedit_catalogue(const char *_Nonnull language, long *_Nonnull count);

#endif
