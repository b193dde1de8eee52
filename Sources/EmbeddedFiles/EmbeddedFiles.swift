internal import CEmbeddedFiles

/// The files that are compiled into the programs, so that none has to be found at run time: liveedit's own presets and the files
/// of its pages. `CEmbeddedFiles/files.c` lists them.
package enum EmbeddedFiles {
  /// The bytes of a file; nil where there is none of that name.
  ///
  /// - Parameter name: its name: `presets/`, `preview/` or `studio/` and the file's own.
  package static func bytes(_ name: String) -> [UInt8]? {
    var count = 0
    guard let start = liveedit_embedded_file(name, &count) else { return nil }
    // The bytes are constants of the program.
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}
