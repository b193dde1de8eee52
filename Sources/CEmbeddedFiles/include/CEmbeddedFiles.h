#ifndef LIVEEDIT_EMBEDDED_FILES_H
#define LIVEEDIT_EMBEDDED_FILES_H

/// A file that is compiled into the program; null where there is none of that name.
///
/// @param name its name, with a slash: `studio/main.js`.
/// @param count gets the number of bytes.
const unsigned char *_Nullable liveedit_embedded_file(const char *_Nonnull name, long *_Nonnull count);

#endif
