import Basics

/// Guesses the word that was meant by another one: a mistyped one, the beginning of one, or what other programs call it.
enum Suggestion {
  /// A word that would have been right.
  struct Choice {
    /// The word.
    var word: String
    /// Words that people type in its place.
    var synonyms: [String] = []
  }

  /// “; did you mean …?” for the nearest known word, or nothing when none is near.
  ///
  /// - Parameters:
  ///   - word: what was typed.
  ///   - known: the words that would have been right.
  static func sentence(for word: String, among known: [String]) -> Message {
    sentence(for: word, among: known.map { Choice(word: $0) })
  }

  /// “; did you mean …?” for the nearest choice, or nothing when none is near.
  ///
  /// - Parameter prefix: what stands before the word that is named.
  static func sentence(for word: String, among known: [Choice], prefix: String = "") -> Message {
    nearest(to: word, among: known).map { "; did you mean \(prefix)\($0)?" } ?? ""
  }

  /// “: it takes …”, with all the words that would have been right.
  static func all(_ known: [String]) -> Message { "; choose from \(known.joined(separator: ", "))" }

  /// The word that was meant: the one of which it is a synonym, else the only one that begins so, else the nearest.
  static func nearest(to typed: String, among known: [Choice]) -> String? {
    let typed = typed.lowercased()
    if let known = exact(typed, among: known) { return known }
    let begun = known.filter { $0.word.hasPrefix(typed) }
    if typed.count > 1, begun.count == 1 { return begun[0].word }
    let ranked = known.flatMap { choice in
      ([choice.word] + choice.synonyms).map { (choice.word, distance(typed, $0), $0.count) }
    }
    // Of a word of four letters, two others are another word.
    let near = ranked.filter { $0.1 <= (min(typed.count, $0.2) <= 4 ? 1 : 2) && typed.count > 1 }
    return near.min { $0.1 < $1.1 }?.0
  }

  /// The word that is the typed one, or has it as a synonym.
  static func exact(_ typed: String, among known: [Choice]) -> String? {
    known.first { $0.word == typed.lowercased() || $0.synonyms.contains(typed.lowercased()) }?.word
  }

  /// The number of letters to put in, leave out, replace or exchange with the next to make one word of the other (the
  /// distance of Damerau and Levenshtein, optimal string alignment).
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
  /// Its word with those that people type in its place.
  var choice: Suggestion.Choice { Suggestion.Choice(word: word, synonyms: synonyms) }
}

extension OptionDeclaration {
  /// Its name with those that people type in its place.
  var choice: Suggestion.Choice { Suggestion.Choice(word: name, synonyms: synonyms) }
}
