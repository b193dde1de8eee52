internal import CLanguages

/// The catalogues that are part of the program.
enum EmbeddedCatalogue {
  /// The bytes of a language's catalogue; nil where there is none.
  ///
  /// - Parameter language: its code of two letters (ISO 639-1).
  static func bytes(_ language: String) -> [UInt8]? {
    var count = 0
    guard let start = liveedit_catalogue(language, &count) else { return nil }
    // The bytes are constants of the program.
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}
