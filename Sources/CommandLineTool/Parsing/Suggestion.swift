import Basics

/// Finds the word that the user meant by a mistyped or incomplete word, or by another program's term.
enum Suggestion {
  /// A correct word and its synonyms.
  struct Choice {
    /// The correct word itself.
    var word: String
    /// Other words that users type instead of the correct word.
    var synonyms: [String] = []
  }

  /// Returns “; did you mean …?” with the most similar known word; empty if no word is similar.
  ///
  /// - Parameters:
  ///   - word: The word that was typed.
  ///   - known: The correct words.
  static func sentence(for word: String, among known: [String]) -> Message {
    sentence(for: word, among: known.map { Choice(word: $0) })
  }

  /// Returns “; did you mean …?” with the most similar choice; empty if no choice is similar.
  ///
  /// - Parameter prefix: The text before the suggested word.
  static func sentence(for word: String, among known: [Choice], prefix: String = "") -> Message {
    nearest(to: word, among: known).map { "; did you mean \(prefix)\($0)?" } ?? ""
  }

  /// Returns “; choose from …” with all correct words.
  static func all(_ known: [String]) -> Message { "; choose from \(known.joined(separator: ", "))" }

  /// Returns the word that the user meant: the word that has the typed word as a synonym; otherwise the only word that
  /// begins with the typed word; otherwise the most similar word.
  static func nearest(to typed: String, among known: [Choice]) -> String? {
    let typed = typed.lowercased()
    if let known = exact(typed, among: known) { return known }
    let begun = known.filter { $0.word.hasPrefix(typed) }
    if typed.count > 1, begun.count == 1 { return begun[0].word }
    let ranked = known.flatMap { choice in
      ([choice.word] + choice.synonyms).map { (choice.word, distance(typed, $0), $0.count) }
    }
    // If two letters of a word of at most four letters change, the result is a different word.
    let near = ranked.filter { $0.1 <= (min(typed.count, $0.2) <= 4 ? 1 : 2) && typed.count > 1 }
    return near.min { $0.1 < $1.1 }?.0
  }

  /// Returns the choice that equals the typed word or has the typed word as a synonym.
  static func exact(_ typed: String, among known: [Choice]) -> String? {
    known.first { $0.word == typed.lowercased() || $0.synonyms.contains(typed.lowercased()) }?.word
  }

  /// Returns the edit distance between two words: the number of letters to insert, delete, replace or swap with the
  /// next letter (Damerau–Levenshtein distance, optimal string alignment).
  static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one), Array(other))
    var rows = [Array(0...other.count)]
    for (line, letter) in one.enumerated() {
      var row = [line + 1]
      for (index, candidate) in other.enumerated() {
        let replaced = rows[line][index] + (letter == candidate ? 0 : 1)
        var least = min(replaced, rows[line][index + 1] + 1, row[index] + 1)
        if line > 0, index > 0, letter == other[index - 1], one[line - 1] == candidate {
          least = min(least, rows[line - 1][index - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[one.count][other.count]
  }
}

extension CommandDeclaration {
  /// The command's last word, together with its synonyms.
  var choice: Suggestion.Choice { Suggestion.Choice(word: word, synonyms: synonyms) }
}

extension OptionDeclaration {
  /// The option's name, together with its synonyms.
  var choice: Suggestion.Choice { Suggestion.Choice(word: name, synonyms: synonyms) }
}
