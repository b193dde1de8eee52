/// Guesses the word that was meant by a mistyped one.
enum Suggestion {
  /// “; did you mean …?” for the nearest known word, or nothing when none is near.
  ///
  /// - Parameters:
  ///   - word: what was typed.
  ///   - known: the words that would have been right.
  static func sentence(for word: String, among known: [String]) -> String {
    let ranked = known.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
    guard let (nearest, distance) = ranked, distance <= 2 else { return "" }
    return "; did you mean \(nearest)?"
  }

  /// The number of letters to put in, leave out or replace to make one word of the other (Levenshtein's
  /// distance).
  static func distance(_ one: String, _ other: String) -> Int {
    let other = Array(other)
    var row = Array(0...other.count)
    for letter in one {
      var diagonal = row[0]
      row[0] += 1
      for (index, candidate) in other.enumerated() {
        let replaced = diagonal + (letter == candidate ? 0 : 1)
        diagonal = row[index + 1]
        row[index + 1] = min(replaced, row[index] + 1, diagonal + 1)
      }
    }
    return row.last ?? 0
  }
}
