/// Words that have both a British and an American spelling. Commands and filters accept both spellings.
package enum Spelling {
  private static let pairs = [
    ("favour", "favor"), ("colour", "color"), ("grey", "gray"), ("centre", "center"),
    ("catalogue", "catalog"),
  ]

  /// Returns the word in a list that matches a typed word, regardless of British or American spelling. An identical
  /// word takes precedence.
  ///
  /// - Returns: The word as it is written in `words`; nil if no word matches the typed word.
  package static func find(_ typed: String, among words: [String]) -> String? {
    words.first { $0 == typed } ?? words.first { american($0) == american(typed) }
  }

  private static func american(_ word: String) -> String {
    pairs.reduce(word) { $0.replacing($1.0, with: $1.1) }
  }
}
