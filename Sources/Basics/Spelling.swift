/// Words with a British and an American spelling. Commands and filters accept both.
package enum Spelling {
  private static let pairs = [
    ("favour", "favor"), ("colour", "color"), ("grey", "gray"), ("centre", "center"),
    ("catalogue", "catalog"),
  ]

  /// Returns the word among several that equals a typed word, whichever spelling either has. An identical word comes first.
  ///
  /// - Returns: The word as it is written in `words`, or nil if none equals the typed word.
  package static func find(_ typed: String, among words: [String]) -> String? {
    words.first { $0 == typed } ?? words.first { american($0) == american(typed) }
  }

  private static func american(_ word: String) -> String {
    pairs.reduce(word) { $0.replacing($1.0, with: $1.1) }
  }
}
