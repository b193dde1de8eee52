#ifndef LIVEEDIT_EMBEDDED_FILES_H
#define LIVEEDIT_EMBEDDED_FILES_H

/// The bytes of a file that is compiled into the program; null if no file has that name.
///
/// @param name the file's name with its folder: `studio/main.js`.
/// @param count gets the number of bytes.
const unsigned char *_Nullable liveedit_embedded_file(const char *_Nonnull name, long *_Nonnull count);

#endif
