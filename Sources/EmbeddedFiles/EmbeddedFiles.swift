internal import CEmbeddedFiles

/// The files that are compiled into the programs: liveedit's own presets, and the HTML, CSS and JavaScript of its pages.
/// `CEmbeddedFiles/files.c` lists the files.
package enum EmbeddedFiles {
  /// Returns the bytes of a file; nil if no file has that name.
  ///
  /// - Parameter name: The file's name with its folder: `presets/`, `preview/` or `studio/`.
  package static func bytes(_ name: String) -> [UInt8]? {
    var count = 0
    guard let start = liveedit_embedded_file(name, &count) else { return nil }
    // The bytes are constants of the program.
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}
