internal import CLanguages

/// The message catalogues that are compiled into the program.
enum EmbeddedCatalogue {
  /// Returns the bytes of a language's catalogue; nil if the program contains no catalogue for the language.
  ///
  /// - Parameter language: The two-letter code of the language (ISO 639-1).
  static func bytes(_ language: String) -> [UInt8]? {
    var count = 0
    guard let start = liveedit_catalogue(language, &count) else { return nil }
    // The bytes are constants that are compiled into the program.
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}
