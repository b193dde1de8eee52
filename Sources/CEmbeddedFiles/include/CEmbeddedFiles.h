#ifndef LIVEEDIT_EMBEDDED_FILES_H
#define LIVEEDIT_EMBEDDED_FILES_H

/// Returns the bytes of a file that is compiled into the program, or null if no file has that name.
///
/// @param name The name of the file with its folder, such as `studio/main.js`.
/// @param count Set to the number of bytes.
const unsigned char *_Nullable liveedit_embedded_file(const char *_Nonnull name, long *_Nonnull count);

#endif
